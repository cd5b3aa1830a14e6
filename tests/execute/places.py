"""Where elements lie in registers, read and written by the test's own arithmetic on bits."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
WORD = 32
# Axes in the order in which any matrix has them: block, row, group and kept element or k, column.
ORDER = "bigsqkj"
AXES = {
    "a": "bik",
    "sparse_a": "bigs",
    "index": "bigs",
    "b": "bkj",
    "c": "bij",
    "d": "bij",
    "scale_a": "iq",
    "scale_b": "qj",
}


class Places(NamedTuple):
    """One operand: the lane and the lowest bit of every element, axes as those of its matrix."""

    lanes: Array
    bits: Array
    width: int
    copies: Sequence[int]

    @property
    def slots_bits(self) -> int:
        """Bits of a lane that elements fill."""
        return int(self.bits.max()) + self.width


def places(
    axes: str,
    lane_bits: Iterable[tuple[str, int]],
    slot_bits: Iterable[tuple[str, int]],
    *,
    width: int,
    stride: int,
    copies: Sequence[int] = (0,),
) -> Places:
    """Turn lists of index bits, low first, into places."""
    lane_bits, slot_bits = list(lane_bits), list(slot_bits)
    every = lane_bits + slot_bits
    sizes = [1 << sum(letter == axis for letter, _ in every) for axis in axes]
    indices = dict(zip(axes, np.indices(sizes), strict=True))
    lanes, slots = (
        sum(((indices[letter] >> n & 1) << place for place, (letter, n) in enumerate(bits)),
            np.zeros(sizes, np.int64))
        for bits in (lane_bits, slot_bits)
    )  # fmt: skip
    return Places(lanes, slots * stride, width, tuple(copies))


def read(
    registers: Array,
    where: Places,
    *,
    offset: int = 0,
    lane_of: Array | None = None,
    copy: int = 0,
) -> Array:
    """Take codes out of registers [waves, register, lane]: uint64 [waves, *matrix].

    Args:
        registers: uint32.
        where: The operand, before anything is moved.
        offset: Bits added to each place.
        lane_of: The lane that each lane's elements are read from.
        copy: Which of the copies of each element.

    """
    lanes = where.lanes + where.copies[copy]
    lanes = lanes if lane_of is None else lane_of[lanes]
    register, shift = np.divmod(where.bits + offset, WORD)
    words = registers.astype(np.uint64)
    code = words[:, register, lanes] >> shift.astype(np.uint64)
    # What runs on into the next register; 64 bits always do.
    on = shift + where.width > WORD
    if on.any():
        following = np.where(on, register + 1, 0)
        upper = words[:, following, lanes] << (WORD - shift).astype(np.uint64)
        code = np.where(on, code | upper, code)
    return code & np.uint64((1 << where.width) - 1)


def write(registers: Array, where: Places, codes: Array, *, offset: int = 0) -> Array:
    """Put codes [waves, *matrix] into a copy of registers, other bits kept."""
    found = registers.copy()
    register, shift = np.divmod(where.bits + offset, WORD)
    for copy in where.copies:
        for start in np.unique(shift):
            here = shift == start
            value = codes[:, here].astype(np.uint64) << np.uint64(start)
            owned = ((1 << where.width) - 1) << int(start)
            for part in range(-(-(int(start) + where.width) // WORD)):
                mask = np.uint32(owned >> (WORD * part) & 0xFFFFFFFF)
                bits = (value >> np.uint64(WORD * part)).astype(np.uint32)
                at = (slice(None), register[here] + part, where.lanes[here] + copy)
                found[at] = found[at] & ~mask | bits & mask
    return found
