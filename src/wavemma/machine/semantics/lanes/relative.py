"""Vector registers whose numbers count from M0."""

from typing import TypeVar

from wavemma.machine.meaning import action
from wavemma.machine.operands import B32, Operands
from wavemma.machine.other_lanes import from_other_lanes, lanes_written
from wavemma.machine.semantics.scalar.relative import result_offset, source_offset
from wavemma.machine.wave import WaveState

V = TypeVar("V")


@action("move_from_relative")
def move_from_relative(wave: WaveState[V], operands: Operands[V]) -> None:
    """Copy from the register that lies M0 behind the source."""
    operands.write("d", B32, _read(wave, operands, wave.scalar(wave.codes.m0)))


@action("move_to_relative")
def move_to_relative(wave: WaveState[V], operands: Operands[V]) -> None:
    """Copy to the register that lies M0 behind the result."""
    _write(wave, operands, wave.scalar(wave.codes.m0), operands.read("a", B32))


@action("move_between_relative")
def move_between_relative(wave: WaveState[V], operands: Operands[V]) -> None:
    """Copy between the registers that lie M0 behind source and result."""
    m0 = wave.scalar(wave.codes.m0)
    _write(wave, operands, m0, _read(wave, operands, m0))


@action("move_between_relative_apart")
def move_between_relative_apart(wave: WaveState[V], operands: Operands[V]) -> None:
    """Copy between the registers that lie two numbers of M0 behind source and result."""
    value = _read(wave, operands, source_offset(wave))
    _write(wave, operands, result_offset(wave), value)


@action("exchange_relative")
def exchange_relative(wave: WaveState[V], operands: Operands[V]) -> None:
    """Exchange the registers that lie two numbers of M0 behind source and result."""
    e, named = wave.scalars, operands.decoded.operands
    first = e.add(result_offset(wave), named["d"].first)
    second = e.add(source_offset(wave), named["a"].first)
    one, other = wave.vector_at(first), wave.vector_at(second)
    wave.set_vector_at(first, other)
    wave.set_vector_at(second, one)


def _read(wave: WaveState[V], operands: Operands[V], offset: V) -> V:
    number = wave.scalars.add(offset, operands.decoded.operands["a"].first)
    value = wave.vector_at(number)
    if operands.decoded.instruction.extension is None:
        return value
    return from_other_lanes(wave, operands.decoded, value)


def _write(wave: WaveState[V], operands: Operands[V], offset: V, value: V) -> None:
    number = wave.scalars.add(offset, operands.decoded.operands["d"].first)
    written = lanes_written(wave, operands.decoded)
    if written is not None:
        value = wave.lanes.select(written, value, wave.vector_at(number))
    wave.set_vector_at(number, value)
