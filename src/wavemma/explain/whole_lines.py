"""Whole rows and columns of a tile among its elements."""

from collections.abc import Iterable
from typing import Literal

import numpy as np

from wavemma.explain.suspect import NOWHERE, Source

Line = Literal["row", "column"]
_SHOWN = 16


def line_order(source: Source, shape: tuple[int, int, int], line: Line) -> Source | None:
    """Find the order in which a move of elements puts whole rows, or whole columns.

    Args:
        source: For each element of a tile, the one that lands there; NOWHERE if none.
        shape: Blocks, rows and columns of the tile.
        line: "row" or "column".

    Returns:
        For each row (column) the one that lands there; None if the move is not one of whole
        lines, the same in each block, or changes nothing.

    """
    if (source == NOWHERE).any():
        return None
    whole = np.arange(source.size).reshape(shape)
    moved, (_, rows, columns) = source.reshape(shape), shape
    if line == "row":
        found = moved[0, :, 0] // columns % rows
        kept = (moved == whole[:, found]).all()
    else:
        found = moved[0, 0] % columns
        kept = (moved == whole[:, :, found]).all()
    changes = (found != np.arange(len(found))).any()
    return found if kept and changes and len(set(found.tolist())) == len(found) else None


def whole_lines(elements: set[int], shape: tuple[int, int, int], line: Line) -> set[int]:
    """Find the rows, or columns, that some elements of a tile are.

    Args:
        elements: Numbers of elements.
        shape: Blocks, rows and columns of the tile.
        line: "row" or "column".

    Returns:
        The lines; none if the elements are not whole lines, the same in each block.

    """
    inside = np.isin(np.arange(np.prod(shape)), list(elements)).reshape(shape)
    axes = (0, 2) if line == "row" else (0, 1)
    every, some = inside.all(axis=axes), inside.any(axis=axes)
    if (every != some).any() or every.all():
        return set()
    return set(map(int, np.flatnonzero(every)))


def listed(numbers: Iterable[int], letter: str = "") -> str:
    """List numbers, each behind a letter, runs of more than two as first..last."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = [
        f"{letter}{run[0]}..{letter}{run[-1]}"
        if len(run) > 2
        else ", ".join(f"{letter}{number}" for number in run)
        for run in runs
    ]
    return ", ".join(texts)


def listed_order(order: Source) -> str:
    """List an order of rows or columns, the first of many."""
    shown = ", ".join(map(str, order[:_SHOWN]))
    return f"{shown}, ..." if len(order) > _SHOWN else shown


def named_lines(line: Line, numbers: Iterable[int]) -> str:
    """Name some rows or columns: "row 3", "rows 3, 7"."""
    found = set(numbers)
    return f"{line}{'s' if len(found) > 1 else ''} {listed(found)}"
