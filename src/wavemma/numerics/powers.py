"""Powers of two of the numbers in a step: the exponents that alignments are made from."""

from collections.abc import Sequence
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.formats.decode import decode_lanes
from wavemma.formats.format import Format

V = TypeVar("V")
_F64_EXPONENT = 0x7FF << 52
_F64_SIGN = 1 << 63


def leading_power(e: Engine[V], x: V) -> V:
    """Give 2 to the exponent of each f64's leading bit; 0 for zeros and f64 subnormals."""
    return e.bitcast(e.and_(e.bitcast(x, Lane.I64), _F64_EXPONENT), Lane.F64)


def inverse_power(e: Engine[V], power: V) -> V:
    """Give 1/power of f64 powers of two within 2^-1022..2^1022."""
    return e.bitcast(e.sub(e.constant(Lane.I64, 2046 << 52), e.bitcast(power, Lane.I64)), Lane.F64)


def with_sign(e: Engine[V], size: V, signed: V) -> V:
    """Give non-negative f64 the sign bit of other f64."""
    sign = e.and_(e.bitcast(signed, Lane.I64), _F64_SIGN)
    return e.bitcast(e.or_(e.bitcast(size, Lane.I64), sign), Lane.F64)


def is_negative(e: Engine[V], x: V) -> V:
    """Tell which f64 have the sign bit set, zeros included."""
    return e.lt(e.bitcast(x, Lane.I64), 0)


def value_and_power(e: Engine[V], form: Format, code: V, *, flush: bool) -> tuple[V, V]:
    """Give numbers as f64 and the powers of two that alignments use for them.

    Args:
        e: The engine.
        form: A float format of at most 32 bits.
        code: Codes, I64 lanes.
        flush: Replace subnormals by zeros of their sign.

    Returns:
        The value, and 2^e with e the exponent of the number; a subnormal has the exponent of
        the smallest normal number, and a zero has the power 0.

    """
    value = decode_lanes(e, form, code)
    size = e.abs(value)
    normal = e.constant(Lane.F64, form.min_normal)
    power = e.max(leading_power(e, size), normal)
    if flush:
        value = e.select(e.lt(size, normal), e.mul(value, 0.0), value)
    is_zero = e.eq(value, 0.0)
    return value, e.select(is_zero, e.constant(Lane.F64, 0.0), power)


def largest(e: Engine[V], values: Sequence[V]) -> V:
    """Give the largest of several values, lane by lane."""
    best = values[0]
    for value in values[1:]:
        best = e.max(best, value)
    return best


def total(e: Engine[V], values: Sequence[V]) -> V:
    """Add values from the first to the last."""
    result = values[0]
    for value in values[1:]:
        result = e.add(result, value)
    return result
