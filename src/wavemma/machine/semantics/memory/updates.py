"""What atomics make of a number in memory: old number and operands to the new number."""

from collections.abc import Callable
from typing import TypeVar

from wavemma.engines.engine import Engine
from wavemma.machine.value_type import ValueType

V = TypeVar("V")
Compute = Callable[..., V]
UPDATES: dict[str, Compute] = {}  # type: ignore[type-arg]


def update(name: str) -> Callable[[Callable[..., V]], Callable[..., V]]:
    """Enter a function of engine, type, old number and operands under a name."""

    def enter(function: Callable[..., V]) -> Callable[..., V]:
        UPDATES[name] = function
        return function

    return enter


def less(e: Engine[V], kind: ValueType, x: V, y: V) -> V:
    """Compare x < y as numbers of a type."""
    return e.unsigned_lt(x, y) if kind.kind == "unsigned" else e.lt(x, y)


@update("atomic_exchange")
def exchange(e: Engine[V], kind: ValueType, old: V, new: V) -> V:
    """Take the new number."""
    return new


@update("atomic_compare_exchange")
def compare_exchange(e: Engine[V], kind: ValueType, old: V, new: V, expected: V) -> V:
    """Take the new number if the old one is the expected one; floats compare as floats."""
    return e.select(e.eq(old, expected), new, old)


@update("atomic_compare_exchange_reversed")
def compare_exchange_reversed(e: Engine[V], kind: ValueType, old: V, expected: V, new: V) -> V:
    """Take the new number, which comes second, if the old one is the expected one."""
    return e.select(e.eq(old, expected), new, old)


@update("atomic_add")
def add(e: Engine[V], kind: ValueType, old: V, x: V) -> V:
    """Add; of floats rounded once, subnormals kept."""
    return e.add(old, x)


@update("atomic_subtract")
def subtract(e: Engine[V], kind: ValueType, old: V, x: V) -> V:
    """Subtract from the number in memory."""
    return e.sub(old, x)


@update("atomic_subtract_reversed")
def subtract_reversed(e: Engine[V], kind: ValueType, old: V, x: V) -> V:
    """Subtract the number in memory."""
    return e.sub(x, old)


@update("atomic_subtract_to_zero")
def subtract_to_zero(e: Engine[V], kind: ValueType, old: V, x: V) -> V:
    """Subtract, but give 0 where the result would be below."""
    return e.select(e.unsigned_lt(old, x), e.sub(old, old), e.sub(old, x))


@update("atomic_subtract_if_enough")
def subtract_if_enough(e: Engine[V], kind: ValueType, old: V, x: V) -> V:
    """Subtract where the result is not below 0, else leave it."""
    return e.select(e.unsigned_lt(old, x), old, e.sub(old, x))


@update("atomic_subtract_or_add")
def subtract_or_add(e: Engine[V], kind: ValueType, old: V, x: V, y: V) -> V:
    """Subtract x where the result is not below 0, else add y."""
    return e.select(e.unsigned_lt(old, x), e.add(old, y), e.sub(old, x))


@update("atomic_increment")
def increment(e: Engine[V], kind: ValueType, old: V, limit: V) -> V:
    """Count up, from the limit on to 0."""
    return e.select(e.unsigned_lt(old, limit), e.add(old, 1), 0)


@update("atomic_decrement")
def decrement(e: Engine[V], kind: ValueType, old: V, limit: V) -> V:
    """Count down, from 0 and from above the limit to the limit."""
    outside = e.or_(e.eq(old, 0), e.unsigned_lt(limit, old))
    return e.select(outside, limit, e.sub(old, 1))


@update("atomic_minimum")
def minimum(e: Engine[V], kind: ValueType, old: V, x: V) -> V:
    """Take x where it is less; a NaN is not."""
    return e.select(less(e, kind, x, old), x, old)


@update("atomic_maximum")
def maximum(e: Engine[V], kind: ValueType, old: V, x: V) -> V:
    """Take x where it is greater; a NaN is not."""
    return e.select(less(e, kind, old, x), x, old)


@update("atomic_minimum_number")
def minimum_number(e: Engine[V], kind: ValueType, old: V, x: V) -> V:
    """Take the lesser number as IEEE minimumNumber: NaN is no number, -0 is less than +0."""
    return _number(e, kind, old, x, e.lt(x, old), sign_of=x)


@update("atomic_maximum_number")
def maximum_number(e: Engine[V], kind: ValueType, old: V, x: V) -> V:
    """Take the greater number as IEEE maximumNumber: NaN is no number, -0 is less than +0."""
    return _number(e, kind, old, x, e.lt(old, x), sign_of=old)


def _number(e: Engine[V], kind: ValueType, old: V, x: V, wins: V, *, sign_of: V) -> V:
    """Choose x where it wins; of two zeros where the sign of one of them is set."""
    other = old if sign_of is x else x
    zeros = e.and_(e.eq(old, 0.0), e.eq(x, 0.0))
    signs = e.and_(_is_signed(e, kind, sign_of), e.not_(_is_signed(e, kind, other)))
    chosen = e.select(e.or_(wins, e.and_(zeros, signs)), x, old)
    chosen = e.select(e.is_nan(x), old, chosen)
    # Of two NaN the new one, made quiet by an operation.
    both = e.and_(e.is_nan(x), e.is_nan(old))
    return e.select(both, e.add(x, x), e.select(e.is_nan(old), x, chosen))


def _is_signed(e: Engine[V], kind: ValueType, x: V) -> V:
    return e.lt(e.bitcast(x, kind.bits_lane), 0)


@update("atomic_and")
def and_(e: Engine[V], kind: ValueType, old: V, x: V) -> V:
    """Combine bits by and."""
    return e.and_(old, x)


@update("atomic_or")
def or_(e: Engine[V], kind: ValueType, old: V, x: V) -> V:
    """Combine bits by or."""
    return e.or_(old, x)


@update("atomic_xor")
def xor(e: Engine[V], kind: ValueType, old: V, x: V) -> V:
    """Combine bits by exclusive or."""
    return e.xor(old, x)


@update("atomic_replace_bits")
def replace_bits(e: Engine[V], kind: ValueType, old: V, mask: V, x: V) -> V:
    """Clear the bits of a mask, and set those of x."""
    return e.or_(e.and_(old, e.not_(mask)), x)
