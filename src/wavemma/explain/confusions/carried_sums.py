"""Faults of accumulators that are not cleared: a tile holds the sum of the tile before it too.

Which tile comes before is read off the output; what is carried may hold C or not, and may be all
that came before or the last tile only.
"""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import numpy as np

from wavemma.explain.suspect import Fault, Suspect
from wavemma.explain.tile_sample import Array, Floats, Sample, numbers

Carried = Literal["got", "got without c", "want", "want without c"]
_PROBED = 6
_SAME = 0.95
_TRIED = 4
_WORDS: dict[Carried, str] = {
    "got": "the output of",
    "got without c": "the sum of",
    "want": "what should be the output of",
    "want without c": "what should be the sum of",
}


class _Before(NamedTuple):
    """Which tile comes before one.

    Attributes:
        axis: "right", "down", or the order in which all tiles are counted.
        back: How many tiles before.

    """

    axis: Literal["right", "down", "row by row", "column by column"]
    back: int

    def of(self, rows: Array, columns: Array, grid: tuple[int, int]) -> tuple[Array, Array]:
        """Give row and column of the tiles before some; outside of the grid there is none."""
        if self.axis == "right":
            return rows, columns - self.back
        if self.axis == "down":
            return rows - self.back, columns
        if self.axis == "row by row":
            before = np.divmod(rows * grid[1] + columns - self.back, grid[1])
            return before[0], before[1]
        before = np.divmod(columns * grid[0] + rows - self.back, grid[0])
        return before[1], before[0]

    def __str__(self) -> str:
        tiles = "the tile" if self.back == 1 else f"the tile {self.back}"
        if self.axis in ("right", "down"):
            return f"{tiles} {'left of it' if self.axis == 'right' else 'above it'}"
        return f"{tiles} before it, counting {self.axis},"


def carried_sums(sample: Sample) -> Iterator[Suspect]:
    """Suspect that the accumulator is not cleared between one tile and the next."""
    if sample.shape[0] > 1 or not sample.differing or sample.grid[1] * sample.grid[2] < 2:
        return
    kinds: tuple[Carried, ...] = ("got", "want")
    if sample.c is not None:
        kinds = ("got without c", "got", "want without c", "want")
    made: list[Floats] = []
    for kind in kinds:
        for before in dict.fromkeys(_seen(sample, kind)):
            change = _carried(kind, before)
            found = change(sample)[0]
            # Where one tile alone comes before, all that came before is what that tile made.
            if not any(sample.close(found, each).all() for each in made):
                made.append(found)
                yield Suspect(_fault(kind, before), "whole", change, seen=True)


def _fault(kind: Carried, before: _Before) -> Fault:
    return Fault(
        "k step",
        f"the accumulator is not cleared between tiles: each holds {_WORDS[kind]} {before} too",
        "Set the accumulator to zero, or to C, before the first step of every tile.",
    )


def _arrays(sample: Sample, kind: Carried) -> tuple[Array, Array | None]:
    """Give the whole matrix that is carried, and C if that is not: [batch, M, N] each."""
    given = sample.given
    whole = given.got if kind.startswith("got") else given.want
    c = given.c if kind.endswith("without c") else None
    return _batches(whole), None if c is None else _batches(c)


def _batches(array: Array) -> Array:
    return array.reshape(-1, *array.shape[-2:])


def _held(sample: Sample, kind: Carried, place: tuple[int | slice, ...]) -> Floats:
    """Read what is carried at some places; whole matrices would take too long."""
    whole, c = _arrays(sample, kind)
    found = numbers(whole[place], sample.asked.format)
    return found if c is None else found - numbers(c[place], sample.asked.format)


def _seen(sample: Sample, kind: Carried) -> Iterator[_Before]:
    """Find the tiles whose numbers come on top in the first tiles that differ."""
    rows, columns = sample.grid[1:]
    for number in range(min(_TRIED, len(sample.tiles))):
        _, row, column = map(int, sample.tiles[number])
        for r, c in _alike(sample, number, kind):
            if r == row and c < column:
                yield _Before("right", column - c)
            if c == column and r < row:
                yield _Before("down", row - r)
            steps = (row - r) * columns + column - c
            if steps > 0:
                yield _Before("row by row", steps)
            steps = (column - c) * rows + row - r
            if steps > 0:
                yield _Before("column by column", steps)


def _alike(sample: Sample, number: int, kind: Carried) -> list[tuple[int, int]]:
    """Find the tiles that are what one tile of the sample has too much."""
    _, m, n = sample.shape
    batch = int(sample.tiles[number, 0])
    rows, columns = sample.grid[1:]
    extra = sample.got[number] - sample.want[number]
    alike = np.ones((rows, columns), dtype=np.bool_)
    for element in np.linspace(0, extra.size - 1, _PROBED).astype(int):
        row, column = divmod(int(element), n)
        probes = np.s_[batch, row : rows * m : m, column : columns * n : n]
        alike &= sample.close(_held(sample, kind, probes), extra[element])
    found = []
    for row, column in np.argwhere(alike)[:_TRIED].tolist():
        place = np.s_[batch, row * m : (row + 1) * m, column * n : (column + 1) * n]
        if sample.close(_held(sample, kind, place).ravel(), extra).mean() >= _SAME:
            found.append((row, column))
    return found


def _carried(kind: Carried, before: _Before) -> Callable[[Sample], Floats]:
    def change(sample: Sample) -> Floats:
        _, m, n = sample.shape
        tile_rows, tile_columns = sample.tiles[:, 1], sample.tiles[:, 2]
        rows, columns = before.of(tile_rows, tile_columns, sample.grid[1:])
        places = sample.positions()
        moved = (
            places[0] + ((rows - tile_rows) * m)[:, None],
            places[1] + ((columns - tile_columns) * n)[:, None],
        )
        whole, c = _arrays(sample, kind)
        found = sample.take(whole, *moved)
        if c is not None:
            found = found - sample.take(c, *moved)
        first = (rows < 0) | (columns < 0)
        return (sample.want + np.where(first[:, None], 0.0, found))[None]

    return change
