"""Integer formats: their range, and codes from numbers."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavemma.formats.dtypes import code_dtype
from wavemma.formats.format import Format
from wavemma.formats.refusals import refuse
from wavemma.formats.rounding import Rounding

_EXACT = float(1 << 53)


def integer_range(form: Format, *, signed: bool = True) -> tuple[int, int]:
    """Give the lowest and the highest number of an integer format.

    Args:
        form: The format.
        signed: How codes are read whose format leaves the sign to the instruction.

    """
    if form.sign == "signed" or (form.sign == "chosen" and signed):
        return -(form.codes // 2), form.codes // 2 - 1
    return 0, form.codes - 1


def encode_integers(
    form: Format,
    numbers: NDArray[np.float64],
    rounding: Rounding,
    *,
    saturate: bool,
    wrap: bool,
    signed: bool,
) -> NDArray[Any]:
    """Give the codes of numbers in an integer format.

    Args:
        form: An integer format.
        numbers: Finite, within -2^53..2^53.
        rounding: How fractions are rounded.
        saturate: Numbers out of range become its nearer end.
        wrap: Of numbers out of range the low bits are taken.
        signed: How codes are read whose format leaves the sign to the instruction.

    Raises:
        ArrayMistake: NaN, infinite or too large for f64's integers; or out of range where
            neither `saturate` nor `wrap` says what then.

    """
    refuse(form, ~np.isfinite(numbers), numbers, "has only finite numbers")
    refuse(form, np.abs(numbers) > _EXACT, numbers, "takes numbers within -2^53..2^53")
    lowest, highest = integer_range(form, signed=signed)
    whole = _ROUND[rounding](numbers)
    if not (saturate or wrap):
        outside = (whole < lowest) | (whole > highest)
        refuse(form, outside, numbers, f"goes from {lowest} to {highest}")
    kept = whole.clip(lowest, highest) if saturate else whole
    codes = kept.astype(np.int64) & np.int64(form.codes - 1)
    found: NDArray[Any] = codes.astype(code_dtype(form))
    return found


def _nearest_away(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    whole = np.trunc(numbers)
    away = np.copysign(1.0, numbers)
    return np.where(np.abs(numbers - whole) >= 0.5, whole + away, whole)


def _odd(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    low = np.floor(numbers)
    return np.where((low != numbers) & (low % 2 == 0), low + 1, low)


_ROUND: dict[Rounding, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "nearest_even": np.rint,
    "nearest_away": _nearest_away,
    "zero": np.trunc,
    "up": np.ceil,
    "down": np.floor,
    "odd": _odd,
}
