"""Faults of one number a row or a column: biases, zero points, scales of rows or of columns.

The numbers are read off the output, one for the many elements of a line, so that lines of noise
have none that fits.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from wavemma.explain.suspect import Fault, Suspect
from wavemma.explain.tile_sample import Floats, Sample, middle

_LEAST = 8
_OFTEN = 0.97
_NEAR = 1e-4
_SAME = 1e-2
_SHOWN = 4
# What one number for each line of these is taken from.
_LINES = ("row", "column", "row and column")


class _Fit(NamedTuple):
    """One number for each row, and one for each column, of the tiles looked at."""

    rows: Floats
    columns: Floats


def line_offsets(sample: Sample) -> Iterator[Suspect]:
    """Suspect that results are off by a number of their row, their column, or both."""
    if _lines_too_short(sample):
        return
    for line in _LINES:
        found = _offsets(sample, line)
        if _fits(sample, _shifted(sample, found)) and _vary(sample, found, np.zeros(())):
            yield Suspect(_offset_fault(sample, line, found), "whole", _shift(line), seen=True)
            return


def line_factors(sample: Sample) -> Iterator[Suspect]:
    """Suspect that results, or products, are off by a factor of their row, column, or both."""
    if _lines_too_short(sample):
        return
    for of_products in (False, True) if sample.c is not None else (False,):
        for line in _LINES:
            found = _factors(sample, line, of_products=of_products)
            made = _scaled(sample, found, of_products=of_products)
            if _fits(sample, made) and _vary(sample, found, np.ones(())):
                fault = _factor_fault(sample, line, found, of_products=of_products)
                change = _scale(line, of_products=of_products)
                yield Suspect(fault, "whole", change, seen=True)
                return


def _lines_too_short(sample: Sample) -> bool:
    """Whether there is nothing to fit, or a line holds too few elements to tell a number."""
    return not sample.differing or min(sample.shape[1:]) < _LEAST


def _fits(sample: Sample, made: Floats) -> bool:
    return bool(sample.closely(made, sample.got).mean() >= _OFTEN)


def _vary(sample: Sample, found: _Fit, neutral: Floats) -> bool:
    """Whether numbers of lines differ: one and the same number is another fault's."""
    for numbers in found:
        if np.isfinite(numbers).all():
            size = max(float(np.abs(numbers).max()), float(neutral))
            if float(np.ptp(numbers)) > _NEAR * size and len(np.unique(numbers)) > 1:
                return True
    return False


def _cut(sample: Sample, values: Floats) -> Floats:
    """Give elements by tile and block, row and column."""
    return values.reshape(-1, *sample.shape[1:])


def _middles(values: Floats, axis: int) -> Floats:
    """Give the middle of the finite numbers of each line of each tile; neutral where none is."""
    ordered = np.sort(values, axis=axis)
    counts = np.isfinite(values).sum(axis=axis, keepdims=True)
    places = np.maximum(counts // 2, 0)
    found: Floats = np.take_along_axis(ordered, places, axis=axis)
    return found


def _offsets(sample: Sample, line: str) -> _Fit:
    with np.errstate(invalid="ignore"):
        off = _cut(sample, sample.got - sample.want)
    rows, columns = np.zeros_like(off[:, :, :1]), np.zeros_like(off[:, :1])
    off = np.where(np.isfinite(off), off, np.inf)
    if "row" in line:
        rows = _middles(off, 2)
        off = off - rows
    if "column" in line:
        columns = _middles(off, 1)
    return _Fit(rows, columns)


def _factors(sample: Sample, line: str, *, of_products: bool) -> _Fit:
    start = sample.c if of_products and sample.c is not None else np.zeros(())
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = _cut(sample, (sample.got - start) / (sample.want - start))
        ratio = np.where(np.isfinite(ratio), ratio, np.inf)
        rows, columns = np.ones_like(ratio[:, :, :1]), np.ones_like(ratio[:, :1])
        if "row" in line:
            rows = _middles(ratio, 2)
            ratio = ratio / rows
            ratio = np.where(np.isfinite(ratio), ratio, np.inf)
        if "column" in line:
            columns = _middles(ratio, 1)
    return _Fit(rows, columns)


def _shifted(sample: Sample, found: _Fit) -> Floats:
    with np.errstate(invalid="ignore"):
        made = _cut(sample, sample.want) + found.rows + found.columns
    return made.reshape(sample.want.shape)


def _scaled(sample: Sample, found: _Fit, *, of_products: bool) -> Floats:
    start = sample.c if of_products and sample.c is not None else np.zeros_like(sample.want)
    with np.errstate(invalid="ignore"):
        made = _cut(sample, sample.want - start) * found.rows * found.columns
    return made.reshape(sample.want.shape) + start


def _shift(line: str) -> Callable[[Sample], Floats]:
    return lambda sample: _shifted(sample, _offsets(sample, line))[None]


def _scale(line: str, *, of_products: bool) -> Callable[[Sample], Floats]:
    def change(sample: Sample) -> Floats:
        found = _factors(sample, line, of_products=of_products)
        return _scaled(sample, found, of_products=of_products)[None]

    return change


def _examples(sample: Sample, numbers: Floats, line: str) -> str:
    """Show the numbers of the first lines of the first tile."""
    size = sample.shape[1 if line == "row" else 2]
    first = int(sample.tiles[0, 1 if line == "row" else 2]) * size
    shown = ", ".join(f"{each:.4g}" for each in numbers[0].ravel()[:_SHOWN])
    return f"{shown}, ... from {line} {first} on"


def _of_tiles(sample: Sample, numbers: Floats, line: str) -> str:
    """Say that tiles with the same lines have other numbers for them, where they do."""
    kept: dict[tuple[int, int], Floats] = {}
    if sample.shape[0] > 1:
        return " of each block"
    for place, own in zip(sample.tiles.tolist(), numbers, strict=True):
        key = place[0], place[1 if line == "row" else 2]
        first = kept.setdefault(key, own)
        if np.abs(first - own).max() > _SAME * np.abs(first).max():
            return " of each tile"
    return ""


def _offset_fault(sample: Sample, line: str, found: _Fit) -> Fault:
    if line == "row and column":
        crossed = _is_crossed(sample, found)
        what = (
            "results are off by one number for each row and one for each column"
            if not crossed
            else "a number of each column is added by row, or one of each row by column"
        )
        fix = (
            "Look at a bias or zero point that is indexed by row where it belongs to columns, or"
            " the reverse."
        )
        return Fault("offset", what, fix)
    numbers = found.rows if line == "row" else found.columns
    shown = _examples(sample, numbers, line)
    fix = (
        f"Look for a bias of each {line}, or a zero point's sum, that is left out, added twice, or"
        " indexed wrongly."
    )
    of_tiles = _of_tiles(sample, numbers, line)
    what = f"results are off by one number for each {line}{of_tiles}: got - want is {shown}"
    return Fault("offset", what, fix)


def _is_crossed(sample: Sample, found: _Fit) -> bool:
    """Whether the number of each row is that of the column of its number, with the other sign."""
    rows: dict[int, float] = {}
    columns: dict[int, float] = {}
    if sample.shape[0] > 1:
        return False
    _, m, n = sample.shape
    for number, (_, row, column) in enumerate(sample.tiles.tolist()):
        if row != column or m != n:
            continue
        both = found.rows[number, :, 0] + found.columns[number, 0]
        rows[row] = float(np.ptp(both))
        columns[row] = float(np.abs(found.rows[number]).max())
    usual = middle(np.array(list(columns.values())))
    return bool(rows) and all(each <= _NEAR * max(usual, sample.scale) for each in rows.values())


def _factor_fault(sample: Sample, line: str, found: _Fit, *, of_products: bool) -> Fault:
    whose = "products" if of_products else "results"
    fix = (
        f"Look for a scale of each {line} (of a quantised A or B, of a softmax) that is left out,"
        " used twice, or indexed wrongly."
    )
    if line == "row and column":
        what = f"{whose} are off by a factor of their row times one of their column"
        return Fault("ratio", what, fix)
    numbers = found.rows if line == "row" else found.columns
    shown, of_tiles = _examples(sample, numbers, line), _of_tiles(sample, numbers, line)
    what = f"{whose} are off by one factor for each {line}{of_tiles}: got / want is {shown}"
    return Fault("ratio", what, fix)
