"""Barriers of the workgroup, in one instruction or in two."""

from typing import Any

from wavemma.errors import Unsupported
from wavemma.machine.meaning import action
from wavemma.machine.operands import Operands
from wavemma.machine.value_type import value_type
from wavemma.machine.wave import WaveState

# Numbers of barriers: of the workgroup, and one that is none.
_WORKGROUP, _NONE = -1, 0
_NUMBER_BITS = 16
# The state of a barrier, as AMD's manual of RDNA4 has it.
_VALID, _MEMBERS_BIT, _ARRIVED_BIT = 1, 4, 16


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
        wave.set_scc(wave.scalars.eq(wave.arrived(), 0))
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


@action("barrier_state")
def barrier_state(wave: WaveState[Any], operands: Operands[Any]) -> None:
    """Tell how many waves have arrived at the barrier of the workgroup, and how many it has."""
    if _number_of_source(operands) != _WORKGROUP:
        _refuse(operands, "the state of no barrier is not known here")
    e = wave.scalars
    state = e.or_(e.shl(wave.expected(), _MEMBERS_BIT), e.shl(wave.arrived(), _ARRIVED_BIT))
    operands.write("d", value_type("b32"), e.or_(state, _VALID))


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
