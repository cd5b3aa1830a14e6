"""Products of integers."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import meaning
from wavemma.machine.value_type import ValueType

V = TypeVar("V")


def widened(e: Engine[V], x: V, kind: ValueType) -> V:
    """Give the number of I32 lanes as I64."""
    return e.convert(x, Lane.I64) if kind.kind == "signed" else e.zero_extend(x, Lane.I64)


def limited(e: Engine[V], x: V, kind: ValueType) -> V:
    """Keep I64 lanes within a type of at most 32 bits; I32 lanes."""
    low = -1 << kind.bits - 1 if kind.kind == "signed" else 0
    return e.convert(e.min(e.max(x, low), low + (1 << kind.bits) - 1), Lane.I32)


@meaning("integer_multiply", typed=True, clamps=True)
def integer_multiply(e: Engine[V], a: V, b: V, kind: ValueType, clamp: bool) -> V:
    """Multiply; keep the low bits, or the limit."""
    if clamp:
        # Factors of 24 bits or less: the product fits into I64.
        return limited(e, e.mul(widened(e, a, kind), widened(e, b, kind)), kind)
    return e.mul(a, b)


@meaning("multiply_high_unsigned")
def multiply_high_unsigned(e: Engine[V], a: V, b: V) -> V:
    """Give the high word of an unsigned product."""
    wide = e.mul(e.zero_extend(a, Lane.I64), e.zero_extend(b, Lane.I64))
    return e.convert(e.lshr(wide, 32), Lane.I32)


@meaning("multiply_high_signed")
def multiply_high_signed(e: Engine[V], a: V, b: V) -> V:
    """Give the high word of a signed product."""
    wide = e.mul(e.convert(a, Lane.I64), e.convert(b, Lane.I64))
    return e.convert(e.lshr(wide, 32), Lane.I32)


@meaning("multiply_add", "a b c:result", typed=True, clamps=True)
def multiply_add(e: Engine[V], a: V, b: V, c: V, kind: ValueType, clamp: bool) -> V:
    """Multiply and add; keep the low bits, or the limit."""
    if clamp:
        product = e.mul(widened(e, a, kind), widened(e, b, kind))
        return limited(e, e.add(product, widened(e, c, kind)), kind)
    return e.add(e.mul(a, b), c)


@meaning("multiply_add_wide_unsigned", "a:u32 b:u32 c:u64", "d:u64 d_mask:mask", clamps=True)
def multiply_add_wide_unsigned(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> tuple[V, V]:
    """Multiply words and add 64 bits, with the carry into a mask, also where the limit is kept."""
    product = e.mul(e.zero_extend(a, Lane.I64), e.zero_extend(b, Lane.I64))
    total = e.add(product, c)
    carry = e.unsigned_lt(total, c)
    return (e.select(carry, e.constant(Lane.I64, -1), total) if clamp else total), carry


@meaning("multiply_add_wide_signed", "a:i32 b:i32 c:i64", "d:i64 d_mask:mask", clamps=True)
def multiply_add_wide_signed(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> tuple[V, V]:
    """Multiply signed words and add 64 bits; the mask gets bit 64 of the sum, its sign."""
    product = e.mul(e.convert(a, Lane.I64), e.convert(b, Lane.I64))
    total = e.add(product, c)
    overflow = e.and_(e.xor(product, total), e.xor(c, total))
    negative = e.lt(e.xor(total, overflow), 0)
    if clamp:
        least = e.constant(Lane.I64, 1 << 63)
        limit = e.select(negative, least, e.not_(least))
        total = e.select(e.lt(overflow, 0), limit, total)
    return total, negative
