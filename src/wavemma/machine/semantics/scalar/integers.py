"""Scalar sums and products; the scalar condition holds the carry or the overflow."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import meaning

V = TypeVar("V")


def is_not_zero(e: Engine[V], x: V) -> V:
    """Tell whether any bit is set."""
    return e.not_(e.eq(x, 0))


def _overflows(e: Engine[V], a: V, b: V, total: V) -> V:
    """Tell whether a signed sum left its range."""
    return e.lt(e.and_(e.xor(a, total), e.xor(b, total)), 0)


@meaning("scalar_add_unsigned", gives="d scc:flag")
def scalar_add_unsigned(e: Engine[V], a: V, b: V) -> tuple[V, V]:
    """Add; the condition is the carry."""
    total = e.add(a, b)
    return total, e.unsigned_lt(total, a)


@meaning("scalar_subtract_unsigned", gives="d scc:flag")
def scalar_subtract_unsigned(e: Engine[V], a: V, b: V) -> tuple[V, V]:
    """Subtract; the condition is the borrow."""
    return e.sub(a, b), e.unsigned_lt(a, b)


@meaning("scalar_add_signed", gives="d scc:flag")
def scalar_add_signed(e: Engine[V], a: V, b: V) -> tuple[V, V]:
    """Add; the condition is the overflow."""
    total = e.add(a, b)
    return total, _overflows(e, a, b, total)


@meaning("scalar_subtract_signed", gives="d scc:flag")
def scalar_subtract_signed(e: Engine[V], a: V, b: V) -> tuple[V, V]:
    """Subtract; the condition is the overflow."""
    total = e.sub(a, b)
    return total, e.lt(e.and_(e.xor(a, b), e.xor(a, total)), 0)


@meaning("scalar_add_constant", "d number:i16", "d scc:flag")
def scalar_add_constant(e: Engine[V], d: V, number: V) -> tuple[V, V]:
    """Add the instruction's own number to the result; the condition is the overflow."""
    return scalar_add_signed(e, d, number)


@meaning("scalar_multiply_constant", "d number:i16")
def scalar_multiply_constant(e: Engine[V], d: V, number: V) -> V:
    """Multiply the result by the instruction's own number."""
    return e.mul(d, number)


@meaning("scalar_add_carry", "a b scc:flag", "d scc:flag")
def scalar_add_carry(e: Engine[V], a: V, b: V, scc: V) -> tuple[V, V]:
    """Add two and the condition, which becomes the carry."""
    wide = e.add(e.zero_extend(a, Lane.I64), e.zero_extend(b, Lane.I64))
    wide = e.add(wide, e.convert(scc, Lane.I64))
    return e.convert(wide, Lane.I32), is_not_zero(e, e.lshr(wide, 32))


@meaning("scalar_subtract_borrow", "a b scc:flag", "d scc:flag")
def scalar_subtract_borrow(e: Engine[V], a: V, b: V, scc: V) -> tuple[V, V]:
    """Subtract one and the condition, which becomes the borrow."""
    wide = e.sub(e.zero_extend(a, Lane.I64), e.zero_extend(b, Lane.I64))
    wide = e.sub(wide, e.convert(scc, Lane.I64))
    return e.convert(wide, Lane.I32), e.lt(wide, 0)


@meaning("scalar_add_wide")
def scalar_add_wide(e: Engine[V], a: V, b: V) -> V:
    """Add; the condition stays."""
    return e.add(a, b)


@meaning("scalar_subtract_wide")
def scalar_subtract_wide(e: Engine[V], a: V, b: V) -> V:
    """Subtract; the condition stays."""
    return e.sub(a, b)


@meaning("scalar_multiply")
def scalar_multiply(e: Engine[V], a: V, b: V) -> V:
    """Multiply and keep the low bits."""
    return e.mul(a, b)


@meaning("scalar_distance", gives="d scc:flag")
def scalar_distance(e: Engine[V], a: V, b: V) -> tuple[V, V]:
    """Give the absolute value of the difference; the condition says if it is not 0."""
    difference = e.sub(a, b)
    size = e.select(e.lt(difference, 0), e.neg(difference), difference)
    return size, is_not_zero(e, size)


@meaning("scalar_absolute", "a", "d scc:flag")
def scalar_absolute(e: Engine[V], a: V) -> tuple[V, V]:
    """Give the absolute value; the condition says if it is not 0."""
    size = e.select(e.lt(a, 0), e.neg(a), a)
    return size, is_not_zero(e, size)


def _order(name: str, *, larger: bool, signed: bool) -> None:
    @meaning(name, gives="d scc:flag")
    def choose(e: Engine[V], a: V, b: V) -> tuple[V, V]:
        left, right = (b, a) if larger else (a, b)
        first = e.lt(left, right) if signed else e.unsigned_lt(left, right)
        return e.select(first, a, b), first


_order("scalar_min_signed", larger=False, signed=True)
_order("scalar_max_signed", larger=True, signed=True)
_order("scalar_min_unsigned", larger=False, signed=False)
_order("scalar_max_unsigned", larger=True, signed=False)


def _shift_add(count: int) -> None:
    @meaning(f"scalar_shift_{count}_add", gives="d scc:flag")
    def compute(e: Engine[V], a: V, b: V) -> tuple[V, V]:
        wide = e.shl(e.zero_extend(a, Lane.I64), count)
        wide = e.add(wide, e.zero_extend(b, Lane.I64))
        return e.convert(wide, Lane.I32), is_not_zero(e, e.lshr(wide, 32))


for _count in (1, 2, 3, 4):
    _shift_add(_count)
