"""Conversions between f32 and floats of 8 bits."""

from collections.abc import Callable
from typing import Any, TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.formats.decode import decode_lanes
from wavemma.formats.encode import Overflow, encode_lanes
from wavemma.formats.format import Format, number_format
from wavemma.machine.meaning import action, meaning
from wavemma.machine.operands import HALF_BITS, Operands
from wavemma.machine.value_type import value_type
from wavemma.machine.wave import WaveState
from wavemma.tables.instructions import Grade

V = TypeVar("V")
_BYTE = 8
_HIGH_RESULT = 4
"""The bit of op_sel, behind those of both sources, that chooses the high half of the result."""
_BYTE_AT = 2
_F32_FRACTION, _F32_BIAS, _SIGN, _INFINITY = 23, 127, 1 << 31, 0x7F800000


def _f32_bits(e: Engine[V], form: Format, word: V, shift: int) -> V:
    """Give the f32 bits of the 8-bit float that begins at a bit of a word."""
    code = e.and_(e.lshr(word, shift), 0xFF)
    value = decode_lanes(e, form, e.zero_extend(code, Lane.I64))
    return e.bitcast(e.convert(value, Lane.F32), Lane.I32)


def _code(e: Engine[V], form: Format, x: V, finite: bool) -> V:
    """Round f32 to an 8-bit float.

    What is too large becomes infinity, or NaN if there is none; or the largest number, if the mode
    keeps numbers finite and it was one.
    """
    overflow: Overflow = "saturate_finite" if finite else "special"
    code = encode_lanes(e, form, e.convert(x, Lane.F64), "nearest_even", overflow)
    return nan_made_one(e, form, x, e.convert(code, Lane.I32))


def nan_made_one(e: Engine[V], form: Format, x: V, code: V) -> V:
    """Give every NaN the code that hardware gives it, with the sign set."""
    nan = form.nan_code
    assert nan is not None
    return e.select(e.is_nan(x), e.constant(Lane.I32, nan | form.sign_bit), code)


def _drawn_code(e: Engine[V], form: Format, x: V, seed: V, finite: bool) -> V:
    """Round f32 to an 8-bit float: up by the high bits of a random word, then toward zero.

    Below the normal numbers bits are cut off before the random ones are added.
    """
    bits = e.bitcast(x, Lane.I32)
    size = e.and_(bits, _SIGN - 1)
    exponent = e.sub(e.lshr(size, _F32_FRACTION), _F32_BIAS - form.bias)
    above = e.max(e.sub(exponent, 1), 0)
    below = e.min(e.max(e.sub(e.constant(Lane.I32, 1), exponent), 0), Lane.I32.bits - 1)
    significand = e.or_(e.and_(size, (1 << _F32_FRACTION) - 1), 1 << _F32_FRACTION)
    dropped = _F32_FRACTION - form.fraction
    drawn = e.lshr(seed, Lane.I32.bits - dropped)
    units = e.lshr(e.add(e.lshr(significand, below), drawn), dropped)
    beyond = form.infinity_code if form.infinity else form.nan_code
    assert beyond is not None
    limit = e.constant(Lane.I32, beyond)
    if finite:
        limit = e.select(e.eq(size, _INFINITY), limit, form.max_code)
    code = e.min(e.add(units, e.shl(above, form.fraction)), limit)
    sign = e.shl(e.lshr(bits, Lane.I32.bits - 1), 7)
    if not form.has_negative_zero:
        sign = e.select(e.eq(code, 0), e.constant(Lane.I32, 0), sign)
    code = e.or_(code, sign)
    return nan_made_one(e, form, x, code)


def _enter(name: str, format_name: str) -> None:
    form = number_format(format_name)

    @action(f"{name}_to_f32", is_long=True)
    def one(wave: WaveState[V], operands: Operands[V]) -> None:
        word = operands.read("a", value_type("b32"))
        shift = _BYTE * operands.modifier("byte_sel")
        bits = _f32_bits(operands.engine, form, word, shift)
        operands.write("d", value_type("b32"), bits)

    @meaning(f"{name}_pair_to_f32", "a:b16", "d:b64", is_long=True)
    def pair(e: Engine[V], a: V) -> V:
        low, high = (e.zero_extend(_f32_bits(e, form, a, shift), Lane.I64) for shift in (0, _BYTE))
        return e.or_(low, e.shl(high, Lane.I32.bits))


def _pair_code(operands: Operands[V], form: Format) -> V:
    """Convert both sources, and put the second above the first."""
    e, finite, f32 = operands.engine, operands.wave.keep_finite, value_type("f32")
    low, high = (_code(e, form, operands.read(role, f32), finite) for role in "ab")
    return e.or_(low, e.shl(high, _BYTE))


def _enter_pack(name: str, form: Format) -> None:
    """Enter the conversion of two f32 to what a half holds; the row says which half."""

    @action(f"{name}_pack", is_long=True)
    def pack(wave: WaveState[V], operands: Operands[V]) -> None:
        operands.write("d", value_type("b16"), _pair_code(operands, form))


def _enter_pack_into_half(name: str, form: Format) -> None:
    """Enter the same where op_sel alone says which half of the register changes."""

    @action(f"{name}_pack_into_half", is_long=True)
    def pack(wave: WaveState[V], operands: Operands[V]) -> None:
        e, code = operands.engine, _pair_code(operands, form)
        old = wave.vector(operands.decoded.operands["d"].first)
        if operands.modifier("op_sel") & _HIGH_RESULT:
            bits = e.or_(e.and_(old, 0xFFFF), e.shl(code, HALF_BITS))
        else:
            bits = e.or_(e.and_(old, -1 << HALF_BITS), code)
        operands.write("d", value_type("b32"), bits)


def _enter_drawn(
    name: str, format_name: str, place: Callable[[Operands[Any]], int], grade: Grade
) -> None:
    """Enter the conversion of one f32 to one byte, whose place in the result is told."""
    form = number_format(format_name)

    @action(f"{name}_drawn", grade=grade, is_long=True)
    def drawn(wave: WaveState[V], operands: Operands[V]) -> None:
        e, shift = operands.engine, _BYTE * place(operands)
        a, seed = operands.read("a", value_type("f32")), operands.read("b", value_type("b32"))
        kept = e.and_(operands.read("d", value_type("b32")), ~(0xFF << shift))
        found = e.shl(_drawn_code(e, form, a, seed, wave.keep_finite), shift)
        operands.write("d", value_type("b32"), e.or_(kept, found))


def _by_byte(operands: Operands[Any]) -> int:
    return operands.modifier("byte_sel")


def _by_half(operands: Operands[Any]) -> int:
    """Give the byte that the bits of op_sel behind those of both sources name."""
    return operands.modifier("op_sel") >> _BYTE_AT


for _name in ("fp8", "bf8"):
    _enter(_name, f"{_name}_ocp")
    _enter_pack(_name, number_format(f"{_name}_ocp"))
    _enter_drawn(_name, f"{_name}_ocp", _by_byte, "V")
    _enter_pack_into_half(_name, number_format(f"{_name}_ocp"))
    _enter_drawn(f"{_name}_by_half", f"{_name}_ocp", _by_half, "D")
    _enter(f"{_name}_fnuz", f"{_name}_fnuz")
    _enter_pack_into_half(f"{_name}_fnuz", number_format(f"{_name}_fnuz"))
    # AMD's manual adds the same random bits to numbers of these formats; nobody has compared
    # hardware.
    _enter_drawn(f"{_name}_fnuz", f"{_name}_fnuz", _by_half, "D")
