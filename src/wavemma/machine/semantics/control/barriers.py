"""Barriers of the workgroup, in one instruction or in two."""

from typing import Any

from wavemma.errors import Unsupported
from wavemma.machine.meaning import action
from wavemma.machine.operands import Operands
from wavemma.machine.wave import WaveState

# Numbers of barriers: of the workgroup, and one that is none.
_WORKGROUP, _NONE = -1, 0
_NUMBER_BITS = 16


@action("barrier", suspends=True)
def barrier(wave: WaveState[Any], operands: Operands[Any]) -> None:
    """Arrive at the barrier of the workgroup and wait for the others."""
    wave.signal()
    wave.wait()


@action("arrive")
def arrive(wave: WaveState[Any], operands: Operands[Any]) -> None:
    """Arrive at the barrier of the workgroup."""
    if _number_of_source(operands) == _WORKGROUP:
        wave.signal()


@action("arrive_and_tell_first")
def arrive_and_tell_first(wave: WaveState[Any], operands: Operands[Any]) -> None:
    """Arrive at the barrier of the workgroup; the condition: no other wave was there before."""
    if _number_of_source(operands) == _WORKGROUP:
        wave.set_scc(wave.is_first())
        wave.signal()
    else:
        wave.set_scc(wave.scalars.constant(wave.scalars.lane(wave.scc()), 0))


@action("await_others", suspends=True)
def await_others(wave: WaveState[Any], operands: Operands[Any]) -> None:
    """Wait until all waves have arrived where this wave has."""
    number = operands.decoded.operands["number"].value
    number -= number >> _NUMBER_BITS - 1 << _NUMBER_BITS
    if _known(operands, number) == _WORKGROUP:
        wave.wait()


def _number_of_source(operands: Operands[Any]) -> int:
    operand = operands.decoded.operands["a"]
    if operand.kind != "inline_integer":
        _refuse(operands, "its barrier is known only when it runs")
    return _known(operands, operand.first)


def _known(operands: Operands[Any], number: int) -> int:
    if number not in (_WORKGROUP, _NONE):
        _refuse(operands, f"barrier {number} is not known here")
    return number


def _refuse(operands: Operands[Any], why: str) -> None:
    row = operands.decoded.instruction.row
    raise Unsupported(f"'{row.name}' cannot be run: {why}.", subject=row.name)
