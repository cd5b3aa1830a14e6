"""Scales of blocks along k: as matrices, spread over k, and as one byte in all of a register."""

import numpy as np

from wavemma.errors import ArrayMistake, OutOfRange
from wavemma.fragments.cells import Matrix
from wavemma.fragments.fragment import Fragment

# The axis of k in the matrices of scales, from the end.
_K_AXIS = {"scale_a": -1, "scale_b": -2}


def spread(scales: Matrix, fragment: Fragment, k: int) -> Matrix:
    """Repeat each scale for every k of its block.

    Args:
        scales: Bits [..., *fragment.matrix_shape]: [M, K/block] of A or [K/block, N] of B.
        fragment: The operand, of role scale_a or scale_b.
        k: K of the instruction.

    Returns:
        Bits [..., M, K] or [..., K, N].

    Raises:
        ArrayMistake: The shape is not that of the fragment.
        OutOfRange: The fragment holds no scales.

    """
    axis = _K_AXIS.get(fragment.role)
    if axis is None:
        raise OutOfRange(
            f"Only scales are spread over k; {fragment.role} holds none.",
            subject=fragment.role,
            allowed=_K_AXIS,
        )
    shape = fragment.matrix_shape
    if scales.shape[-2:] != shape:
        raise ArrayMistake(
            f"Scales must be [..., {', '.join(map(str, shape))}]; given {list(scales.shape)}.",
            subject=scales.shape,
        )
    return np.repeat(scales, k // shape[axis], axis=axis)


def scale_word(byte: int) -> int:
    """Repeat one scale byte in all four bytes of a register: 0x7f gives 0x7f7f7f7f.

    Raises:
        OutOfRange: The byte is not 0..255.

    """
    if not 0 <= byte <= 0xFF:
        raise OutOfRange(f"A scale byte must be 0..255; it is {byte}.", subject=byte)
    return byte * 0x01010101
