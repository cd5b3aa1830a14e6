"""Floats as the scalar unit has them, in NumPy and fractions."""

from fractions import Fraction
from typing import Any

import numpy as np

WORD = 0xFFFFFFFF


def float_of(bits: int, width: int) -> Any:
    unsigned, kind = (np.uint32, np.float32) if width == 32 else (np.uint16, np.float16)
    return unsigned(bits & (1 << width) - 1).view(kind)


def bits_of(x: Any) -> int:
    return int(np.asarray(x).view(f"u{np.asarray(x).itemsize}"))


def fused(x: Any, y: Any, z: Any) -> Any:
    if not all(np.isfinite(each) for each in (x, y, z)):
        wide = np.longdouble
        return type(x)(wide(x) * wide(y) + wide(z))
    exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
    if exact == 0:
        return x * y + z
    try:
        return type(x)(float(exact))
    except OverflowError:
        return type(x)(np.inf if exact > 0 else -np.inf)


def smaller(x: Any, y: Any, *, larger: bool = False, takes_nan: bool = False) -> Any:
    if np.isnan(x) or np.isnan(y):
        lone = y if np.isnan(x) else x
        return type(x)(np.nan) if takes_nan else lone
    if x == y:
        first = np.signbit(x) != larger
        return x if first else y
    return max(x, y) if larger else min(x, y)


def is_signaling(*floats: Any) -> bool:
    """Tell whether any is a NaN whose highest bit of the fraction is 0."""
    return any(
        bool(np.isnan(x)) and not bits_of(x) >> (22 if x.itemsize == 4 else 9) & 1 for x in floats
    )


def integer(x: Any, low: int, high: int) -> int:
    if np.isnan(x):
        return 0
    if np.isinf(x):
        return (high if x > 0 else low) & WORD
    return min(max(int(x), low), high) & WORD


def half_toward_zero(x: Any) -> int:
    with np.errstate(all="ignore"):
        near = np.float16(x)
        if np.abs(np.float32(near)) > np.abs(x) and np.isfinite(x):
            near = np.nextafter(near, np.float16(0))
    return bits_of(near)
