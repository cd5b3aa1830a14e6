"""Moves, and operations on bits."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import meaning

V = TypeVar("V")
_SWAPS = {
    32: (0x55555555, 0x33333333, 0x0F0F0F0F, 0x00FF00FF, 0x0000FFFF),
    64: (
        0x5555555555555555,
        0x3333333333333333,
        0x0F0F0F0F0F0F0F0F,
        0x00FF00FF00FF00FF,
        0x0000FFFF0000FFFF,
        0x00000000FFFFFFFF,
    ),
}
"""Which bits trade places with those so many places higher: 1, 2, 4, 8 ..."""


def amount(e: Engine[V], count: V, lane: Lane) -> V:
    """Take as many low bits of a count as shifts of a lane use, in that lane's type."""
    low = e.and_(count, lane.bits - 1)
    return low if e.lane(low) is lane else e.zero_extend(low, lane)


def ones(e: Engine[V], count: V) -> V:
    """Give a number whose lowest `count` bits are one, I32; count in 0..31."""
    return e.sub(e.shl(e.constant(Lane.I32, 1), count), 1)


@meaning("move", "a")
def move(e: Engine[V], a: V) -> V:
    """Copy."""
    return a


@meaning("not", "a")
def bits_not(e: Engine[V], a: V) -> V:
    """Flip all bits."""
    return e.not_(a)


@meaning("and")
def bits_and(e: Engine[V], a: V, b: V) -> V:
    """Combine by and."""
    return e.and_(a, b)


@meaning("or")
def bits_or(e: Engine[V], a: V, b: V) -> V:
    """Combine by or."""
    return e.or_(a, b)


@meaning("xor")
def bits_xor(e: Engine[V], a: V, b: V) -> V:
    """Combine by exclusive or."""
    return e.xor(a, b)


@meaning("xnor")
def bits_xnor(e: Engine[V], a: V, b: V) -> V:
    """Combine by exclusive or and flip."""
    return e.not_(e.xor(a, b))


@meaning("or3", "a b c")
def or3(e: Engine[V], a: V, b: V, c: V) -> V:
    """Combine three by or."""
    return e.or_(e.or_(a, b), c)


@meaning("xor3", "a b c")
def xor3(e: Engine[V], a: V, b: V, c: V) -> V:
    """Combine three by exclusive or."""
    return e.xor(e.xor(a, b), c)


@meaning("and_or", "a b c")
def and_or(e: Engine[V], a: V, b: V, c: V) -> V:
    """Combine two by and, then by or."""
    return e.or_(e.and_(a, b), c)


@meaning("shift_left_reversed", "a:u32 b")
def shift_left_reversed(e: Engine[V], a: V, b: V) -> V:
    """Shift the second source left by the low bits of the first."""
    return e.shl(b, amount(e, a, e.lane(b)))


@meaning("shift_right_reversed", "a:u32 b")
def shift_right_reversed(e: Engine[V], a: V, b: V) -> V:
    """Shift the second source right by the low bits of the first, zeros in."""
    return e.lshr(b, amount(e, a, e.lane(b)))


@meaning("shift_right_signed_reversed", "a:u32 b")
def shift_right_signed_reversed(e: Engine[V], a: V, b: V) -> V:
    """Shift the second source right by the low bits of the first, sign in."""
    return e.ashr(b, amount(e, a, e.lane(b)))


@meaning("short_shift_left_reversed", "a:u16 b:u16", "d:u16")
def short_shift_left_reversed(e: Engine[V], a: V, b: V) -> V:
    """Shift 16 bits left by 0..15."""
    return e.shl(b, e.and_(a, 15))


@meaning("short_shift_right_reversed", "a:u16 b:u16", "d:u16")
def short_shift_right_reversed(e: Engine[V], a: V, b: V) -> V:
    """Shift 16 bits right by 0..15, zeros in."""
    return e.lshr(b, e.and_(a, 15))


@meaning("short_shift_right_signed_reversed", "a:u16 b:i16", "d:u16")
def short_shift_right_signed_reversed(e: Engine[V], a: V, b: V) -> V:
    """Shift 16 bits right by 0..15, sign in."""
    return e.ashr(b, e.and_(a, 15))


@meaning("shift_left_add", "a b c")
def shift_left_add(e: Engine[V], a: V, b: V, c: V) -> V:
    """Shift left, then add."""
    return e.add(e.shl(a, e.and_(b, 31)), c)


@meaning("shift_left_add_wide", "a b:u32 c")
def shift_left_add_wide(e: Engine[V], a: V, b: V, c: V) -> V:
    """Shift 64 bits left by 0..7, then add."""
    return e.add(e.shl(a, e.zero_extend(e.and_(b, 7), Lane.I64)), c)


@meaning("add_shift_left", "a b c")
def add_shift_left(e: Engine[V], a: V, b: V, c: V) -> V:
    """Add, then shift left."""
    return e.shl(e.add(a, b), e.and_(c, 31))


@meaning("shift_left_or", "a b c")
def shift_left_or(e: Engine[V], a: V, b: V, c: V) -> V:
    """Shift left, then combine by or."""
    return e.or_(e.shl(a, e.and_(b, 31)), c)


@meaning("xor_add", "a b c")
def xor_add(e: Engine[V], a: V, b: V, c: V) -> V:
    """Combine by exclusive or, then add."""
    return e.add(e.xor(a, b), c)


@meaning("select_by_mask", "a b c:mask")
def select_by_mask(e: Engine[V], a: V, b: V, c: V) -> V:
    """Take the second source where the mask is set."""
    return e.select(c, b, a)


@meaning("select_by_carry", "a b vcc:mask")
def select_by_carry(e: Engine[V], a: V, b: V, vcc: V) -> V:
    """Take the second source where the carry mask is set."""
    return e.select(vcc, b, a)


@meaning("field_unsigned", "a b:u32 c:u32")
def field_unsigned(e: Engine[V], a: V, b: V, c: V) -> V:
    """Take `c` bits from bit `b` on."""
    return e.and_(e.lshr(a, e.and_(b, 31)), ones(e, e.and_(c, 31)))


@meaning("field_signed", "a b:u32 c:u32")
def field_signed(e: Engine[V], a: V, b: V, c: V) -> V:
    """Take `c` bits from bit `b` on; the highest one is the sign."""
    width = e.and_(c, 31)
    low = e.and_(e.ashr(a, e.and_(b, 31)), ones(e, width))
    shift = e.and_(e.sub(e.constant(Lane.I32, 32), width), 31)
    return e.select(e.eq(width, 0), e.constant(Lane.I32, 0), e.ashr(e.shl(low, shift), shift))


@meaning("field_insert", "a b c")
def field_insert(e: Engine[V], a: V, b: V, c: V) -> V:
    """Take bits of the second source where the first has ones, else of the third."""
    return e.or_(e.and_(a, b), e.and_(e.not_(a), c))


@meaning("field_mask", "a:u32 b:u32")
def field_mask(e: Engine[V], a: V, b: V) -> V:
    """Give `a` ones from bit `b` on."""
    return e.shl(ones(e, e.and_(a, 31)), e.and_(b, 31))


@meaning("align_bits", "a:b32 b:b32 c:u16", "d:b32")
def align_bits(e: Engine[V], a: V, b: V, c: V) -> V:
    """Shift both sources as 64 bits right, 0..31 bits, and take the low half."""
    return _low_of_pair(e, a, b, e.and_(c, 31))


@meaning("align_bytes", "a:b32 b:b32 c:u16", "d:b32")
def align_bytes(e: Engine[V], a: V, b: V, c: V) -> V:
    """Shift both sources as 64 bits right, 0..3 bytes, and take the low half."""
    return _low_of_pair(e, a, b, e.shl(e.and_(c, 3), 3))


def _low_of_pair(e: Engine[V], a: V, b: V, count: V) -> V:
    high = e.shl(e.zero_extend(a, Lane.I64), 32)
    pair = e.or_(high, e.zero_extend(b, Lane.I64))
    return e.convert(e.lshr(pair, e.zero_extend(count, Lane.I64)), Lane.I32)


@meaning("permute_bytes", "a b c")
def permute_bytes(e: Engine[V], a: V, b: V, c: V) -> V:
    """Choose each byte of the result by a byte of the third source.

    0..3 take bytes of the second source, 4..7 of the first, 8..11 the sign of a half filled in,
    12 gives zeros, all above gives ones.
    """
    pair = e.or_(e.shl(e.zero_extend(a, Lane.I64), 32), e.zero_extend(b, Lane.I64))
    result = e.constant(Lane.I32, 0)
    for place in range(4):
        choice = e.and_(e.lshr(c, 8 * place), 255)
        shift = e.zero_extend(e.shl(e.and_(choice, 7), 3), Lane.I64)
        byte = e.and_(e.convert(e.lshr(pair, shift), Lane.I32), 255)
        half = e.shl(e.and_(e.sub(choice, 8), 3), 4)
        sign = e.lshr(pair, e.zero_extend(e.add(half, 15), Lane.I64))
        filled = e.mul(e.and_(e.convert(sign, Lane.I32), 1), 255)
        byte = e.select(e.lt(choice, 8), byte, filled)
        fixed = e.select(e.eq(choice, 12), e.constant(Lane.I32, 0), 255)
        byte = e.select(e.lt(choice, 12), byte, fixed)
        result = e.or_(result, e.shl(byte, 8 * place))
    return result


@meaning("reverse_bits", "a")
def reverse_bits(e: Engine[V], a: V) -> V:
    """Turn the order of all bits around."""
    bits = e.lane(a).bits
    for place, mask in enumerate(_SWAPS[bits]):
        step = 1 << place
        a = e.or_(e.and_(e.lshr(a, step), mask), e.shl(e.and_(a, mask), step))
    return a


@meaning("count_ones_add", "a:b32 b:b32")
def count_ones_add(e: Engine[V], a: V, b: V) -> V:
    """Count the ones of the first source and add the second."""
    return e.add(e.popcount(a), b)


@meaning("leading_zeros", "a", "d:i32")
def leading_zeros(e: Engine[V], a: V) -> V:
    """Count the zeros above the highest one; -1 if there is none."""
    count = e.convert(e.leading_zeros(a), Lane.I32)
    return e.select(e.eq(a, 0), e.constant(Lane.I32, -1), count)


@meaning("trailing_zeros", "a", "d:i32")
def trailing_zeros(e: Engine[V], a: V) -> V:
    """Count the zeros below the lowest one; -1 if there is none."""
    below = e.and_(e.not_(a), e.sub(a, 1))
    return e.select(e.eq(a, 0), e.constant(Lane.I32, -1), e.convert(e.popcount(below), Lane.I32))


@meaning("trailing_ones", "a", "d:i32")
def trailing_ones(e: Engine[V], a: V) -> V:
    """Count the ones below the lowest zero; -1 if there is none."""
    return trailing_zeros(e, e.not_(a))


@meaning("leading_signs", "a", "d:i32")
def leading_signs(e: Engine[V], a: V) -> V:
    """Count the highest bits that are equal; -1 if all are."""
    other = e.select(e.lt(a, 0), e.not_(a), a)
    count = e.convert(e.leading_zeros(other), Lane.I32)
    return e.select(e.eq(other, 0), e.constant(Lane.I32, -1), count)


@meaning("pack_halves", "a:code b:code", "d:b32")
def pack_halves(e: Engine[V], a: V, b: V) -> V:
    """Put the second f16 above the first; a signaling NaN becomes quiet."""
    infinity = e.constant(Lane.I32, 0x7C00)
    low, high = (e.select(e.lt(infinity, e.and_(x, 0x7FFF)), e.or_(x, 0x200), x) for x in (a, b))
    return e.or_(low, e.shl(high, 16))
