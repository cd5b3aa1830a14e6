"""The order of floats: smaller, larger and middle ones, by three rules for NaN."""

from collections.abc import Callable
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import meaning
from wavemma.machine.semantics.vector.floats import INTEGERS, is_negative

V = TypeVar("V")
Pick = Callable[[Engine[V], V, V], V]
_QUIET = {Lane.F32: 1 << 22, Lane.F64: 1 << 51}


def is_signaling(e: Engine[V], x: V) -> V:
    """Tell which floats are signaling NaNs."""
    lane = e.lane(x)
    quiet = e.and_(e.bitcast(x, INTEGERS[lane]), _QUIET[lane])
    return e.and_(e.is_nan(x), e.eq(quiet, 0))


def _number(e: Engine[V], a: V, b: V, chosen: V) -> V:
    """Give the other one where one is NaN, and a quiet NaN where both are."""
    nan_a, nan_b = e.is_nan(a), e.is_nan(b)
    found = e.select(nan_a, b, e.select(nan_b, a, chosen))
    return e.select(e.and_(nan_a, nan_b), e.constant(e.lane(a), float("nan")), found)


def min_number(e: Engine[V], a: V, b: V) -> V:
    """Give the smaller number; -0 is below +0, and NaN only if both are."""
    lower = e.or_(e.lt(a, b), e.and_(e.eq(a, b), is_negative(e, a)))
    return _number(e, a, b, e.select(lower, a, b))


def max_number(e: Engine[V], a: V, b: V) -> V:
    """Give the larger number; -0 is below +0, and NaN only if both are."""
    higher = e.or_(e.lt(b, a), e.and_(e.eq(a, b), e.not_(is_negative(e, a))))
    return _number(e, a, b, e.select(higher, a, b))


def _unless(is_bad: Callable[[Engine[V], V], V], pick: Pick[V]) -> Pick[V]:
    """Give NaN where a source is bad."""

    def chosen(e: Engine[V], a: V, b: V) -> V:
        either = e.or_(is_bad(e, a), is_bad(e, b))
        return e.select(either, e.constant(e.lane(a), float("nan")), pick(e, a, b))

    return chosen


def _is_nan(e: Engine[V], x: V) -> V:
    return e.is_nan(x)


def _twice(first: Pick[V], second: Pick[V]) -> Callable[[Engine[V], V, V, V], V]:
    def chosen(e: Engine[V], a: V, b: V, c: V) -> V:
        return second(e, first(e, a, b), c)

    return chosen


def _median(low: Pick[V], high: Pick[V]) -> Callable[[Engine[V], V, V, V], V]:
    """Leave the largest out and give the larger of the others; with a NaN give the smallest."""

    def chosen(e: Engine[V], a: V, b: V, c: V) -> V:
        top = high(e, high(e, a, b), c)
        last = e.select(e.eq(top, b), high(e, a, c), high(e, a, b))
        middle = e.select(e.eq(top, a), high(e, b, c), last)
        nan = e.or_(e.is_nan(a), e.or_(e.is_nan(b), e.is_nan(c)))
        return e.select(nan, low(e, low(e, a, b), c), middle)

    return chosen


def _enter(low: Pick[V], high: Pick[V], small: str, large: str, rule: str = "") -> None:
    """Enter all choices by a rule for NaN, under the words for its choices."""
    meaning(f"{small}{rule}")(low)
    meaning(f"{large}{rule}")(high)
    for name, first, second in (
        (f"{small}3", low, low),
        (f"{large}3", high, high),
        (f"{small}_{large}", low, high),
        (f"{large}_{small}", high, low),
    ):
        meaning(f"{name}{rule}", "a b c")(_twice(first, second))


# A NaN gives way to a number; where the launch mode is IEEE's, a signaling one gives NaN; or
# every NaN gives NaN.
_IEEE = _unless(is_signaling, min_number), _unless(is_signaling, max_number)
_NAN = _unless(_is_nan, min_number), _unless(_is_nan, max_number)
_enter(min_number, max_number, "min", "max", "_number")
_enter(*_IEEE, "min", "max", "_ieee")
_enter(*_NAN, "minimum", "maximum")
meaning("median_number", "a b c")(_median(min_number, max_number))
meaning("median_ieee", "a b c")(_median(*_IEEE))
