"""Conversions of floats to small integers that keep the nearest number that there is."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import meaning
from wavemma.machine.semantics.vector.conversions import to_integer

V = TypeVar("V")
_SIGNED, _UNSIGNED = 32767, 65535
"""What 1 becomes as a normalised number of 16 bits."""
_HALF = 16


def _packed(e: Engine[V], low: V, high: V) -> V:
    return e.or_(e.and_(low, 0xFFFF), e.shl(high, _HALF))


def _normalised(e: Engine[V], x: V, one: int, least: int) -> V:
    """Multiply by what 1 becomes, exactly, and round to nearest even; NaN becomes 0."""
    wide = x if e.lane(x) is Lane.F64 else e.convert(x, Lane.F64)
    number = e.nearest(e.mul(wide, float(one)))
    return e.convert(to_integer(e, number, float(least), float(one)), Lane.I32)


def _signed(e: Engine[V], x: V) -> V:
    return _normalised(e, x, _SIGNED, -_SIGNED)


def _unsigned(e: Engine[V], x: V) -> V:
    return _normalised(e, x, _UNSIGNED, 0)


@meaning("normalise_signed", "a", "d:i16")
def normalise_signed(e: Engine[V], a: V) -> V:
    """Turn -1..1 into 16 signed bits, limited."""
    return _signed(e, a)


@meaning("normalise_unsigned", "a", "d:u16")
def normalise_unsigned(e: Engine[V], a: V) -> V:
    """Turn 0..1 into 16 unsigned bits, limited."""
    return _unsigned(e, a)


@meaning("pack_normalised_signed", "a b", "d:b32")
def pack_normalised_signed(e: Engine[V], a: V, b: V) -> V:
    """Turn two numbers of -1..1 into 16 signed bits each, limited."""
    return _packed(e, _signed(e, a), _signed(e, b))


@meaning("pack_normalised_unsigned", "a b", "d:b32")
def pack_normalised_unsigned(e: Engine[V], a: V, b: V) -> V:
    """Turn two numbers of 0..1 into 16 unsigned bits each, limited."""
    return _packed(e, _unsigned(e, a), _unsigned(e, b))


@meaning("pack_to_signed", "a:f32 b:f32", "d:b32")
def pack_to_signed(e: Engine[V], a: V, b: V) -> V:
    """Round two numbers toward zero to 16 signed bits each, limited."""
    low, high = (e.convert(to_integer(e, x, -32768.0, 32767.0), Lane.I32) for x in (a, b))
    return _packed(e, low, high)


@meaning("pack_to_unsigned", "a:f32 b:f32", "d:b32")
def pack_to_unsigned(e: Engine[V], a: V, b: V) -> V:
    """Round two numbers toward zero to 16 unsigned bits each, limited."""
    low, high = (e.convert(to_integer(e, x, 0.0, 65535.0), Lane.I32) for x in (a, b))
    return _packed(e, low, high)


@meaning("put_byte", "a:f32 b:u32 c:b32", "d:b32")
def put_byte(e: Engine[V], a: V, b: V, c: V) -> V:
    """Round to the nearest unsigned byte, ties to even, and put it where the second says."""
    byte = e.convert(to_integer(e, e.nearest(a), 0.0, 255.0), Lane.I32)
    place = e.mul(e.and_(b, 3), 8)
    hole = e.not_(e.shl(e.constant(Lane.I32, 255), place))
    return e.or_(e.and_(c, hole), e.shl(byte, place))


@meaning("put_byte_into_result", "a:f32 b:u32 d:b32", "d:b32")
def put_byte_into_result(e: Engine[V], a: V, b: V, d: V) -> V:
    """Do the same with the bytes of the result."""
    return put_byte(e, a, b, d)


@meaning("half_up_to_word", "a:f32", "d:i32")
def half_up_to_word(e: Engine[V], a: V) -> V:
    """Round to the nearest signed word, ties toward infinity, limited."""
    number = e.floor(e.add(e.convert(a, Lane.F64), 0.5))
    return e.convert(to_integer(e, number, -(2.0**31), 2.0**31 - 1), Lane.I32)
