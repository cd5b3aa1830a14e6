"""Reciprocals, roots, exponentials and sines.

Hardware's last bit of these is not known (grade D): the numbers here are those of f64 arithmetic,
rounded to the format, so that they differ from the exact ones by hardly more than half a unit. As
the ISA documents have it, f32 subnormals count as zero in all of them but sines, results too.
Powers of f32 are known better on RDNA: see `powers`.
"""

from math import factorial, log, pi
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import meaning
from wavemma.machine.semantics.vector.scaling import parts, scaled

V = TypeVar("V")
_EXPONENTIAL = [log(2.0) ** n / factorial(n) for n in range(14)]
_ROOT_HALF = 0.7071067811865476
_INVERSE_LN2 = 1.4426950408889634
_SINE = [(-1.0) ** n / factorial(2 * n + 1) for n in range(10)]
_COSINE = [(-1.0) ** n / factorial(2 * n) for n in range(10)]


def _wide(e: Engine[V], x: V) -> V:
    return x if e.lane(x) is Lane.F64 else e.convert(x, Lane.F64)


def flushed(e: Engine[V], x: V) -> V:
    """Replace f32 subnormals by zeros of their sign."""
    if e.lane(x) is Lane.F64:
        return x
    sign = e.bitcast(e.and_(e.bitcast(x, Lane.I32), 1 << 31), Lane.F32)
    return e.select(e.lt(e.abs(x), 2.0**-126), sign, x)


def _as(e: Engine[V], x: V, lane: Lane) -> V:
    return x if lane is Lane.F64 else flushed(e, e.convert(x, lane))


@meaning("reciprocal", "a", grade="D", is_long=True)
def reciprocal(e: Engine[V], a: V) -> V:
    """Give 1/x."""
    one = e.constant(Lane.F64, 1.0)
    return _as(e, e.div(one, _wide(e, flushed(e, a))), e.lane(a))


@meaning("reciprocal_root", "a", grade="D", is_long=True)
def reciprocal_root(e: Engine[V], a: V) -> V:
    """Give 1/sqrt(x)."""
    one = e.constant(Lane.F64, 1.0)
    return _as(e, e.div(one, e.sqrt(_wide(e, flushed(e, a)))), e.lane(a))


@meaning("root", "a", grade="D")
def root(e: Engine[V], a: V) -> V:
    """Give sqrt(x)."""
    return e.sqrt(flushed(e, a))


@meaning("power", "a", grade="D", is_long=True)
def power(e: Engine[V], a: V) -> V:
    """Give 2**x."""
    x = e.min(e.max(_wide(e, a), -1200.0), 1200.0)
    whole = e.nearest(e.select(e.is_nan(x), e.constant(Lane.F64, 0.0), x))
    rest = e.sub(x, whole)
    total = e.constant(Lane.F64, _EXPONENTIAL[-1])
    for term in reversed(_EXPONENTIAL[:-1]):
        total = e.add(e.mul(total, rest), term)
    found = scaled(e, total, e.convert(e.convert(whole, Lane.I64), Lane.I32))
    return _as(e, e.select(e.is_nan(a), _wide(e, a), found), e.lane(a))


@meaning("logarithm", "a", grade="D", is_long=True)
def logarithm(e: Engine[V], a: V) -> V:
    """Give the logarithm to base 2; NaN below zero."""
    x = _wide(e, flushed(e, a))
    mantissa, exponent = parts(e, x)
    low = e.lt(mantissa, _ROOT_HALF)
    mantissa = e.select(low, e.mul(mantissa, 2.0), mantissa)
    power_ = e.sub(e.convert(exponent, Lane.F64), e.convert(low, Lane.F64))
    s = e.div(e.sub(mantissa, 1.0), e.add(mantissa, 1.0))
    square = e.mul(s, s)
    total = e.constant(Lane.F64, 1.0 / 27)
    for n in range(25, 0, -2):
        total = e.add(e.mul(total, square), 1.0 / n)
    found = e.add(power_, e.mul(e.mul(total, s), 2.0 * _INVERSE_LN2))
    found = e.select(e.eq(x, 0.0), e.constant(Lane.F64, float("-inf")), found)
    found = e.select(e.lt(x, 0.0), e.constant(Lane.F64, float("nan")), found)
    odd = e.or_(e.is_nan(x), e.eq(x, float("inf")))
    return _as(e, e.select(odd, x, found), e.lane(a))


def _series(e: Engine[V], square: V, terms: list[float]) -> V:
    total = e.constant(Lane.F64, terms[-1])
    for term in reversed(terms[:-1]):
        total = e.add(e.mul(total, square), term)
    return total


def _of_turns(e: Engine[V], a: V, quarters: int) -> V:
    """Give the sine of so many turns and quarters of one, by the nearest quarter.

    Turns are reduced exactly, so that the sines of quarters are 0, 1 and -1.
    """
    x = _wide(e, a)
    finite = e.lt(e.abs(x), float("inf"))
    safe = e.select(finite, x, e.constant(Lane.F64, 0.0))
    turn = e.sub(safe, e.nearest(safe))
    near = e.nearest(e.mul(turn, 4.0))
    angle = e.mul(e.sub(turn, e.mul(near, 0.25)), 2 * pi)
    square = e.mul(angle, angle)
    sine, cosine = e.mul(angle, _series(e, square, _SINE)), _series(e, square, _COSINE)
    quarter = e.and_(e.add(e.convert(near, Lane.I64), quarters), 3)
    is_even = e.eq(e.and_(quarter, 1), 0)
    found = e.select(is_even, sine, cosine)
    # A zero stays +0 after a turn, whichever way it went.
    back = e.and_(e.lt(e.constant(Lane.I64, 1), quarter), e.not_(e.eq(found, 0.0)))
    found = e.select(back, e.neg(found), found)
    return _as_number(e, e.select(finite, found, e.constant(Lane.F64, float("nan"))), a)


def _as_number(e: Engine[V], x: V, like: V) -> V:
    return x if e.lane(like) is Lane.F64 else e.convert(x, e.lane(like))


@meaning("sine", "a", grade="D", is_long=True)
def sine(e: Engine[V], a: V) -> V:
    """Give the sine of so many turns; of -0 it is -0."""
    return e.select(e.eq(a, 0.0), a, _of_turns(e, a, 0))


@meaning("cosine", "a", grade="D", is_long=True)
def cosine(e: Engine[V], a: V) -> V:
    """Give the cosine of so many turns."""
    return _of_turns(e, a, 1)
