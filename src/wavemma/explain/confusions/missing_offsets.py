"""Faults of a tile's place: A, B, C or D is that of the first tile, as its offset is forgotten."""

from collections.abc import Callable, Iterator

import numpy as np

from wavemma.explain.suspect import Fault, Suspect, needed
from wavemma.explain.tile_sample import Array, Floats, Sample, numbers

_MOST = 16
# What of the tile's place is left out: its row, its column, or both.
_Axes = tuple[bool, bool]
_WORDS: dict[_Axes, str] = {
    (True, False): "row",
    (False, True): "column",
    (True, True): "row and column",
}


def missing_offsets(sample: Sample) -> Iterator[Suspect]:
    """Suspect that the row or column of the tile is not in an address."""
    blocks = sample.shape[0]
    rows, columns = (count > 1 for count in sample.grid[1:])
    if blocks > 1 or not (rows or columns):
        return
    plain = sample.factors is not None and not sample.asked.instruction.is_scaled
    if rows and plain:
        what = "every tile uses the rows of A of the first row of tiles"
        yield Suspect(_fault(what, "A", "row"), "a", _first_rows, everywhere=True)
    if columns and plain:
        what = "every tile uses the columns of B of the first column of tiles"
        yield Suspect(_fault(what, "B", "column"), "b", _first_columns, everywhere=True)
    for axes, word in _WORDS.items():
        if (axes[0] and not rows) or (axes[1] and not columns):
            continue
        if sample.c is not None:
            what = f"C is loaded without the {word} of the tile"
            yield Suspect(_fault(what, "C", word), "start", _start(axes), everywhere=True)
        what = f"tiles are stored without the {word} of the tile: over one another"
        yield Suspect(_fault(what, "D", word), "whole", _piled(axes))


def _fault(what: str, letter: str, word: str) -> Fault:
    return Fault("tile order", what, f"Add the {word} of the tile to the address of {letter}.")


def _first_rows(sample: Sample) -> Floats:
    m, whole = sample.shape[1], np.asarray(sample.given.a)
    whole = whole.reshape(-1, *whole.shape[-2:])
    made = np.stack([whole[tile[0] % len(whole), :m] for tile in sample.tiles])
    return _numbers(sample, made, "a")


def _first_columns(sample: Sample) -> Floats:
    n, whole = sample.shape[2], np.asarray(sample.given.b)
    whole = whole.reshape(-1, *whole.shape[-2:])
    made = np.stack([whole[tile[0] % len(whole), :, :n] for tile in sample.tiles])
    return _numbers(sample, made, "b")


def _numbers(sample: Sample, made: Array, side: str) -> Floats:
    """Give strips as numbers, with zeros up to a whole step as those of the sample have them."""
    own = getattr(needed(sample), side)
    found = np.zeros((len(made), *own.shape[1:]))
    cut = numbers(made, sample.asked.instruction.formats[side][0])[:, None]
    found[:, :, : cut.shape[2], : cut.shape[3]] = cut
    return found


def _start(axes: _Axes) -> Callable[[Sample], Floats]:
    def start(sample: Sample) -> Floats:
        rows, columns = _without(sample, axes)
        return sample.take(np.asarray(sample.given.c), rows, columns)

    return start


def _without(sample: Sample, axes: _Axes) -> tuple[Array, Array]:
    """Give row and column of every element, without what is left out of its tile's place."""
    _, m, n = sample.shape
    rows, columns = sample.positions()
    return (rows % m if axes[0] else rows), (columns % n if axes[1] else columns)


def _piled(axes: _Axes) -> Callable[[Sample], Floats]:
    """Let the first tiles hold any of those that are stored there, the others nothing."""

    def change(sample: Sample) -> Floats:
        _, m, n = sample.shape
        rows, columns = _without(sample, axes)
        inside = np.ones(rows.shape, np.bool_)
        for axis, left_out in enumerate(axes):
            if left_out:
                inside &= sample.tiles[:, axis + 1 : axis + 2] == 0
        counts = [count if out else 1 for count, out in zip(sample.grid[1:], axes, strict=True)]
        # Those that are right show nothing; the last ones are stored last, most often.
        every = [divmod(number, counts[1]) for number in range(1, counts[0] * counts[1])]
        want = sample.given.want
        found = [sample.take(want, rows + r * m, columns + c * n) for r, c in every[-_MOST:]]
        return np.stack([np.where(inside, each, np.nan) for each in found])

    return change
