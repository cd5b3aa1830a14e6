"""Sums of products whose operands are taken apart in ways of their own."""

from typing import TypeVar

from wavemma.engines.engine import Lane
from wavemma.engines.fused import add_to_odd
from wavemma.machine.meaning import action, by_mode
from wavemma.machine.operands import HALF_BITS, Operands
from wavemma.machine.other_lanes import lanes_written
from wavemma.machine.rounding_mode import rounding_of
from wavemma.machine.semantics.vector.by_mode import fused
from wavemma.machine.subnormals import result, source
from wavemma.machine.value_type import ValueType, clamped, value_type
from wavemma.machine.wave import WaveState

V = TypeVar("V")
_SOURCES = ("a", "b", "c")
_F16, _F32 = value_type("f16"), value_type("f32")


def _source(operands: Operands[V], role: str) -> V:
    """Read an f32, or one half as f16 if the modifier of its place says so."""
    e, place = operands.engine, _SOURCES.index(role)
    operand = operands.decoded.operands[role]
    kind = _F16 if operands.modifier("op_sel_hi") >> place & 1 else _F32
    bits = operands.word(role, kind)
    if kind is _F16 and operands.modifier("op_sel") >> place & 1:
        bits = e.lshr(bits, HALF_BITS)
    if operand.is_absolute:
        bits = e.and_(bits, kind.sign - 1 if kind is _F32 else 0xFFFF ^ kind.sign)
    if operand.is_negated:
        bits = e.xor(bits, kind.sign)
    value = source(operands, kind, kind.value(e, bits))
    return e.convert(value, Lane.F32) if kind is _F16 else value


def _limited(operands: Operands[V], value: V, kind: ValueType) -> V:
    value = clamped(operands.engine, value) if operands.modifier("clamp") else value
    return result(operands, kind, value)


def _write(wave: WaveState[V], operands: Operands[V], word: V) -> None:
    first = operands.decoded.operands["d"].first
    written = lanes_written(wave, operands.decoded)
    if written is not None:
        word = operands.engine.select(written, word, wave.vector(first))
    wave.set_vector(first, word)


@action("fused_mixed", is_long=True)
def fused_mixed(wave: WaveState[V], operands: Operands[V]) -> None:
    """Multiply and add numbers of f32 and f16, rounded once to f32."""
    e = operands.engine
    value = _limited(operands, e.fma(*(_source(operands, role) for role in _SOURCES)), _F32)
    _write(wave, operands, e.bitcast(value, Lane.I32))


def _half(wave: WaveState[V], operands: Operands[V], shift: int, kept: int) -> None:
    e = operands.engine
    # One rounding, to f16, as compilers' users have measured: the f32 sum is never made.
    a, b, c = (e.convert(_source(operands, role), Lane.F64) for role in _SOURCES)
    value = _limited(operands, add_to_odd(e, e.mul(a, b), c), _F16)
    code = _F16.code(e, value, keep_finite=wave.keep_finite)
    old = e.and_(wave.vector(operands.decoded.operands["d"].first), kept)
    _write(wave, operands, e.or_(old, e.shl(code, shift) if shift else code))


@action("fused_mixed_low", is_long=True)
def fused_mixed_low(wave: WaveState[V], operands: Operands[V]) -> None:
    """Multiply and add numbers of f32 and f16, rounded once to f16 in the low half."""
    _half(wave, operands, 0, -1 << HALF_BITS)


@action("fused_mixed_high", is_long=True)
def fused_mixed_high(wave: WaveState[V], operands: Operands[V]) -> None:
    """Multiply and add numbers of f32 and f16, rounded once to f16 in the high half."""
    _half(wave, operands, HALF_BITS, 0xFFFF)


@by_mode("fused_mixed")
def fused_mixed_by_mode(wave: WaveState[V], operands: Operands[V]) -> None:
    """Multiply and add numbers of f32 and f16, rounded once to f32 as the mode says."""
    e, direction = operands.engine, rounding_of(operands, _F32.name)
    a, b, c = (_source(operands, role) for role in _SOURCES)
    value = _limited(operands, fused(e, a, b, c, direction, _F32), _F32)
    _write(wave, operands, e.bitcast(value, Lane.I32))


def _half_by_mode(wave: WaveState[V], operands: Operands[V], shift: int, kept: int) -> None:
    e, direction = operands.engine, rounding_of(operands, _F16.name)
    a, b, c = (_source(operands, role) for role in _SOURCES)
    value = _limited(operands, fused(e, a, b, c, direction, _F16), _F16)
    code = _F16.code(e, value, keep_finite=wave.keep_finite)
    old = e.and_(wave.vector(operands.decoded.operands["d"].first), kept)
    _write(wave, operands, e.or_(old, e.shl(code, shift) if shift else code))


@by_mode("fused_mixed_low")
def fused_mixed_low_by_mode(wave: WaveState[V], operands: Operands[V]) -> None:
    """Multiply and add, rounded once to f16 in the low half as the mode says."""
    _half_by_mode(wave, operands, 0, -1 << HALF_BITS)


@by_mode("fused_mixed_high")
def fused_mixed_high_by_mode(wave: WaveState[V], operands: Operands[V]) -> None:
    """Multiply and add, rounded once to f16 in the high half as the mode says."""
    _half_by_mode(wave, operands, HALF_BITS, 0xFFFF)


@by_mode("fused_halves_accumulate")
def fused_halves_by_mode(wave: WaveState[V], operands: Operands[V]) -> None:
    """Multiply and add both f16 halves of words to those of the result, as the mode says."""
    e, word = operands.engine, value_type("b32")
    direction = rounding_of(operands, _F16.name)
    words = [operands.word("a", _F16), operands.word("b", _F16), operands.read("d", word)]
    results = []
    for shift in (0, HALF_BITS):
        x, y, z = (source(operands, _F16, _F16.value(e, e.lshr(each, shift))) for each in words)
        found = result(operands, _F16, fused(e, x, y, z, direction, _F16))
        code = _F16.code(e, found, keep_finite=wave.keep_finite)
        results.append(e.shl(code, shift) if shift else code)
    operands.write("d", word, e.or_(results[0], results[1]))
