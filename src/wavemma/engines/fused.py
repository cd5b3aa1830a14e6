"""Multiply-add with one rounding, for engines whose machine has none.

The f32 form is exact arithmetic in f64 with the lost part kept as a sticky low bit (rounding to
odd), so the second rounding is right, subnormal results included. The f64 form is only for the
array engine: exact Python integers, one element at a time.
"""

import math
from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from wavemma.engines.engine import Engine, Lane

V = TypeVar("V")


def add_to_odd(e: Engine[V], x: V, y: V) -> V:
    """Add f64, rounding an inexact sum to the neighbour whose significand is odd.

    Rounding the result again to a format with at least two bits less is rounding once.
    Infinities and NaN pass through.
    """
    total, error = e.two_sum(x, y)
    bits = e.bitcast(total, Lane.I64)
    even = e.eq(e.and_(bits, 1), 0)
    inexact = e.or_(e.lt(error, 0.0), e.lt(e.constant(Lane.F64, 0.0), error))
    same_way = e.eq(e.lt(error, 0.0), e.lt(bits, 0))
    moved = e.add(bits, e.select(same_way, e.constant(Lane.I64, 1), -1))
    return e.bitcast(e.select(e.and_(even, inexact), moved, bits), Lane.F64)


def fused_f32(e: Engine[V], x: V, y: V, z: V) -> V:
    """Give x*y + z of f32, rounded once to nearest even."""
    product = e.mul(e.convert(x, Lane.F64), e.convert(y, Lane.F64))
    return e.convert(add_to_odd(e, product, e.convert(z, Lane.F64)), Lane.F32)


def fused_f64(
    x: NDArray[np.float64], y: NDArray[np.float64], z: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Give x*y + z of f64 arrays, rounded once to nearest even."""
    x, y, z = np.broadcast_arrays(x, y, z)
    result = np.empty(x.shape, dtype=np.float64)
    for place in np.ndindex(x.shape):
        result[place] = _fused_scalar(float(x[place]), float(y[place]), float(z[place]))
    return result


def _fused_scalar(x: float, y: float, z: float) -> float:
    if not (math.isfinite(x) and math.isfinite(y)):
        return x * y + z
    if not math.isfinite(z):
        return z
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        return x * y + z if 0.0 in (x, y) else 0.0
    try:
        return exact.numerator / exact.denominator
    except OverflowError:
        return -math.inf if exact < 0 else math.inf
