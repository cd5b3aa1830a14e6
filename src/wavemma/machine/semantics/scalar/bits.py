"""Scalar operations on bits; the scalar condition says if the result is not 0."""

from collections.abc import Callable
from typing import Any, TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import meaning
from wavemma.machine.semantics.scalar.integers import is_not_zero
from wavemma.machine.semantics.vector.bits import amount

V = TypeVar("V")
Combine = Callable[[Engine[Any], Any, Any], Any]
_COMBINATIONS: dict[str, Combine] = {
    "and": lambda e, a, b: e.and_(a, b),
    "or": lambda e, a, b: e.or_(a, b),
    "xor": lambda e, a, b: e.xor(a, b),
    "nand": lambda e, a, b: e.not_(e.and_(a, b)),
    "nor": lambda e, a, b: e.not_(e.or_(a, b)),
    "xnor": lambda e, a, b: e.not_(e.xor(a, b)),
    "and_not": lambda e, a, b: e.and_(a, e.not_(b)),
    "or_not": lambda e, a, b: e.or_(a, e.not_(b)),
    "not_and": lambda e, a, b: e.and_(e.not_(a), b),
    "not_or": lambda e, a, b: e.or_(e.not_(a), b),
}


_INVERTED_SOURCE = ("not_and", "not_or")
_WRITTEN = ("and_not", "not_and")


def _enter(name: str, combine: Combine) -> None:
    def plain(e: Engine[V], a: V, b: V) -> tuple[V, V]:
        result: V = combine(e, a, b)
        return result, is_not_zero(e, result)

    def saving(e: Engine[V], a: V, exec_: V) -> tuple[V, V, V]:
        result: V = combine(e, a, exec_)
        return exec_, result, is_not_zero(e, result)

    def writing(e: Engine[V], a: V, exec_: V) -> tuple[V, V, V]:
        result: V = combine(e, a, exec_)
        return result, result, is_not_zero(e, result)

    meaning(f"mask_{name}", "a exec", "d exec scc:flag")(saving)
    if name not in _INVERTED_SOURCE:
        meaning(f"scalar_{name}", gives="d scc:flag")(plain)
    if name in _WRITTEN:
        meaning(f"mask_write_{name}", "a exec", "d exec scc:flag")(writing)


for _name, _combine in _COMBINATIONS.items():
    _enter(_name, _combine)


@meaning("scalar_not", "a", "d scc:flag")
def scalar_not(e: Engine[V], a: V) -> tuple[V, V]:
    """Flip all bits."""
    result = e.not_(a)
    return result, is_not_zero(e, result)


@meaning("scalar_shift_left", "a b:u32", "d scc:flag")
def scalar_shift_left(e: Engine[V], a: V, b: V) -> tuple[V, V]:
    """Shift left by the low bits of the second source."""
    result = e.shl(a, amount(e, b, e.lane(a)))
    return result, is_not_zero(e, result)


@meaning("scalar_shift_right", "a b:u32", "d scc:flag")
def scalar_shift_right(e: Engine[V], a: V, b: V) -> tuple[V, V]:
    """Shift right, zeros in."""
    result = e.lshr(a, amount(e, b, e.lane(a)))
    return result, is_not_zero(e, result)


@meaning("scalar_shift_right_signed", "a b:u32", "d scc:flag")
def scalar_shift_right_signed(e: Engine[V], a: V, b: V) -> tuple[V, V]:
    """Shift right, sign in."""
    result = e.ashr(a, amount(e, b, e.lane(a)))
    return result, is_not_zero(e, result)


def _cut(e: Engine[V], a: V, b: V, *, signed: bool) -> tuple[V, V]:
    """Take bits: the first is in bits 4..0 (5..0) of b, their number in bits 22..16."""
    lane = e.lane(a)
    first = amount(e, b, lane)
    width = e.and_(e.lshr(b, 16), 127)
    width = width if lane is Lane.I32 else e.zero_extend(width, lane)
    most = e.sub(e.constant(lane, lane.bits), first)
    inside = e.unsigned_lt(width, most)
    kept = e.select(inside, width, most)
    up = e.and_(e.sub(e.sub(e.constant(lane, lane.bits), first), kept), lane.bits - 1)
    down = e.and_(e.sub(e.constant(lane, lane.bits), kept), lane.bits - 1)
    high = e.shl(a, up)
    cut = e.ashr(high, down) if signed else e.lshr(high, down)
    result = e.select(e.eq(kept, 0), e.constant(lane, 0), cut)
    return result, is_not_zero(e, result)


@meaning("scalar_field_unsigned", "a b:u32", "d scc:flag")
def scalar_field_unsigned(e: Engine[V], a: V, b: V) -> tuple[V, V]:
    """Take bits of a number."""
    return _cut(e, a, b, signed=False)


@meaning("scalar_field_signed", "a b:u32", "d scc:flag")
def scalar_field_signed(e: Engine[V], a: V, b: V) -> tuple[V, V]:
    """Take bits of a number, the highest one as sign."""
    return _cut(e, a, b, signed=True)


@meaning("scalar_field_mask_wide", "a:u32 b:u32", "d:b64")
def scalar_field_mask_wide(e: Engine[V], a: V, b: V) -> V:
    """Give `a` ones from bit `b` on, of 64 bits."""
    one = e.constant(Lane.I64, 1)
    return e.shl(e.sub(e.shl(one, amount(e, a, Lane.I64)), 1), amount(e, b, Lane.I64))


@meaning("scalar_count_ones", "a", "d:i32 scc:flag")
def scalar_count_ones(e: Engine[V], a: V) -> tuple[V, V]:
    """Count the ones."""
    count = e.convert(e.popcount(a), Lane.I32)
    return count, is_not_zero(e, count)


@meaning("scalar_count_zeros", "a", "d:i32 scc:flag")
def scalar_count_zeros(e: Engine[V], a: V) -> tuple[V, V]:
    """Count the zeros."""
    return scalar_count_ones(e, e.not_(a))


def _one_at(e: Engine[V], x: V, place: V) -> V:
    lane = e.lane(x)
    return e.shl(e.constant(lane, 1), amount(e, place, lane))


@meaning("set_bit", "a:u32 d")
def set_bit(e: Engine[V], a: V, d: V) -> V:
    """Set the bit of the result whose number the source is."""
    return e.or_(d, _one_at(e, d, a))


@meaning("clear_bit", "a:u32 d")
def clear_bit(e: Engine[V], a: V, d: V) -> V:
    """Clear the bit of the result whose number the source is."""
    return e.and_(d, e.not_(_one_at(e, d, a)))


@meaning("bit_is_set", "a b:u32", "scc:flag")
def bit_is_set(e: Engine[V], a: V, b: V) -> V:
    """Tell whether a bit is 1."""
    return is_not_zero(e, e.and_(a, _one_at(e, a, b)))


@meaning("bit_is_clear", "a b:u32", "scc:flag")
def bit_is_clear(e: Engine[V], a: V, b: V) -> V:
    """Tell whether a bit is 0."""
    return e.not_(bit_is_set(e, a, b))


def _pack(name: str, first: int, second: int) -> None:
    @meaning(name, "a:b32 b:b32", "d:b32")
    def pack(e: Engine[V], a: V, b: V) -> V:
        low = e.lshr(a, 16) if first else e.and_(a, 0xFFFF)
        high = e.and_(b, 0xFFFF0000) if second else e.shl(b, 16)
        return e.or_(low, high)


_pack("pack_low_low", 0, 0)
_pack("pack_low_high", 0, 1)
_pack("pack_high_high", 1, 1)
_pack("pack_high_low", 1, 0)


@meaning("extend_byte", "a:i8", "d:i32")
def extend_byte(e: Engine[V], a: V) -> V:
    """Widen 8 bits with their sign."""
    return a


@meaning("extend_short", "a:i16", "d:i32")
def extend_short(e: Engine[V], a: V) -> V:
    """Widen 16 bits with their sign."""
    return a


@meaning("choose_by_condition", "a b scc:flag")
def choose_by_condition(e: Engine[V], a: V, b: V, scc: V) -> V:
    """Take the first source if the condition holds, else the second."""
    return e.select(scc, a, b)


@meaning("move_if_condition", "a d scc:flag")
def move_if_condition(e: Engine[V], a: V, d: V, scc: V) -> V:
    """Copy if the condition holds."""
    return e.select(scc, a, d)


@meaning("move_constant", "number:i16")
def move_constant(e: Engine[V], number: V) -> V:
    """Copy the instruction's own number."""
    return number


@meaning("move_constant_if_condition", "number:i16 d scc:flag")
def move_constant_if_condition(e: Engine[V], number: V, d: V, scc: V) -> V:
    """Copy the instruction's own number if the condition holds."""
    return e.select(scc, number, d)


def lowest_of_four(e: Engine[V], x: V) -> V:
    """Set the lowest bit of each four where any of them is set."""
    any_ = e.or_(x, e.lshr(x, 1))
    any_ = e.or_(any_, e.lshr(any_, 2))
    return e.and_(any_, 0x1111111111111111 & (1 << e.lane(x).bits) - 1)


@meaning("whole_quads", "a", "d scc:flag")
def wholelowest_of_four(e: Engine[V], a: V) -> tuple[V, V]:
    """Set all four bits where any of them is set."""
    result = e.mul(lowest_of_four(e, a), 15)
    return result, is_not_zero(e, result)
