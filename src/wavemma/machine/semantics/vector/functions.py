"""Reciprocals, roots, exponentials and sines.

Hardware's last bit of these is not known (grade D): the numbers here are those of f64 arithmetic,
rounded to the format, so that they differ from the exact ones by hardly more than half a unit.
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
_SINE_TERMS = 15


def _wide(e: Engine[V], x: V) -> V:
    return x if e.lane(x) is Lane.F64 else e.convert(x, Lane.F64)


def _as(e: Engine[V], x: V, lane: Lane) -> V:
    return x if lane is Lane.F64 else e.convert(x, lane)


@meaning("reciprocal", "a")
def reciprocal(e: Engine[V], a: V) -> V:
    """Give 1/x."""
    one = e.constant(Lane.F64, 1.0)
    return _as(e, e.div(one, _wide(e, a)), e.lane(a))


@meaning("reciprocal_root", "a")
def reciprocal_root(e: Engine[V], a: V) -> V:
    """Give 1/sqrt(x)."""
    one = e.constant(Lane.F64, 1.0)
    return _as(e, e.div(one, e.sqrt(_wide(e, a))), e.lane(a))


@meaning("root", "a")
def root(e: Engine[V], a: V) -> V:
    """Give sqrt(x)."""
    return e.sqrt(a)


@meaning("power", "a")
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


@meaning("logarithm", "a")
def logarithm(e: Engine[V], a: V) -> V:
    """Give the logarithm to base 2; NaN below zero."""
    x = _wide(e, a)
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


def _sine(e: Engine[V], turns: V) -> V:
    """Give the sine of f64 turns in -0.5..0.5."""
    angle = e.mul(turns, 2 * pi)
    square = e.mul(angle, angle)
    total = e.constant(Lane.F64, 0.0)
    for n in range(_SINE_TERMS, -1, -1):
        total = e.add(e.mul(total, square), (-1.0) ** n / factorial(2 * n + 1))
    return e.mul(total, angle)


def _of_turns(e: Engine[V], a: V, shift: float) -> V:
    x = e.add(_wide(e, a), shift)
    finite = e.lt(e.abs(x), float("inf"))
    safe = e.select(finite, x, e.constant(Lane.F64, 0.0))
    found = _sine(e, e.sub(safe, e.nearest(safe)))
    nan = e.constant(Lane.F64, float("nan"))
    return _as(e, e.select(finite, found, nan), e.lane(a))


@meaning("sine", "a")
def sine(e: Engine[V], a: V) -> V:
    """Give the sine of so many turns."""
    return _of_turns(e, a, 0.0)


@meaning("cosine", "a")
def cosine(e: Engine[V], a: V) -> V:
    """Give the cosine of so many turns."""
    return _of_turns(e, a, 0.25)
