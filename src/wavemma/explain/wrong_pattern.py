"""What is striking about wrong elements: one value, or one part of each tile."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from wavemma.explain.claim import in_register
from wavemma.explain.scope import each_tile
from wavemma.explain.suspect import element_table
from wavemma.explain.tile_sample import Sample, Truths, middle
from wavemma.explain.whole_lines import listed, named_lines

_MOST_COVERED = 0.5
_LEAST_WRONG = 0.5
_NOTHING = 2.0**-12
_SMALL = 2.0**-4


def striking(looked: Sample, wrong: Truths) -> tuple[str, ...]:
    """Say where the wrong elements lie, and what all of them hold, if that is one thing.

    Args:
        looked: The sample.
        wrong: Which of its elements are wrong, [tiles, E].

    """
    return (
        *_nothing(looked),
        *_one_value(looked, wrong),
        *_small(looked, wrong),
        *_one_part(looked, wrong),
    )


def _small(looked: Sample, wrong: Truths) -> Iterator[str]:
    """Say that all that is wrong is off by little, as rounding leaves it."""
    off = np.abs(looked.got[wrong] - looked.want[wrong])
    usual = looked.scale
    if off.size < 2 or not usual or not np.isfinite(off).all() or off.max() > _SMALL * usual:
        return
    power = int(np.ceil(np.log2(off.max() / usual)))
    yield (
        f"all that is wrong is off by little, at most 2^{power} of the usual size {usual:.3g}: look"
        " for sums, or numbers of A, B or C, that are kept in fewer bits"
    )


def constant(looked: Sample) -> float | None:
    """Give the value of every element that came, if it is one; None if not."""
    first = looked.got.flat[0]
    same = (looked.got == first) | (np.isnan(looked.got) & np.isnan(first))
    return float(first) if same.all() and looked.got.size > 1 else None


def _nothing(looked: Sample) -> Iterator[str]:
    """Say that all that came is next to nothing, and not one value."""
    if is_blank(looked) and constant(looked) is None:
        yield (
            f"all of got is next to nothing: {np.abs(looked.got).max():.3g} at most, where the"
            f" usual size is {looked.scale:.3g}"
        )


def is_blank(looked: Sample) -> bool:
    """Whether all that came is one value, or next to nothing: no fault is near that."""
    nothing = bool(np.abs(looked.got).max() <= _NOTHING * looked.scale)
    return nothing or constant(looked) is not None


def _one_value(looked: Sample, wrong: Truths) -> Iterator[str]:
    """Say that all that is wrong is one value, or off by one number."""
    got, want = looked.got[wrong], looked.want[wrong]
    if got.size < 2:
        return
    if constant(looked) is not None:
        yield f"got is constant: {got[0]:.7g} in every element looked at"
    elif np.isnan(got).all():
        yield (
            "every wrong value is NaN: from NaN, or elements never set, in A or B, from inf - inf"
            " in a sum, or from memory never written that held NaN"
        )
    elif np.isinf(got).all():
        yield (
            "every wrong value is infinite: a sum or a narrower format of results overflowed, or A,"
            " B or a scale holds an infinity"
        )
    elif (got == got[0]).all():
        yield f"all that is wrong is {got[0]:.7g}"
    elif np.isnan(got).any():
        yield f"{int(np.isnan(got).sum())} of the wrong elements are NaN"
    elif looked.close(want + middle(got - want), got).all():
        yield f"all that is wrong is off by {middle(got - want):.7g}"


def _one_part(looked: Sample, wrong: Truths) -> Iterator[str]:
    """Say that all that is wrong lies in some rows, columns, registers or lanes of each tile."""
    some = wrong.any(axis=1)
    found = wrong.any(axis=0)
    if wrong.sum() < 2:
        return
    for keys, name in _parts(looked):
        inside = np.isin(keys, np.unique(keys[found]))
        many = wrong[some].sum() >= _LEAST_WRONG * inside.sum() * some.sum()
        if inside.mean() <= _MOST_COVERED and many:
            named = name(set(keys[found].tolist()))
            yield f"all that is wrong is in {named} of {each_tile(looked)}"


def _parts(
    looked: Sample,
) -> Iterator[tuple["np.ndarray[tuple[int], np.dtype[np.int64]]", Callable[[Iterable[int]], str]]]:
    """Yield row, column, register and lane of each element, and how those are named."""
    _, m, n = looked.shape
    layout = looked.layout
    every = np.arange(layout.elements_count)
    yield every // n % m, lambda numbers: named_lines("row", numbers)
    yield every % n, lambda numbers: named_lines("column", numbers)
    table = element_table(layout, layout.wave)
    slots, lanes = np.zeros_like(every), np.zeros_like(every)
    slots[table] = np.arange(layout.slots)[:, None]
    lanes[table] = np.arange(layout.wave)[None]
    count = in_register(layout)
    yield slots // count, lambda numbers: _many("register", numbers, "v")
    yield lanes, lambda numbers: _many("lane", numbers, "")


def _many(word: str, numbers: Iterable[int], letter: str) -> str:
    found = set(numbers)
    return f"{word}{'s' if len(found) > 1 else ''} {listed(found, letter)}"
