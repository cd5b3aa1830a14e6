"""A Layout as NumPy arrays: all places of all elements, and all elements of all places."""

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavemma.layouts.layout import Layout

IntArray = npt.NDArray[np.int64]


class Places(NamedTuple):
    """The places of all elements.

    Attributes:
        lanes: int64 [copies, elements], the lane of each copy.
        slots: int64 [elements].

    """

    lanes: IntArray
    slots: IntArray


@functools.lru_cache(maxsize=4096)
def places(layout: Layout) -> Places:
    """List the places of all elements, in the order of the matrix's axes, the last one fastest.

    The arrays are shared between calls and cannot be written.
    """
    indices = _indices(layout)
    if layout.block_sources:
        indices["b"] = np.asarray(layout.block_sources, dtype=np.int64)[indices["b"]]
    lane, slot = (
        sum(
            ((indices[index] >> position & 1) << target for target, (index, position) in bits),
            np.zeros(layout.elements_count, dtype=np.int64),
        )
        for bits in (enumerate(layout.lane_bits), enumerate(layout.slot_bits))
    )
    lanes = lane + np.asarray(layout.copies, dtype=np.int64)[:, None]
    if layout.lane_sources:
        lanes = np.asarray(layout.lane_sources, dtype=np.int64)[lanes]
    return Places(_frozen(lanes), _frozen(slot))


@functools.lru_cache(maxsize=4096)
def elements(layout: Layout) -> IntArray:
    """List the number of the element at each place; -1 where nothing lies.

    Returns:
        int64 [slots, wave]. Where several elements share a place, the first one's number.
        Numbers count along the matrix's axes, the last one fastest. The array is shared
        between calls and cannot be written.

    """
    lanes, slots = places(layout)
    numbers = np.full((layout.slots, layout.wave), -1, dtype=np.int64)
    order = np.arange(layout.elements_count)[::-1]
    for lane in lanes:
        numbers[slots[order], lane[order]] = order
    return _frozen(numbers)


def _indices(layout: Layout) -> dict[str, IntArray]:
    """List each index of all elements in order."""
    grids = np.indices([size for _, size in layout.extents], dtype=np.int64)
    return {index: grid.ravel() for (index, _), grid in zip(layout.extents, grids, strict=True)}


def _frozen(array: IntArray) -> IntArray:
    """Forbid writing to an array that callers share."""
    array.flags.writeable = False
    return array
