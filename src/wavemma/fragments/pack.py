"""Matrix to registers."""

import math

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake, Unsupported
from wavemma.fragments.cells import Matrix, cells, flat, from_cells, groups, has_cells, to_cells
from wavemma.fragments.fragment import Fragment
from wavemma.fragments.registers import Registers, check_registers, empty_registers
from wavemma.layouts.layout import REGISTER_BITS


def pack(matrix: Matrix, fragment: Fragment, into: Registers | None = None) -> Registers:
    """Put the bits of a matrix into registers, every copy of every element.

    Args:
        matrix: Unsigned integers [..., *fragment.matrix_shape], the bits of one element each.
        fragment: The operand; modifiers that let elements share places are not possible.
        into: Registers whose other bits are kept, [..., register, lane]; zeros if None.

    Returns:
        New uint32 [..., fragment.registers, fragment.lanes], batch axes as those of the matrix.

    Raises:
        ArrayMistake: Wrong type or shape, or bits above the width of an element.
        Unsupported: The fragment's lanes or blocks are moved.

    """
    matrix = check_matrix(matrix, fragment)
    if fragment.layout.has_moves:
        raise Unsupported(
            "A matrix cannot be packed where modifiers let elements share places.",
            hint="Pack without the modifier; the instruction reads the moved operand from it.",
        )
    batch = matrix.shape[: matrix.ndim - len(fragment.matrix_shape)]
    elements = matrix.reshape(*batch, math.prod(fragment.matrix_shape))
    if has_cells(fragment):
        words = _copy_in(elements, fragment, into)
    else:
        words = flat(_start(fragment, batch, into))
        _shift_in(words, elements, fragment)
    return words.reshape(*batch, fragment.registers, fragment.lanes)


def check_matrix(matrix: Matrix, fragment: Fragment) -> Matrix:
    """Refuse an array that is not the bits of the fragment's matrix.

    Raises:
        ArrayMistake: Type, shape or a value is wrong.

    """
    shape = fragment.matrix_shape
    if matrix.dtype.kind != "u" or matrix.shape[matrix.ndim - len(shape) :] != shape:
        raise ArrayMistake(
            f"The matrix of {fragment.role} must be unsigned integers"
            f" [..., {', '.join(map(str, shape))}], the bits of each element; given"
            f" {matrix.dtype} {list(matrix.shape)}.",
            subject=matrix.shape,
        )
    if matrix.dtype.itemsize * 8 > fragment.bits and (matrix >> fragment.bits).any():
        raise ArrayMistake(
            f"Elements of {fragment.role} have {fragment.bits} bits; the matrix holds"
            f" {int(matrix.max()):#x}.",
            subject=int(matrix.max()),
        )
    return matrix


def _start(fragment: Fragment, batch: tuple[int, ...], into: Registers | None) -> Registers:
    """Make the registers to write to."""
    if into is None:
        return empty_registers(fragment.registers, fragment.lanes, batch)
    check_registers(into, fragment.registers, fragment.lanes)
    shape = (*batch, fragment.registers, fragment.lanes)
    return np.array(np.broadcast_to(into, shape), dtype=np.uint32, order="C")


def _copy_in(
    elements: Matrix, fragment: Fragment, into: Registers | None
) -> npt.NDArray[np.uint32]:
    """Write elements that fill whole cells, all at once."""
    bits, _, write, unused = cells(fragment)
    pieces = np.ascontiguousarray(elements.astype(fragment.dtype, copy=False))
    if fragment.bits > REGISTER_BITS:
        pieces = pieces.view("<u4")
    filled = pieces.take(write, axis=-1)
    if into is not None:
        kept = to_cells(flat(_start(fragment, elements.shape[:-1], into)), bits)
        filled[..., unused] = kept[..., unused]
    elif len(unused):
        filled[..., unused] = 0
    return from_cells(filled, bits)


def _shift_in(words: npt.NDArray[np.uint32], elements: Matrix, fragment: Fragment) -> None:
    """Write elements that share or span registers, one group after the other."""
    ones = (1 << fragment.bits) - 1
    for group in groups(fragment):
        owned = ones << group.shift
        value = elements[..., group.elements].astype(np.uint64) << np.uint64(group.shift)
        for number in range(2 if group.spill else 1):
            kept = np.uint32(~(owned >> number * REGISTER_BITS) & 0xFFFFFFFF)
            part = (value >> np.uint64(number * REGISTER_BITS)).astype(np.uint32)
            for copy in group.words:
                target = copy + number * group.spill
                words[..., target] = words[..., target] & kept | part
