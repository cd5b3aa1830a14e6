"""Numbers as f64 from which later roundings give what they would from the number itself."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavemma.errors import ArrayMistake
from wavemma.formats.dlpack import as_array

_DIGITS = 53
_EXACT_INTEGERS = 1 << _DIGITS


def nearest_odd(value: Fraction) -> float:
    """Round an exact number to f64 so that a further rounding to few bits is as if from it.

    Numbers between two of f64 become the one whose last bit is 1. Rounding that to a format of
    at most 51 bits of precision gives, in every mode, what rounding the number itself would.

    Args:
        value: Any number; what is too large becomes the largest of f64.

    Example:
        >>> nearest_odd(Fraction(1, 10)) == 0.1, nearest_odd(1 + Fraction(1, 2**80)) > 1
        (False, True)

    """
    if value == 0:
        return 0.0
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if size < Fraction(2) ** exponent:
        exponent -= 1
    unit = max(exponent, -1022) - (_DIGITS - 1)
    whole, rest = divmod(size, Fraction(2) ** unit)
    units = whole | (1 if rest else 0)
    try:
        found = math.ldexp(units, unit)
    except OverflowError:
        found = math.ldexp((1 << _DIGITS) - 1, 1023 - (_DIGITS - 1))
    return found if value > 0 else -found


def as_f64(values: ArrayLike) -> NDArray[np.float64]:
    """Take real numbers as f64, exactly.

    Raises:
        ArrayMistake: They are no real numbers, or f64 does not hold them.

    """
    array = as_array(values)
    if array.dtype == np.float64:
        return array
    if not _is_real(array.dtype):
        raise ArrayMistake(
            f"Numbers must be real and fit f64, got {array.dtype}.", subject=str(array.dtype)
        )
    if array.dtype.kind in "iu" and array.size:
        low, high = int(array.min()), int(array.max())
        if max(-low, high) > _EXACT_INTEGERS:
            raise ArrayMistake(
                "Integers must lie within -2^53..2^53, where f64 holds them exactly; got"
                f" {low} to {high}.",
                subject=str(array.dtype),
            )
    return array.astype(np.float64)


def _is_real(dtype: "np.dtype[Any]") -> bool:
    """Say whether a type holds real numbers of at most 64 bits; ml_dtypes' are of kind V or f."""
    if dtype.kind in "biuf":
        return dtype.itemsize <= np.dtype(np.float64).itemsize
    return dtype.kind == "V" and dtype.names is None and dtype.isbuiltin == 2
