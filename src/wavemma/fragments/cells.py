"""Where the elements of a fragment lie in a flat array of its registers.

Registers are seen as cells: numbers as wide as an element, or 32-bit halves of a 64-bit one.
One indexed copy then moves a whole matrix. Elements of 6 bits run over the borders of
registers; they are moved in groups, each with its own shift.
"""

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavemma.fragments.fragment import Fragment
from wavemma.layouts.arrays import places
from wavemma.layouts.layout import REGISTER_BITS

Positions = npt.NDArray[np.intp]
Matrix = npt.NDArray[np.unsignedinteger]

BYTE_BITS = 8


class Cells(NamedTuple):
    """How a matrix lies in the cells of its registers.

    Attributes:
        bits: Bits of a cell.
        read: The cell of each piece of the elements, intp [copies, pieces].
        write: The piece that goes to each cell, intp [cells]; 0 where none does.
        unused: The cells to which none goes.

    """

    bits: int
    read: Positions
    write: Positions
    unused: Positions


class Group(NamedTuple):
    """Elements that start at one bit of different registers, no two in the same register.

    Attributes:
        elements: Their numbers, [n].
        words: Their registers in the flat array, [copies, n].
        shift: The bit at which they start.
        spill: How far on in the flat array the next register lies if they run into it, or 0.

    """

    elements: Positions
    words: Positions
    shift: int
    spill: int


def has_cells(fragment: Fragment) -> bool:
    """Say whether no element runs over the border of a register, except for whole registers."""
    wide, narrow = max(fragment.bits, REGISTER_BITS), min(fragment.bits, REGISTER_BITS)
    return wide % narrow == 0


@functools.lru_cache(maxsize=4096)
def cells(fragment: Fragment) -> Cells:
    """Find the cells of a fragment that has them."""
    bits = min(fragment.bits, REGISTER_BITS)
    starts, words = _starts(fragment)
    per_register = REGISTER_BITS // bits
    first = words * per_register + starts % REGISTER_BITS // bits
    pieces = np.arange(fragment.bits // bits) * fragment.lanes
    read = (first[..., None] + pieces).reshape(len(first), -1)
    write = np.full(fragment.registers * fragment.lanes * per_register, -1, dtype=np.intp)
    write[read] = np.arange(read.shape[1])
    (unused,) = np.nonzero(write < 0)
    return Cells(bits, read, np.maximum(write, 0), unused)


@functools.lru_cache(maxsize=4096)
def groups(fragment: Fragment) -> tuple[Group, ...]:
    """Sort the elements into groups that one shift serves."""
    starts, words = _starts(fragment)
    shifts = starts % REGISTER_BITS
    found = []
    for shift in np.unique(shifts):
        (chosen,) = np.nonzero(shifts == shift)
        spill = fragment.lanes if shift + fragment.bits > REGISTER_BITS else 0
        found.append(Group(chosen, words[:, chosen], int(shift), spill))
    return tuple(found)


def flat(registers: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """See registers [..., register, lane] as [..., register * lanes + lane]."""
    *batch, count, lanes = registers.shape
    return registers.reshape(*batch, count * lanes)


def to_cells(words: npt.NDArray[np.uint32], bits: int) -> Matrix:
    """See flat registers [..., n] as cells [..., n * 32 / bits], low bits first."""
    if bits >= BYTE_BITS:
        return np.ascontiguousarray(words).view(f"<u{bits // BYTE_BITS}")
    octets = np.ascontiguousarray(words).view(np.uint8)
    ones, count = np.uint8((1 << bits) - 1), BYTE_BITS // bits
    found = np.empty((*octets.shape[:-1], octets.shape[-1] * count), dtype=np.uint8)
    for number in range(count):
        found[..., number::count] = octets >> np.uint8(number * bits) & ones
    return found


def from_cells(given: Matrix, bits: int) -> npt.NDArray[np.uint32]:
    """Put cells [..., n * 32 / bits] together to flat registers [..., n]."""
    octets, count = given, max(BYTE_BITS // bits, 1)
    if count > 1:
        octets = given[..., ::count].copy()
        for number in range(1, count):
            octets |= given[..., number::count] << np.uint8(number * bits)
    words: npt.NDArray[np.uint32] = octets.view("<u4")
    return words


def _starts(fragment: Fragment) -> tuple[Positions, Positions]:
    """Give the first bit of each element in its lane, and its registers in the flat array."""
    layout = fragment.layout
    lanes, slots = places(layout)
    starts = layout.offset_bits + slots * layout.stride_bits
    return starts, starts // REGISTER_BITS * fragment.lanes + lanes
