"""Modifiers that change the sign of what is read: bit edits before any arithmetic."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from wavemma.formats import number_format
from wavemma.fragments.cells import Matrix

_K_AXIS = {"a": -1, "b": -2}


def change_factor(
    codes: Matrix,
    format: str,
    role: Literal["a", "b"],
    effects: Mapping[str, int],
    *,
    along: int | None = None,
) -> Matrix:
    """Flip signs of A or B as the modifiers say.

    Args:
        codes: Bits of the elements, A [..., M, K] or B [..., K, N].
        format: Number format of the elements.
        role: Which operand.
        effects: negate_<role>, negate_<role>_even (elements in the low half of a register: even
            k, or the first kept element of a pair) and negate_<role>_odd.
        along: The axis of k if not that of the role.

    Returns:
        Bits of the same shape; a NaN's sign flips too.

    """
    axis = _K_AXIS[role] if along is None else along
    sign = codes.dtype.type(number_format(format).sign_bit)
    whole = effects.get(f"negate_{role}", 0)
    flips = [whole ^ effects.get(f"negate_{role}_{part}", 0) for part in ("even", "odd")]
    if not any(flips):
        return codes
    pattern = np.resize(np.array(flips, dtype=codes.dtype) * sign, codes.shape[axis])
    shape = [1] * codes.ndim
    shape[axis] = -1
    return codes ^ pattern.reshape(shape)


def change_result(codes: Matrix, format: str, effects: Mapping[str, int]) -> Matrix:
    """Take the absolute value of C, then negate it, as the modifiers say.

    Args:
        codes: Bits of the elements.
        format: Number format of the elements.
        effects: absolute_c and negate_c.

    Returns:
        Bits of the same shape.

    """
    sign = codes.dtype.type(number_format(format).sign_bit)
    if effects.get("absolute_c", 0):
        codes = codes & ~sign
    return codes ^ sign if effects.get("negate_c", 0) else codes
