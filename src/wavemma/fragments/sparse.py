"""Sparse A: two kept elements of each group of four along k, and where they stood.

The matrix of kept elements and the matrix of their positions have the same shape [..., M, K/2]:
elements 2*g and 2*g + 1 of a row belong to group g, which is k = 4*g .. 4*g + 3. Hardware takes
the first position of a group to be below the second.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake
from wavemma.fragments.cells import Matrix
from wavemma.layouts import GROUP, KEPT

_POSITIONS = np.arange(GROUP, dtype=np.uint8)
# Sorting takes sixteen times the memory of the narrowest elements: a part at a time does.
_GROUPS_AT_ONCE = 1 << 15


class Compressed(NamedTuple):
    """A sparse matrix as hardware takes it.

    Attributes:
        kept: The bits of the kept elements, [..., M, K/2], type as given.
        positions: uint8 [..., M, K/2], 0..3: where each stood in its group.

    """

    kept: Matrix
    positions: npt.NDArray[np.uint8]


def compress(dense: Matrix, negative_zero: int | None = None) -> Compressed:
    """Keep two elements of each four along the last axis.

    All elements that are not zero are kept. Where a group has fewer than two, zeros fill up,
    the lowest positions first, so that each group's positions ascend.

    Args:
        dense: Bits of the elements, unsigned integers [..., M, K], K a multiple of 4.
        negative_zero: Bits of a second zero. It is kept only where nothing else needs the room.

    Raises:
        ArrayMistake: A group has more than two elements that are not zero.

    """
    if dense.dtype.kind != "u" or dense.ndim < 2 or dense.shape[-1] % GROUP:
        raise ArrayMistake(
            f"The dense matrix must be unsigned integers [..., M, K] with K a multiple of {GROUP};"
            f" given {dense.dtype} {list(dense.shape)}.",
            subject=dense.shape,
        )
    places = (*dense.shape[:-1], dense.shape[-1] // GROUP)
    groups = dense.reshape(-1, GROUP)
    kept = np.empty((len(groups), KEPT), dtype=dense.dtype)
    positions = np.empty((len(groups), KEPT), dtype=np.uint8)
    crowded: list[int] = []
    for first in range(0, len(groups), _GROUPS_AT_ONCE):
        part = slice(first, first + _GROUPS_AT_ONCE)
        urgency = _urgency(groups[part], negative_zero)
        crowded += (first + np.flatnonzero((urgency == 0).sum(axis=-1) > KEPT)).tolist()
        chosen = np.sort(np.argsort(urgency, axis=-1, kind="stable")[..., :KEPT], axis=-1)
        kept[part], positions[part] = np.take_along_axis(groups[part], chosen, axis=-1), chosen
    if crowded:
        _refuse_crowded(groups[crowded[0]], crowded, places)
    shape = (*dense.shape[:-1], dense.shape[-1] // GROUP * KEPT)
    return Compressed(kept.reshape(shape), positions.reshape(shape))


def _urgency(groups: Matrix, negative_zero: int | None) -> npt.NDArray[np.int8]:
    """Rank elements: 0 what must be kept, 1 negative zeros, 2 zeros."""
    urgency = np.where(groups == 0, np.int8(2), np.int8(0))
    if negative_zero is None:
        return urgency
    return np.where(groups == negative_zero, np.int8(1), urgency)


def expand(kept: Matrix, positions: npt.NDArray[np.uint8]) -> Matrix:
    """Put kept elements back where they stood, zeros elsewhere.

    Args:
        kept: Bits of the kept elements, [..., M, K/2].
        positions: 0..3, same shape, ascending in each group.

    Returns:
        The dense matrix [..., M, K], type as that of the kept elements.

    Raises:
        ArrayMistake: Shapes differ, or the positions of a group do not ascend.

    """
    if kept.shape != positions.shape:
        raise ArrayMistake(
            f"Kept elements and positions must have one shape; given {list(kept.shape)} and"
            f" {list(positions.shape)}.",
            subject=positions.shape,
        )
    wrong = illegal_group(positions)
    if wrong is not None:
        pair = positions.reshape(*positions.shape[:-1], -1, KEPT)[wrong].tolist()
        raise ArrayMistake(
            f"The positions of a group must ascend within 0..{GROUP - 1}; those of"
            f" {_where(wrong)} are {pair}.",
            subject=pair,
        )
    dense = np.zeros((*kept.shape[:-1], kept.shape[-1] // KEPT * GROUP), dtype=kept.dtype)
    np.put_along_axis(dense, kept_k(positions), kept, axis=-1)
    return dense


def kept_k(positions: npt.NDArray[np.uint8]) -> npt.NDArray[np.intp]:
    """Give the k of each kept element, [..., M, K/2]: which row of B it is multiplied with.

    Positions need not be legal: like hardware, each is taken for itself.
    """
    groups = np.arange(positions.shape[-1]) // KEPT
    return groups * GROUP + positions


def illegal_group(positions: npt.NDArray[np.uint8]) -> tuple[int, ...] | None:
    """Find the first group whose positions do not ascend within 0..3.

    Returns:
        (..., row, group), or None if all are legal.

    """
    pairs = positions.reshape(*positions.shape[:-1], positions.shape[-1] // KEPT, KEPT)
    wrong = np.argwhere((pairs[..., 0] >= pairs[..., 1]) | (pairs[..., 1] >= GROUP))
    return tuple(wrong[0].tolist()) if len(wrong) else None


def _refuse_crowded(group: Matrix, crowded: list[int], places: tuple[int, ...]) -> None:
    """Refuse groups with more elements to keep than there is room."""
    first = tuple(int(each) for each in np.unravel_index(crowded[0], places))
    values = ", ".join(f"{value:#x}" for value in group.tolist())
    raise ArrayMistake(
        f"A group of {GROUP} along k may have {KEPT} elements that are not zero;"
        f" {_where(first)} has [{values}]. {len(crowded)} groups have too many.",
        subject=first,
    )


def _where(group: tuple[int, ...]) -> str:
    """Name a group by batch, row and k."""
    *batch, row, number = group
    before = f"matrix {batch}, " if batch else ""
    return f"{before}row {row}, k {number * GROUP}..{number * GROUP + GROUP - 1}"
