"""The edges of an output that fill no whole tile, held against what was wanted one by one."""

from typing import NamedTuple

import msgspec
import numpy as np

from wavemma.explain.tile_sample import Array, Floats, Sample, Truths, numbers
from wavemma.explain.whole_lines import Line, named_lines


class Edge(msgspec.Struct, frozen=True):
    """Elements outside of every whole tile.

    Attributes:
        count: How many there are.
        wrong: How many of them are wrong.
        places: Where those lie: rows below the last whole tile, columns right of it.
        value: What all wrong ones hold, if it is one number.

    """

    count: int
    wrong: int
    places: tuple[str, ...]
    value: float | None


class _Strip(NamedTuple):
    """One edge: below or right of the whole tiles, or the corner that belongs to both."""

    wrong: Truths
    got: Floats
    first_row: int
    first_column: int

    def lines(self, line: Line) -> set[int]:
        """List the rows or columns of the whole that have something wrong."""
        axis, first = (-2, self.first_row) if line == "row" else (-1, self.first_column)
        return {first + int(each) for each in np.nonzero(self.wrong)[axis]}


def edge(looked: Sample) -> Edge | None:
    """Compare the elements outside of every whole tile; None if there are none."""
    _, m, n = looked.shape
    rows, columns = looked.given.want.shape[-2:]
    if rows % m == 0 and columns % n == 0:
        return None
    last_row, last_column = rows // m * m, columns // n * n
    below = _strip(looked, (last_row, rows), (0, last_column))
    right = _strip(looked, (0, last_row), (last_column, columns))
    corner = _strip(looked, (last_row, rows), (last_column, columns))
    strips = (below, right, corner)
    wrong = np.concatenate([each.got[each.wrong] for each in strips])
    # The corner belongs to the edge that is wrong beside it.
    of_right = right.wrong.any() and not below.wrong.any()
    in_rows = below.lines("row") | (set() if of_right else corner.lines("row"))
    in_columns = right.lines("column") | (corner.lines("column") if of_right else set())
    places = [f"{named_lines('row', in_rows)} of the last tile row"] if in_rows else []
    if in_columns:
        places.append(f"{named_lines('column', in_columns)} of the last tile column")
    return Edge(
        sum(each.wrong.size for each in strips), int(wrong.size), tuple(places), _one_value(wrong)
    )


def _strip(looked: Sample, rows: tuple[int, int], columns: tuple[int, int]) -> _Strip:
    want, got = (
        _cut(looked, each, rows, columns) for each in (looked.given.want, looked.given.got)
    )
    return _Strip(~looked.close(want, got), got, rows[0], columns[0])


def _cut(looked: Sample, array: Array, rows: tuple[int, int], columns: tuple[int, int]) -> Floats:
    return numbers(array[..., slice(*rows), slice(*columns)], looked.asked.format)


def _one_value(wrong: Floats) -> float | None:
    if wrong.size < 2:
        return None
    same = (wrong == wrong[0]) | (np.isnan(wrong) & np.isnan(wrong[0]))
    return float(wrong[0]) if same.all() else None
