"""Modifiers that change the sign of what is read: bit edits before any arithmetic."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from wavemma.formats import number_format
from wavemma.fragments.cells import Matrix

_K_AXIS = {"a": -1, "b": -2}


def factor_signs(format: str, role: str, effects: Mapping[str, int]) -> tuple[int, int]:
    """Give the bits to flip in the even and in the odd elements of A or B.

    Args:
        format: Number format of the elements.
        role: a or b.
        effects: negate_<role>, negate_<role>_even (elements in the low half of a register: even
            k, or the first kept element of a pair) and negate_<role>_odd.

    """
    sign = number_format(format).sign_bit
    whole = effects.get(f"negate_{role}", 0)
    even, odd = (whole ^ effects.get(f"negate_{role}_{part}", 0) for part in ("even", "odd"))
    return even * sign, odd * sign


def result_signs(format: str, effects: Mapping[str, int]) -> tuple[int, int]:
    """Give the bits to clear in C, and those to flip after that.

    Args:
        format: Number format of the elements.
        effects: absolute_c and negate_c.

    """
    sign = number_format(format).sign_bit
    return effects.get("absolute_c", 0) * sign, effects.get("negate_c", 0) * sign


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
        effects: As for `factor_signs`.
        along: The axis of k if not that of the role.

    Returns:
        Bits of the same shape; a NaN's sign flips too.

    """
    axis = _K_AXIS[role] if along is None else along
    flips = factor_signs(format, role, effects)
    if not any(flips):
        return codes
    pattern = np.resize(np.array(flips, dtype=codes.dtype), codes.shape[axis])
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
    clear, flip = (codes.dtype.type(mask) for mask in result_signs(format, effects))
    return (codes & ~clear) ^ flip
