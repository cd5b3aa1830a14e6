"""Which tiles of an output a fault concerns: all of them, or those that differ only."""

from typing import Literal

import numpy as np

from wavemma.explain.tile_sample import Sample
from wavemma.explain.whole_lines import Line, listed, named_lines

# Which axis of the grid a line of tiles is counted along, and which one it runs along.
_AXES: dict[Line, tuple[Literal[1, 2], Literal[1, 2]]] = {"row": (1, 2), "column": (2, 1)}


def tiles_count(sample: Sample) -> int:
    """Count the tiles of the whole output."""
    return int(np.prod(sample.grid))


def each_tile(sample: Sample) -> str:
    """Name the tiles that a fault concerns: "each tile", or how many of how many, and where."""
    total = tiles_count(sample)
    if sample.differing in (0, total):
        return "each tile"
    if sample.differing == 1:
        _, row, column = map(int, sample.tiles[0])
        return f"one of {total} tiles (tile row {row}, tile column {column})"
    where = ""
    for line, (axis, _) in _AXES.items():
        lines = set(map(int, np.unique(sample.tiles[:, axis])))
        if len(lines) == 1 < sample.grid[axis]:
            where = f", all in tile {named_lines(line, lines)}"
    return f"each of the {sample.differing} of {total} tiles that differ{where}"


def crossed(sample: Sample, line: Line) -> tuple[int, ...]:
    """List the lines of tiles that differ from end to end, if nothing else does and not all do.

    That is what one row of A, or one column of B, makes of D: it enters every tile of its line.
    """
    axis, along = _AXES[line]
    lines = np.unique(sample.tiles[:, axis])
    whole = len(lines) * sample.grid[along] * sample.grid[0] == sample.differing
    some = len(lines) < sample.grid[axis] and sample.grid[along] > 1
    return tuple(map(int, lines)) if whole and some else ()


def lines_of_whole(sample: Sample, line: Line, lines: set[int]) -> str:
    """Name rows or columns of the whole matrix, given those of each tile of `crossed`."""
    size = sample.shape[_AXES[line][0]]
    every = {number * size + each for number in crossed(sample, line) for each in lines}
    return f"{line}{'s' if len(every) > 1 else ''} {listed(every)}"
