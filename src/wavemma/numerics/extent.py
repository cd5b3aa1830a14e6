"""What is known of the numbers of an array: the bounds that pick a path."""

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavemma.formats.decode import decode
from wavemma.formats.format import Format
from wavemma.numerics.path import Extent

Codes = NDArray[Any]

# An array of zeros bounds nothing: neither end may rule a path out.
EMPTY = Extent(low=1 << 12, high=-(1 << 12), finite=True)
_TABLE_BITS = 8


def extent(form: Format, codes: Codes) -> Extent:
    """Find the bounds of the numbers in an array.

    Args:
        form: Their format.
        codes: Unsigned integers.

    """
    if not form.is_float or codes.size == 0:
        return EMPTY
    if form.bits <= _TABLE_BITS:
        present = np.zeros(form.codes, dtype=np.bool_)
        present[codes] = True
        return _of_values(_sizes(form)[present])
    mask = form.sign_bit - (1 << form.ignored)
    sizes = codes & codes.dtype.type(mask)
    # Zeros wrap to the top, so the least of the rest is found.
    least = (int((sizes - sizes.dtype.type(1)).min()) + 1) & mask
    ends = np.array([int(sizes.max()), least], dtype=codes.dtype)
    return _of_values(np.abs(decode(form, ends)))


def _of_values(values: NDArray[np.float64]) -> Extent:
    finite = values[np.isfinite(values)]
    nonzero = finite[finite > 0]
    whole = finite.size == values.size
    if not nonzero.size:
        return Extent(EMPTY.low, EMPTY.high, whole)
    return Extent(_exponent(nonzero.min()), _exponent(nonzero.max()), whole)


def _exponent(value: float) -> int:
    return math.frexp(value)[1] - 1


@lru_cache(maxsize=32)
def _sizes(form: Format) -> NDArray[np.float64]:
    return np.asarray(np.abs(decode(form, np.arange(form.codes))), dtype=np.float64)
