"""Registers to matrix."""

from typing import NamedTuple

import numpy as np

from wavemma.fragments.cells import Matrix, cells, flat, groups, has_cells, to_cells
from wavemma.fragments.fragment import Fragment
from wavemma.fragments.registers import Registers, check_registers
from wavemma.layouts import Place
from wavemma.layouts.layout import REGISTER_BITS


class Disagreement(NamedTuple):
    """Two copies of an element that differ.

    Attributes:
        batch: The batch index of the registers.
        element: Indices of the element by letter.
        places: Both places, that of the first copy first.
        values: The bits at both places.

    """

    batch: tuple[int, ...]
    element: dict[str, int]
    places: tuple[Place, Place]
    values: tuple[int, int]


def unpack(registers: Registers, fragment: Fragment, copy: int = 0) -> Matrix:
    """Read the bits of a matrix from registers, as the instruction does: moves included.

    Args:
        registers: uint32 [..., fragment.registers, fragment.lanes].
        fragment: The operand.
        copy: Which copy of each element, where there are several; `disagreement` compares them.

    Returns:
        New fragment.dtype [..., *fragment.matrix_shape], the bits of one element each.

    Raises:
        ArrayMistake: Wrong type or shape.

    """
    check_registers(registers, fragment.registers, fragment.lanes)
    read = _read(registers, fragment, copy)
    return read.reshape(*registers.shape[:-2], *fragment.matrix_shape)


def disagreement(registers: Registers, fragment: Fragment) -> Disagreement | None:
    """Find the first element whose copies do not hold the same bits; None if all agree.

    Hardware reads all copies, so a kernel must load each.

    Args:
        registers: uint32 [..., fragment.registers, fragment.lanes].
        fragment: The operand.

    Raises:
        ArrayMistake: Wrong type or shape.

    """
    check_registers(registers, fragment.registers, fragment.lanes)
    copies = range(len(fragment.layout.copies))
    values = np.stack([_read(registers, fragment, copy) for copy in copies])
    wrong = np.argwhere(np.moveaxis(values != values[0], 0, -1))
    if not len(wrong):
        return None
    *batch, number, copy = wrong[0].tolist()
    sizes = fragment.layout.size
    indices = np.unravel_index(number, tuple(sizes.values()))
    element = {letter: int(index) for letter, index in zip(sizes, indices, strict=True)}
    places = fragment.layout.place(**element)
    first, other = (int(values[(each, *batch, number)]) for each in (0, copy))
    return Disagreement(tuple(batch), element, (places[0], places[copy]), (first, other))


def _read(registers: Registers, fragment: Fragment, copy: int) -> Matrix:
    """Read one copy of all elements, [..., elements]."""
    if not has_cells(fragment):
        return _shift_out(registers, fragment, copy)
    bits, read, _, _ = cells(fragment)
    found: Matrix = to_cells(flat(registers), bits).take(read[copy], axis=-1)
    return found.view("<u8") if fragment.bits > REGISTER_BITS else found


def _shift_out(registers: Registers, fragment: Fragment, copy: int) -> Matrix:
    """Read elements that share or span registers, one group after the other."""
    words = flat(registers)
    found = np.empty((*words.shape[:-1], fragment.layout.elements_count), dtype=fragment.dtype)
    ones = np.uint64((1 << fragment.bits) - 1)
    for group in groups(fragment):
        value = words[..., group.words[copy]].astype(np.uint64)
        if group.spill:
            upper = words[..., group.words[copy] + group.spill].astype(np.uint64)
            value |= upper << np.uint64(REGISTER_BITS)
        found[..., group.elements] = (value >> np.uint64(group.shift)) & ones
    return found
