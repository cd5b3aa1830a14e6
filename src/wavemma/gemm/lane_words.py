"""What lanes hold, element by element, to and from registers."""

from typing import Any

import numpy as np
import numpy.typing as npt

from wavemma.formats import pack_codes, unpack_codes
from wavemma.fragments import Fragment, Registers
from wavemma.layouts.layout import REGISTER_BITS

Codes = npt.NDArray[Any]


def to_registers(codes: Codes, fragment: Fragment) -> Registers:
    """Put each lane's elements into its registers.

    Args:
        codes: Unsigned integers [..., lanes, slots].
        fragment: The operand.

    Returns:
        uint32 [..., fragment.registers, lanes].

    """
    layout = fragment.layout
    if layout.element_bits > REGISTER_BITS:
        words = np.ascontiguousarray(codes.astype("<u8")).view("<u4")
    elif layout.stride_bits == REGISTER_BITS:
        words = codes.astype(np.uint32) << np.uint32(layout.offset_bits)
    else:
        words = pack_codes(codes, layout.element_bits)
    short = fragment.registers - words.shape[-1]
    if short > 0:
        words = np.pad(words, [(0, 0)] * (words.ndim - 1) + [(0, short)])
    return np.ascontiguousarray(np.swapaxes(words, -1, -2))


def from_registers(registers: Registers, fragment: Fragment) -> Codes:
    """Read each lane's elements, [..., lanes, slots]: the reverse of `to_registers`."""
    layout = fragment.layout
    words = np.ascontiguousarray(np.swapaxes(registers, -1, -2))
    if layout.element_bits > REGISTER_BITS:
        return words.view("<u8")[..., : layout.slots]
    if layout.stride_bits == REGISTER_BITS:
        found = words[..., : layout.slots] >> np.uint32(layout.offset_bits)
        return found.astype(fragment.dtype)
    return unpack_codes(words, layout.element_bits, layout.slots)
