"""Conversions between numbers."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.errors import Unsupported
from wavemma.formats.encode import encode_lanes
from wavemma.formats.format import number_format
from wavemma.machine.meaning import action, meaning
from wavemma.machine.operands import HALF_BITS, Operands
from wavemma.machine.semantics.vector.integer_orders import unsigned_min
from wavemma.machine.value_type import value_type
from wavemma.machine.wave import WaveState

V = TypeVar("V")
_HIGH_RESULT = 8
"""The bit of op_sel, behind those of three sources, that chooses the high half of the result."""


def to_integer(e: Engine[V], x: V, low: float, high: float) -> V:
    """Round floats toward zero to I64, within limits; NaN becomes 0."""
    wide = x if e.lane(x) is Lane.F64 else e.convert(x, Lane.F64)
    limited = e.min(e.max(wide, low), high)
    zero = e.constant(Lane.F64, 0.0)
    return e.convert(e.select(e.is_nan(wide), zero, limited), Lane.I64)


@meaning("to_f32", "a", "d:f32")
def to_f32(e: Engine[V], a: V) -> V:
    """Turn a float or a signed integer into f32, rounded once."""
    return e.convert(a, Lane.F32)


@meaning("to_wide_float", "a", "d")
def to_wide_float(e: Engine[V], a: V) -> V:
    """Turn an f32 or a signed word into a float that is computed as f64."""
    return e.convert(a, Lane.F64)


@meaning("unsigned_to_f32", "a:u32", "d:f32")
def unsigned_to_f32(e: Engine[V], a: V) -> V:
    """Turn an unsigned word into f32, rounded once."""
    return e.convert(e.zero_extend(a, Lane.I64), Lane.F32)


@meaning("unsigned_to_f64", "a:u32", "d:f64")
def unsigned_to_f64(e: Engine[V], a: V) -> V:
    """Turn an unsigned word into f64."""
    return e.convert(e.zero_extend(a, Lane.I64), Lane.F64)


@meaning("to_signed_word", "a", "d:i32")
def to_signed_word(e: Engine[V], a: V) -> V:
    """Round toward zero to a signed word, limited."""
    return e.convert(to_integer(e, a, -(2.0**31), 2.0**31 - 1), Lane.I32)


@meaning("to_unsigned_word", "a", "d:u32")
def to_unsigned_word(e: Engine[V], a: V) -> V:
    """Round toward zero to an unsigned word, limited."""
    return e.convert(to_integer(e, a, 0.0, 2.0**32 - 1), Lane.I32)


@meaning("to_signed_half", "a", "d:i16")
def to_signed_half(e: Engine[V], a: V) -> V:
    """Round toward zero to 16 signed bits, limited."""
    return e.convert(to_integer(e, a, -32768.0, 32767.0), Lane.I32)


@meaning("to_unsigned_half", "a", "d:u16")
def to_unsigned_half(e: Engine[V], a: V) -> V:
    """Round toward zero to 16 unsigned bits, limited."""
    return e.convert(to_integer(e, a, 0.0, 65535.0), Lane.I32)


@meaning("floor_to_word", "a:f32", "d:i32")
def floor_to_word(e: Engine[V], a: V) -> V:
    """Round toward minus infinity to a signed word, limited."""
    return to_signed_word(e, e.floor(a))


@meaning("extend_half", "a", "d:b32")
def extend_half(e: Engine[V], a: V) -> V:
    """Widen 16 bits to 32, by the sign of their type."""
    return a


def _byte(place: int) -> None:
    @meaning(f"byte_{place}_to_f32", "a:b32", "d:f32")
    def convert(e: Engine[V], a: V) -> V:
        return e.convert(e.and_(e.lshr(a, 8 * place), 255), Lane.F32)


for _place in range(4):
    _byte(_place)


@meaning("pack_f16_to_zero", "a:f32 b:f32", "d:b32")
def pack_f16_to_zero(e: Engine[V], a: V, b: V) -> V:
    """Round two f32 toward zero to f16 and pack them; they are never limited to 0..1."""
    form = number_format("f16")
    low, high = (
        e.convert(encode_lanes(e, form, e.convert(x, Lane.F64), "zero", "special"), Lane.I32)
        for x in (a, b)
    )
    return e.or_(low, e.shl(high, 16))


@meaning("nibble_to_f32", "a:b32", "d:f32")
def nibble_to_f32(e: Engine[V], a: V) -> V:
    """Turn the low four bits, signed, into sixteenths."""
    number = e.ashr(e.shl(a, 28), 28)
    return e.mul(e.convert(number, Lane.F32), 2.0**-4)


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


@meaning("pack_bytes_saturated", "a:b32", "d:b16")
def pack_bytes_saturated(e: Engine[V], a: V) -> V:
    """Limit both halves, signed, to unsigned bytes and pack them."""
    low, high = (e.min(e.max(x, 0), 255) for x in (e.ashr(e.shl(a, 16), 16), e.ashr(a, 16)))
    return e.or_(low, e.shl(high, 8))


def _enter_pack(kind: str) -> None:
    """Enter the conversion of two f32 to halves, to nearest whatever the mode says."""
    half = value_type(kind)

    @action(f"pack_{kind}", is_long=True)
    def pack(wave: WaveState[V], operands: Operands[V]) -> None:
        if operands.modifier("clamp") or operands.modifier("omod"):
            raise Unsupported("What clamp and omod do to two packed halves is not known.")
        e, f32 = operands.engine, value_type("f32")
        low, high = (
            half.code(
                e, e.convert(operands.read(role, f32), Lane.F64), keep_finite=wave.keep_finite
            )
            for role in "ab"
        )
        operands.write("d", value_type("b32"), e.or_(low, e.shl(high, HALF_BITS)))


_enter_pack("f16")
_enter_pack("bf16")


def _enter_shifted(name: str, least: int, most: int) -> None:
    """Enter a shift of two signed words whose results are limited and packed into a half."""

    @action(f"shift_right_pack_{name}")
    def pack(wave: WaveState[V], operands: Operands[V]) -> None:
        e, word = operands.engine, value_type("i32")
        chosen = operands.modifier("op_sel")
        if chosen & ~_HIGH_RESULT:
            raise Unsupported("What op_sel of a source does to packed bytes is not known.")
        count = e.and_(operands.read("c", word), 31)
        low, high = (
            e.and_(e.min(e.max(e.ashr(operands.read(role, word), count), least), most), 0xFF)
            for role in "ab"
        )
        code, old = e.or_(low, e.shl(high, 8)), wave.vector(operands.decoded.operands["d"].first)
        if chosen:
            bits = e.or_(e.and_(old, 0xFFFF), e.shl(code, HALF_BITS))
        else:
            bits = e.or_(e.and_(old, -1 << HALF_BITS), code)
        operands.write("d", value_type("b32"), bits)


_enter_shifted("signed", -128, 127)
_enter_shifted("unsigned", 0, 255)
