"""Sums, products and order of integers."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.errors import Unsupported
from wavemma.machine.meaning import meaning

V = TypeVar("V")
_ALL = 0xFFFFFFFF


def _limited(e: Engine[V], x: V, low: int, high: int) -> V:
    """Limit signed I64 lanes."""
    return e.min(e.max(x, low), high)


def _unsigned_sum(e: Engine[V], x: V, y: V, high: int, *, minus: bool) -> V:
    """Add or subtract unsigned I32 lanes and keep within 0..high."""
    wide, other = e.zero_extend(x, Lane.I64), e.zero_extend(y, Lane.I64)
    total = e.sub(wide, other) if minus else e.add(wide, other)
    return e.convert(_limited(e, total, 0, high), Lane.I32)


def _signed_sum(e: Engine[V], x: V, y: V, bits: int, *, minus: bool) -> V:
    """Add or subtract signed I32 lanes and keep within so many bits."""
    wide, other = e.convert(x, Lane.I64), e.convert(y, Lane.I64)
    total = e.sub(wide, other) if minus else e.add(wide, other)
    most = 1 << bits - 1
    return e.convert(_limited(e, total, -most, most - 1), Lane.I32)


@meaning("integer_add", clamps=True)
def integer_add(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Add unsigned words; wrap around, or keep the largest."""
    return _unsigned_sum(e, a, b, _ALL, minus=False) if clamp else e.add(a, b)


@meaning("integer_subtract", clamps=True)
def integer_subtract(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Subtract unsigned words; wrap around, or keep 0."""
    return _unsigned_sum(e, a, b, _ALL, minus=True) if clamp else e.sub(a, b)


@meaning("integer_subtract_reversed", clamps=True)
def integer_subtract_reversed(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Subtract the first source from the second."""
    return integer_subtract(e, b, a, clamp)


@meaning("signed_add", clamps=True)
def signed_add(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Add signed words; wrap around, or keep the limit."""
    return _signed_sum(e, a, b, 32, minus=False) if clamp else e.add(a, b)


@meaning("signed_subtract", clamps=True)
def signed_subtract(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Subtract signed words; wrap around, or keep the limit."""
    return _signed_sum(e, a, b, 32, minus=True) if clamp else e.sub(a, b)


@meaning("short_add", "a:u16 b:u16", "d:u16", clamps=True)
def short_add(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Add unsigned halves."""
    return _unsigned_sum(e, a, b, 0xFFFF, minus=False) if clamp else e.add(a, b)


@meaning("short_subtract", "a:u16 b:u16", "d:u16", clamps=True)
def short_subtract(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Subtract unsigned halves."""
    return _unsigned_sum(e, a, b, 0xFFFF, minus=True) if clamp else e.sub(a, b)


@meaning("short_signed_add", "a:i16 b:i16", "d:i16", clamps=True)
def short_signed_add(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Add signed halves."""
    return _signed_sum(e, a, b, 16, minus=False) if clamp else e.add(a, b)


@meaning("short_signed_subtract", "a:i16 b:i16", "d:i16", clamps=True)
def short_signed_subtract(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Subtract signed halves."""
    return _signed_sum(e, a, b, 16, minus=True) if clamp else e.sub(a, b)


@meaning("add3", "a b c")
def add3(e: Engine[V], a: V, b: V, c: V) -> V:
    """Add three."""
    return e.add(e.add(a, b), c)


@meaning("add_carry_out", gives="d d_mask:mask", clamps=True)
def add_carry_out(e: Engine[V], a: V, b: V, clamp: bool) -> tuple[V, V]:
    """Add, with the carry into a mask."""
    total = e.add(a, b)
    carry = e.unsigned_lt(total, a)
    return (e.select(carry, e.constant(Lane.I32, _ALL), total) if clamp else total), carry


@meaning("subtract_borrow_out", gives="d d_mask:mask", clamps=True)
def subtract_borrow_out(e: Engine[V], a: V, b: V, clamp: bool) -> tuple[V, V]:
    """Subtract, with the borrow into a mask."""
    borrow = e.unsigned_lt(a, b)
    total = e.sub(a, b)
    return (e.select(borrow, e.constant(Lane.I32, 0), total) if clamp else total), borrow


@meaning("subtract_borrow_out_reversed", gives="d d_mask:mask", clamps=True)
def subtract_borrow_out_reversed(e: Engine[V], a: V, b: V, clamp: bool) -> tuple[V, V]:
    """Subtract the first source from the second, with the borrow into a mask."""
    return subtract_borrow_out(e, b, a, clamp)


@meaning("add_carry", "a b c:mask", "d d_mask:mask", clamps=True)
def add_carry(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> tuple[V, V]:
    """Add two and a carry, with the carry into a mask."""
    wide = e.add(e.zero_extend(a, Lane.I64), e.zero_extend(b, Lane.I64))
    wide = e.add(wide, e.convert(c, Lane.I64))
    carry = e.lt(e.constant(Lane.I64, _ALL), wide)
    if clamp:
        wide = e.min(wide, _ALL)
    return e.convert(wide, Lane.I32), carry


@meaning("subtract_borrow", "a b c:mask", "d d_mask:mask", clamps=True)
def subtract_borrow(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> tuple[V, V]:
    """Subtract one and a borrow, with the borrow into a mask."""
    wide = e.sub(e.zero_extend(a, Lane.I64), e.zero_extend(b, Lane.I64))
    wide = e.sub(wide, e.convert(c, Lane.I64))
    borrow = e.lt(wide, 0)
    if clamp:
        wide = e.max(wide, 0)
    return e.convert(wide, Lane.I32), borrow


@meaning("subtract_borrow_reversed", "a b c:mask", "d d_mask:mask", clamps=True)
def subtract_borrow_reversed(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> tuple[V, V]:
    """Subtract the first source and a borrow from the second."""
    return subtract_borrow(e, b, a, c, clamp)


@meaning("integer_multiply", clamps=True)
def integer_multiply(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Multiply and keep the low bits."""
    if clamp:
        raise Unsupported("A product of integers with clamp is not modelled.")
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


@meaning("multiply_add_24", "a b c:b32", clamps=True)
def multiply_add_24(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Multiply 24-bit numbers and add a word; keep the low bits."""
    if clamp:
        raise Unsupported("A product of integers with clamp is not modelled.")
    return e.add(e.mul(a, b), c)


@meaning("multiply_add", "a b c", clamps=True)
def multiply_add(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Multiply and add; keep the low bits."""
    if clamp:
        raise Unsupported("A product of integers with clamp is not modelled.")
    return e.add(e.mul(a, b), c)


@meaning("multiply_add_wide_unsigned", "a:u32 b:u32 c:u64", "d:u64 d_mask:mask")
def multiply_add_wide_unsigned(e: Engine[V], a: V, b: V, c: V) -> tuple[V, V]:
    """Multiply words and add 64 bits, with the carry into a mask."""
    product = e.mul(e.zero_extend(a, Lane.I64), e.zero_extend(b, Lane.I64))
    total = e.add(product, c)
    return total, e.unsigned_lt(total, c)


@meaning("multiply_add_wide_signed", "a:i32 b:i32 c:i64", "d:i64 d_mask:mask")
def multiply_add_wide_signed(e: Engine[V], a: V, b: V, c: V) -> tuple[V, V]:
    """Multiply signed words and add 64 bits; the mask gets bit 64 of the sum."""
    product = e.mul(e.convert(a, Lane.I64), e.convert(b, Lane.I64))
    total = e.add(product, c)
    overflow = e.and_(e.xor(product, total), e.xor(c, total))
    return total, e.lt(e.xor(total, overflow), 0)


@meaning("signed_min")
def signed_min(e: Engine[V], a: V, b: V) -> V:
    """Give the smaller of two signed numbers."""
    return e.min(a, b)


@meaning("signed_max")
def signed_max(e: Engine[V], a: V, b: V) -> V:
    """Give the larger of two signed numbers."""
    return e.max(a, b)


@meaning("unsigned_min")
def unsigned_min(e: Engine[V], a: V, b: V) -> V:
    """Give the smaller of two unsigned numbers."""
    return e.select(e.unsigned_lt(a, b), a, b)


@meaning("unsigned_max")
def unsigned_max(e: Engine[V], a: V, b: V) -> V:
    """Give the larger of two unsigned numbers."""
    return e.select(e.unsigned_lt(b, a), a, b)


@meaning("signed_min3", "a b c")
def signed_min3(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the smallest of three."""
    return e.min(e.min(a, b), c)


@meaning("signed_max3", "a b c")
def signed_max3(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the largest of three."""
    return e.max(e.max(a, b), c)


@meaning("unsigned_min3", "a b c")
def unsigned_min3(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the smallest of three unsigned numbers."""
    return unsigned_min(e, unsigned_min(e, a, b), c)


@meaning("unsigned_max3", "a b c")
def unsigned_max3(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the largest of three unsigned numbers."""
    return unsigned_max(e, unsigned_max(e, a, b), c)


@meaning("signed_median", "a b c")
def signed_median(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the middle one of three."""
    return e.max(e.min(a, b), e.min(e.max(a, b), c))


@meaning("unsigned_median", "a b c")
def unsigned_median(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the middle one of three unsigned numbers."""
    low, high = unsigned_min(e, a, b), unsigned_max(e, a, b)
    return unsigned_max(e, low, unsigned_min(e, high, c))


@meaning("signed_max_min", "a b c")
def signed_max_min(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the smaller of the third and the larger of the others."""
    return e.min(e.max(a, b), c)


@meaning("signed_min_max", "a b c")
def signed_min_max(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the larger of the third and the smaller of the others."""
    return e.max(e.min(a, b), c)


@meaning("unsigned_max_min", "a b c")
def unsigned_max_min(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the smaller of the third and the larger of the others, unsigned."""
    return unsigned_min(e, unsigned_max(e, a, b), c)


@meaning("unsigned_min_max", "a b c")
def unsigned_min_max(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the larger of the third and the smaller of the others, unsigned."""
    return unsigned_max(e, unsigned_min(e, a, b), c)


@meaning("sum_of_differences", "a:u32 b:u32 c:u32", "d:u32")
def sum_of_differences(e: Engine[V], a: V, b: V, c: V) -> V:
    """Add the distance of two unsigned words to a third."""
    return e.add(e.sub(unsigned_max(e, a, b), unsigned_min(e, a, b)), c)


@meaning("pack_saturated_unsigned", "a:u32 b:u32", "d:b32")
def pack_saturated_unsigned(e: Engine[V], a: V, b: V) -> V:
    """Limit two unsigned words to 16 bits and pack them."""
    most = e.constant(Lane.I32, 0xFFFF)
    return e.or_(unsigned_min(e, a, most), e.shl(unsigned_min(e, b, most), 16))


@meaning("pack_saturated_signed", "a:i32 b:i32", "d:b32")
def pack_saturated_signed(e: Engine[V], a: V, b: V) -> V:
    """Limit two signed words to 16 bits and pack them."""
    low, high = (e.min(e.max(x, -0x8000), 0x7FFF) for x in (a, b))
    return e.or_(e.and_(low, 0xFFFF), e.shl(high, 16))
