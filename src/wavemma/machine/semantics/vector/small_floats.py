"""Conversions between f32 and floats of 8 bits."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.formats.decode import decode_lanes
from wavemma.formats.encode import encode_lanes
from wavemma.formats.format import Format, number_format
from wavemma.machine.meaning import action, meaning
from wavemma.machine.operands import Operands
from wavemma.machine.value_type import value_type
from wavemma.machine.wave import WaveState

V = TypeVar("V")
_BYTE = 8


def _f32_bits(e: Engine[V], form: Format, word: V, shift: int) -> V:
    """Give the f32 bits of the 8-bit float that begins at a bit of a word."""
    code = e.and_(e.lshr(word, shift), 0xFF)
    value = decode_lanes(e, form, e.zero_extend(code, Lane.I64))
    return e.bitcast(e.convert(value, Lane.F32), Lane.I32)


def _code(e: Engine[V], form: Format, x: V) -> V:
    """Round f32 to an 8-bit float; what is too large becomes infinity, or NaN if there is none."""
    code = encode_lanes(e, form, e.convert(x, Lane.F64), "nearest_even", "special")
    return e.convert(code, Lane.I32)


def _enter(name: str) -> None:
    form = number_format(f"{name}_ocp")

    @action(f"{name}_to_f32")
    def one(wave: WaveState[V], operands: Operands[V]) -> None:
        word = operands.read("a", value_type("b32"))
        shift = _BYTE * operands.modifier("byte_sel")
        bits = _f32_bits(operands.engine, form, word, shift)
        operands.write("d", value_type("b32"), bits)

    @meaning(f"{name}_pair_to_f32", "a:b16", "d:b64")
    def pair(e: Engine[V], a: V) -> V:
        low, high = (e.zero_extend(_f32_bits(e, form, a, shift), Lane.I64) for shift in (0, _BYTE))
        return e.or_(low, e.shl(high, Lane.I32.bits))

    @meaning(f"{name}_pack", "a:f32 b:f32", "d:b16")
    def pack(e: Engine[V], a: V, b: V) -> V:
        return e.or_(_code(e, form, a), e.shl(_code(e, form, b), _BYTE))


_enter("fp8")
_enter("bf8")
