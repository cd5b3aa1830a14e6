"""Sums, products and limits of integers of 64 bits, and sums that are compared.

Sums that are compared keep the limit whether told to clamp or not: compilers take the instruction
for saturating sums without the modifier.
"""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import meaning
from wavemma.machine.semantics.vector.integer_orders import unsigned_max, unsigned_min
from wavemma.machine.semantics.vector.integers import (
    integer_add,
    short_add,
    short_signed_add,
    signed_add,
)

V = TypeVar("V")


@meaning("wide_add", clamps=True)
def wide_add(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Add unsigned numbers of 64 bits; wrap around, or keep the largest."""
    total = e.add(a, b)
    return e.select(e.unsigned_lt(total, a), e.constant(Lane.I64, -1), total) if clamp else total


@meaning("wide_subtract", clamps=True)
def wide_subtract(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Subtract unsigned numbers of 64 bits; wrap around, or keep 0."""
    total = e.sub(a, b)
    return e.select(e.unsigned_lt(a, b), e.constant(Lane.I64, 0), total) if clamp else total


@meaning("wide_multiply")
def wide_multiply(e: Engine[V], a: V, b: V) -> V:
    """Multiply numbers of 64 bits and keep the low 64."""
    return e.mul(a, b)


@meaning("multiply_add_words", "a b c")
def multiply_add_words(e: Engine[V], a: V, b: V, c: V) -> V:
    """Multiply words and add a third; keep the low bits."""
    return e.add(e.mul(a, b), c)


@meaning("multiply_add_pair_unsigned", "a:u32 b:u32 c:u64", "d:u64", clamps=True)
def multiply_add_pair_unsigned(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Multiply words and add 64 bits; wrap around, or keep the largest."""
    return wide_add(e, e.mul(e.zero_extend(a, Lane.I64), e.zero_extend(b, Lane.I64)), c, clamp)


@meaning("multiply_add_pair_signed", "a:i32 b:i32 c:i64", "d:i64", clamps=True)
def multiply_add_pair_signed(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Multiply signed words and add 64 bits; wrap around, or keep the limit."""
    product = e.mul(e.convert(a, Lane.I64), e.convert(b, Lane.I64))
    total = e.add(product, c)
    if not clamp:
        return total
    overflow = e.and_(e.xor(product, total), e.xor(c, total))
    least = e.constant(Lane.I64, 1 << 63)
    limit = e.select(e.lt(total, 0), e.not_(least), least)
    return e.select(e.lt(overflow, 0), limit, total)


@meaning("signed_add_max", "a b c", clamps=True)
def signed_add_max(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Add two signed words, keep the limit, and give the larger of that and a third."""
    return e.max(signed_add(e, a, b, clamp=True), c)


@meaning("signed_add_min", "a b c", clamps=True)
def signed_add_min(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Add two signed words, keep the limit, and give the smaller of that and a third."""
    return e.min(signed_add(e, a, b, clamp=True), c)


@meaning("unsigned_add_max", "a b c", clamps=True)
def unsigned_add_max(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Add two unsigned words, keep the limit, and give the larger of that and a third."""
    return unsigned_max(e, integer_add(e, a, b, clamp=True), c)


@meaning("unsigned_add_min", "a b c", clamps=True)
def unsigned_add_min(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Add two unsigned words, keep the limit, and give the smaller of that and a third."""
    return unsigned_min(e, integer_add(e, a, b, clamp=True), c)


@meaning("short_signed_add_max", "a:i16 b:i16 c:i16", "d:i16", clamps=True)
def short_signed_add_max(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Do so with signed halves."""
    return e.max(short_signed_add(e, a, b, clamp=True), c)


@meaning("short_signed_add_min", "a:i16 b:i16 c:i16", "d:i16", clamps=True)
def short_signed_add_min(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Do so with signed halves."""
    return e.min(short_signed_add(e, a, b, clamp=True), c)


@meaning("short_add_max", "a:u16 b:u16 c:u16", "d:u16", clamps=True)
def short_add_max(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Do so with unsigned halves."""
    return e.max(short_add(e, a, b, clamp=True), c)


@meaning("short_add_min", "a:u16 b:u16 c:u16", "d:u16", clamps=True)
def short_add_min(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Do so with unsigned halves."""
    return e.min(short_add(e, a, b, clamp=True), c)
