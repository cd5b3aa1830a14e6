"""Comparisons into masks."""

from collections.abc import Callable
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import meaning

V = TypeVar("V")


def _ordered(e: Engine[V], a: V, b: V) -> V:
    if not e.lane(a).is_float:
        return e.eq(a, a)
    return e.and_(e.eq(a, a), e.eq(b, b))


def _enter(name: str, compare: Callable[..., object]) -> None:
    meaning(name, gives="d:mask")(compare)
    if name not in ("never", "always"):
        meaning(f"{name}_flag", gives="scc:flag")(compare)


_enter("never", lambda e, a, b: e.not_(e.eq(a, a)) if not e.lane(a).is_float else e.lt(a, a))
_enter("less", lambda e, a, b: e.lt(a, b))
_enter("equal", lambda e, a, b: e.eq(a, b))
_enter("less_equal", lambda e, a, b: e.le(a, b))
_enter("greater", lambda e, a, b: e.lt(b, a))
_enter("greater_equal", lambda e, a, b: e.le(b, a))
_enter("less_greater", lambda e, a, b: e.or_(e.lt(a, b), e.lt(b, a)))
_enter("ordered", _ordered)
_enter("unordered", lambda e, a, b: e.not_(_ordered(e, a, b)))
_enter("not_less", lambda e, a, b: e.not_(e.lt(a, b)))
_enter("not_equal", lambda e, a, b: e.not_(e.eq(a, b)))
_enter("not_less_equal", lambda e, a, b: e.not_(e.le(a, b)))
_enter("not_greater", lambda e, a, b: e.not_(e.lt(b, a)))
_enter("not_greater_equal", lambda e, a, b: e.not_(e.le(b, a)))
_enter("not_less_greater", lambda e, a, b: e.not_(e.or_(e.lt(a, b), e.lt(b, a))))
_enter("always", lambda e, a, b: e.or_(e.eq(a, a), e.not_(e.eq(a, a))))
_enter("unsigned_less", lambda e, a, b: e.unsigned_lt(a, b))
_enter("unsigned_less_equal", lambda e, a, b: e.not_(e.unsigned_lt(b, a)))
_enter("unsigned_greater", lambda e, a, b: e.unsigned_lt(b, a))
_enter("unsigned_greater_equal", lambda e, a, b: e.not_(e.unsigned_lt(a, b)))


@meaning("class_f32", "a:code b:b32", "d:mask")
def class_f32(e: Engine[V], a: V, b: V) -> V:
    """Tell whether an f32 is of a class that bits of the second source name."""
    return in_classes(e, a, b, 8, 23)


@meaning("class_f64", "a:code b:b32", "d:mask")
def class_f64(e: Engine[V], a: V, b: V) -> V:
    """Tell whether an f64 is of a class that bits of the second source name."""
    return in_classes(e, a, b, 11, 52)


@meaning("class_f16", "a:code b:b32", "d:mask")
def class_f16(e: Engine[V], a: V, b: V) -> V:
    """Tell whether an f16 is of a class that bits of the second source name."""
    return in_classes(e, a, b, 5, 10)


def in_classes(e: Engine[V], code: V, classes: V, exponent: int, fraction: int) -> V:
    """Tell whether a code is of one of ten classes.

    Bits 0 and 1: signaling and quiet NaN; 2 to 9: negative infinity, normal, subnormal, zero,
    then positive zero, subnormal, normal, infinity.
    """
    top = (1 << exponent) - 1
    field = e.and_(e.lshr(code, fraction), top)
    rest = e.and_(code, (1 << fraction) - 1)
    negative = e.not_(e.eq(e.and_(e.lshr(code, exponent + fraction), 1), 0))
    no_fraction, highest = e.eq(rest, 0), e.eq(field, top)
    quiet = e.not_(e.eq(e.and_(rest, 1 << fraction - 1), 0))
    word = _choose(e, negative, 2, 9)
    word = e.select(highest, word, _choose(e, negative, 3, 8))
    low = e.select(no_fraction, _choose(e, negative, 5, 6), _choose(e, negative, 4, 7))
    word = e.select(e.eq(field, 0), low, word)
    nan = e.and_(highest, e.not_(no_fraction))
    word = e.select(nan, _choose(e, quiet, 1, 0), word)
    return e.not_(e.eq(e.and_(e.lshr(classes, word), 1), 0))


def _choose(e: Engine[V], condition: V, yes: int, no: int) -> V:
    return e.select(condition, e.constant(Lane.I32, yes), no)
