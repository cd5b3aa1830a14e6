"""Faults of some tiles, or some rows and columns, that took A or B of the step before or after.

So a race leaves them: which tiles and steps are stale is read off the output. Each stale step is
one unknown that must be 0 or 1, beside far more elements, so that no other output gives them.
"""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from wavemma.explain.scope import each_tile
from wavemma.explain.suspect import Fault, Suspect, multiplied, needed
from wavemma.explain.tile_sample import Floats, Sample, Truths

_MOST_STEPS = 24
_LEAST_STEPS = 2
# Elements that there must be for each unknown.
_ELEMENTS = 3
_WHOLE = 0.02
_OFTEN = 0.95
_SHOWN = 3
Split = Literal["tile", "8 rows", "8 columns", "row", "column"]
Sides = Literal["a", "b", "ab"]
# What is stale in a part: both of them only in whole tiles, as rows of A alone fill no step of B.
_BY: dict[Split, tuple[Sides, ...]] = {
    "tile": ("a", "b", "ab"),
    "8 rows": ("a",),
    "8 columns": ("b",),
    "row": ("a",),
    "column": ("b",),
}
_LINES = 8
_Any = TypeVar("_Any", bound=np.generic)


class _Change(NamedTuple):
    """One step of A, of B, or of both that is another."""

    sides: Sides
    step: int
    taken: int

    @property
    def letters(self) -> str:
        """The matrices by name."""
        return " and ".join(self.sides.upper())


def stale_steps(sample: Sample) -> Iterator[Suspect]:
    """Suspect that parts of the output took A or B of a neighbouring step, here and there."""
    found = sample.factors
    if found is None or not sample.differing or sample.shape[0] > 1:
        return
    count = -(-found.a.shape[-1] // sample.depth)
    if not _LEAST_STEPS <= count <= _MOST_STEPS:
        return
    for split in _BY:
        made, taken = _solved(sample, split)
        wrong = ~sample.close(sample.want, sample.got)
        if taken and sample.close(made, sample.got)[wrong].mean() >= _OFTEN:
            yield Suspect(_fault(sample, split, taken), "whole", _made(split), seen=True)
            return


def _changes(sample: Sample, sides: Sides, *, ahead: bool) -> list[_Change]:
    """List the steps that may be stale, or taken from the step ahead."""
    count = -(-needed(sample).a.shape[-1] // sample.depth)
    return [
        _Change(sides, step, step + by)
        for step in range(count)
        for by in ((-1, 1) if ahead else (-1,))
        if 0 <= step + by < count
    ]


def _terms(sample: Sample, changes: list[_Change]) -> Floats:
    """Give what each change adds to the output, [changes, tiles, M, N]."""
    found, depth = needed(sample), sample.depth
    short = -found.a.shape[-1] % depth
    a = np.pad(found.scaled_a, [(0, 0)] * 3 + [(0, short)])
    b = np.pad(found.scaled_b, [(0, 0)] * 2 + [(0, short), (0, 0)])

    def product(left: int, right: int) -> Floats:
        return multiplied(
            a[..., left * depth : (left + 1) * depth],
            b[..., right * depth : (right + 1) * depth, :],
        )

    terms = [
        product(
            each.taken if "a" in each.sides else each.step,
            each.taken if "b" in each.sides else each.step,
        )
        - product(each.step, each.step)
        for each in changes
    ]
    return np.stack(terms).reshape(len(changes), -1, *sample.shape[1:])


def _solved(sample: Sample, split: Split) -> tuple[Floats, list[tuple[int, _Change]]]:
    """Find the stale steps of each part that is wrong, and what they make of the output.

    Returns:
        The output, and every stale step by tile of the sample; nothing where parts have too few
        elements.

    """
    made = sample.want.reshape(-1, *sample.shape[1:]).copy()
    came = sample.got.reshape(made.shape)
    wrong = ~sample.close(sample.want, sample.got).reshape(made.shape)
    taken: list[tuple[int, _Change]] = []
    for sides in _BY[split]:
        # A line has few elements, and a step of both that is ahead looks like one behind.
        ahead = split not in ("row", "column") and sides != "ab"
        changes = _changes(sample, sides, ahead=ahead)
        if _part(came, split, 0, 0).size < _ELEMENTS * len(changes):
            continue
        terms = _terms(sample, changes)
        for tile, part in _parts(wrong, split):
            own, seen = (_part(each, split, tile, part) for each in (made, came))
            columns = np.stack([_part(each, split, tile, part).ravel() for each in terms], axis=1)
            stale = _whole(columns, (seen - own).ravel())
            if stale is None:
                continue
            own += (columns @ stale).reshape(own.shape)
            _part(wrong, split, tile, part)[...] = False
            taken += [(tile, changes[place]) for place in np.flatnonzero(stale).tolist()]
    return made.reshape(sample.want.shape), taken


def _parts(wrong: Truths, split: Split) -> list[tuple[int, int]]:
    """List the parts that have a wrong element, by tile and number."""
    if split == "tile":
        return [(int(tile), 0) for tile in np.flatnonzero(wrong.any(axis=(1, 2)))]
    found = np.argwhere(wrong.any(axis=2 if "row" in split else 1))
    lines = _LINES if split.startswith("8") else 1
    return list(dict.fromkeys((int(tile), int(line) // lines) for tile, line in found))


def _part(array: npt.NDArray[_Any], split: Split, tile: int, part: int) -> npt.NDArray[_Any]:
    """Give the elements of a tile, or of some of its rows or columns."""
    if split == "tile":
        return array[tile, :, :]
    lines = _LINES if split.startswith("8") else 1
    cut = slice(part * lines, (part + 1) * lines)
    return array[tile, cut, :] if "row" in split else array[tile, :, cut]


def _whole(columns: Floats, off: Floats) -> Floats | None:
    """Solve for zeros and ones; None where others come."""
    if not np.isfinite(off).all() or not np.isfinite(columns).all():
        return None
    found, _, rank, _ = np.linalg.lstsq(columns, off, rcond=None)
    near = np.rint(found)
    if rank < columns.shape[1] or np.abs(found - near).max() > _WHOLE:
        return None
    return near if ((near == 0) | (near == 1)).all() and near.any() else None


def _made(split: Split) -> Callable[[Sample], Floats]:
    return lambda sample: _solved(sample, split)[0][None]


def _fault(sample: Sample, split: Split, taken: list[tuple[int, _Change]]) -> Fault:
    letters = " and ".join(sorted(set("".join(each.sides for _, each in taken).upper())))
    ways = {each.taken < each.step for _, each in taken}
    when = "before" if ways == {True} else "after" if ways == {False} else "before or after"
    verb = "are" if " " in letters else "is"
    where = "" if split == "tile" else f" in some {'rows' if 'row' in split else 'columns'}"
    examples = list(dict.fromkeys(_example(sample, tile, each) for tile, each in taken))
    shown = "; ".join(examples[:_SHOWN]) + ("; ..." if len(examples) > _SHOWN else "")
    what = (
        f"{letters} of the step {when} {verb} taken here and there{where}, as in a race: in"
        f" {each_tile(sample)} ({shown})"
    )
    fix = (
        "Look for a barrier (__syncthreads) or a wait that is missing between writing and reading"
        f" {letters} in shared memory, before the loop's next step overwrites it."
    )
    return Fault("race", what, fix)


def _example(sample: Sample, tile: int, each: _Change) -> str:
    _, row, column = map(int, sample.tiles[tile])
    return (
        f"tile row {row}, column {column}: step {each.step + 1} took {each.letters} of step"
        f" {each.taken + 1}"
    )
