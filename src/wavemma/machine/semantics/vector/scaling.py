"""Floats times powers of two, and their exponents."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import meaning

V = TypeVar("V")
_FRACTION, _BIAS, _TOP = 52, 1023, 0x7FF


def power_of_two(e: Engine[V], n: V) -> V:
    """Give 2**n as f64; n is I64 in -1022..1023."""
    return e.bitcast(e.shl(e.add(n, _BIAS), _FRACTION), Lane.F64)


def exponent_field(e: Engine[V], x: V) -> V:
    """Give the 11 bits of the exponent of f64, I64."""
    return e.and_(e.lshr(e.bitcast(x, Lane.I64), _FRACTION), _TOP)


def scaled(e: Engine[V], x: V, n: V) -> V:
    """Give x * 2**n of f64 lanes, rounded once; n is I32."""
    left = e.min(e.max(e.convert(n, Lane.I64), -2200), 2200)
    # Each step down stays 53 bits above the subnormals, so that only the last one rounds.
    for _ in range(2):
        up, down = e.lt(e.constant(Lane.I64, 1023), left), e.lt(left, -1022)
        step = e.select(up, e.constant(Lane.I64, 1023), e.select(down, e.like(left, -969), 0))
        x = e.mul(x, power_of_two(e, step))
        left = e.sub(left, step)
    # What is left reaches below every subnormal; a further step of 2**-1022 makes it zero or one.
    rest = e.max(e.min(left, 1023), -1022)
    return e.mul(x, power_of_two(e, rest))


@meaning("scale_f32", "a:f32 b:i32", "d:f32", is_long=True)
def scale_f32(e: Engine[V], a: V, b: V) -> V:
    """Multiply by a power of two, rounded once."""
    n = e.min(e.max(b, -400), 400)
    factor = power_of_two(e, e.convert(n, Lane.I64))
    return e.convert(e.mul(e.convert(a, Lane.F64), factor), Lane.F32)


@meaning("scale_f16", "a:f16 b:i16", "d:f16")
def scale_f16(e: Engine[V], a: V, b: V) -> V:
    """Multiply by a power of two, rounded once."""
    n = e.min(e.max(b, -100), 100)
    return e.mul(a, power_of_two(e, e.convert(n, Lane.I64)))


@meaning("scale_f64", "a:f64 b:i32", "d:f64")
def scale_f64(e: Engine[V], a: V, b: V) -> V:
    """Multiply by a power of two, rounded once."""
    return scaled(e, a, b)


def parts(e: Engine[V], x: V) -> tuple[V, V]:
    """Give the number in 0.5..1 with the sign, and the exponent, I32; x and 0 if it has none."""
    tiny = e.eq(exponent_field(e, x), 0)
    normal = e.select(tiny, e.mul(x, 2.0**54), x)
    field = exponent_field(e, normal)
    kept = e.and_(e.bitcast(normal, Lane.I64), ~(_TOP << _FRACTION))
    mantissa = e.bitcast(e.or_(kept, (_BIAS - 1) << _FRACTION), Lane.F64)
    exponent = e.sub(field, e.select(tiny, e.constant(Lane.I64, _BIAS - 1 + 54), _BIAS - 1))
    none = e.or_(e.eq(x, 0.0), e.eq(field, _TOP))
    zero = e.constant(Lane.I32, 0)
    return e.select(none, x, mantissa), e.select(none, zero, e.convert(exponent, Lane.I32))


@meaning("exponent", "a", "d")
def exponent(e: Engine[V], a: V) -> V:
    """Give the exponent that leaves a number in 0.5..1; 0 for zero, infinity and NaN."""
    return parts(e, a if e.lane(a) is Lane.F64 else e.convert(a, Lane.F64))[1]


@meaning("mantissa", "a")
def mantissa(e: Engine[V], a: V) -> V:
    """Give the number without its exponent, in 0.5..1."""
    if e.lane(a) is Lane.F64:
        return parts(e, a)[0]
    return e.convert(parts(e, e.convert(a, Lane.F64))[0], Lane.F32)
