"""Scalar registers whose numbers count from M0."""

from typing import TypeVar

from wavemma.engines.engine import Lane
from wavemma.machine.meaning import action
from wavemma.machine.operands import Operands
from wavemma.machine.value_type import value_type
from wavemma.machine.wave import WaveState

V = TypeVar("V")
# The numbers in M0 of instructions that move source and result by different ones.
_OFFSET_MASK, _RESULT_AT = 0x3FF, 16


def source_offset(wave: WaveState[V]) -> V:
    """Give how far the source moves where the result moves by another number."""
    return wave.scalars.and_(wave.scalar(wave.codes.m0), _OFFSET_MASK)


def result_offset(wave: WaveState[V]) -> V:
    """Give how far the result moves where the source moves by another number."""
    e = wave.scalars
    return e.and_(e.lshr(wave.scalar(wave.codes.m0), _RESULT_AT), _OFFSET_MASK)


@action("move_from_relative_scalar")
def move_from_relative_scalar(wave: WaveState[V], operands: Operands[V]) -> None:
    """Copy from the registers that lie M0 behind the source."""
    source, result = operands.decoded.operands["a"], operands.decoded.operands["d"]
    m0 = wave.scalar(wave.codes.m0)
    values = [_read(wave, source.code + place, m0) for place in range(result.count)]
    _write_words(wave, result.code, values)


@action("move_to_relative_scalar")
def move_to_relative_scalar(wave: WaveState[V], operands: Operands[V]) -> None:
    """Copy to the registers that lie M0 behind the result."""
    e, result = wave.scalars, operands.decoded.operands["d"]
    value = operands.read("a", value_type(f"b{32 * result.count}"))
    m0 = wave.scalar(wave.codes.m0)
    if result.count == 1:
        _write(wave, result.code, m0, value)
        return
    _write(wave, result.code, m0, e.convert(value, Lane.I32))
    _write(wave, result.code + 1, m0, e.convert(e.lshr(value, 32), Lane.I32))


@action("move_between_relative_scalars")
def move_between_relative_scalars(wave: WaveState[V], operands: Operands[V]) -> None:
    """Copy between registers that lie two numbers of M0 behind source and result."""
    source, result = operands.decoded.operands["a"], operands.decoded.operands["d"]
    value = _read(wave, source.code, source_offset(wave))
    _write(wave, result.code, result_offset(wave), value)


def _read(wave: WaveState[V], code: int, offset: V) -> V:
    return wave.scalar_at(wave.scalars.add(offset, code))


def _write(wave: WaveState[V], code: int, offset: V, value: V) -> None:
    wave.set_scalar_at(wave.scalars.add(offset, code), value)


def _write_words(wave: WaveState[V], code: int, values: list[V]) -> None:
    for place, value in enumerate(values):
        wave.set_scalar(code + place, value)
