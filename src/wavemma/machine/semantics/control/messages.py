"""Messages that are answered."""

from typing import TypeVar

from wavemma.engines.engine import Lane
from wavemma.machine.meaning import action
from wavemma.machine.operands import Operands
from wavemma.machine.value_type import types_of_row, value_type
from wavemma.machine.wave import WaveState
from wavemma.tables.abi import numbers

V = TypeVar("V")
_TIME = "RTN_GET_REALTIME"


@action("ask")
def ask(wave: WaveState[V], operands: Operands[V]) -> None:
    """Get the time, or 0 for what has no meaning outside of a device."""
    e, decoded = wave.scalars, operands.decoded
    kind = value_type(types_of_row(decoded.instruction.row.type)[0])
    number = decoded.operands["number"].value
    if number == numbers("message", decoded.instruction.architecture)[_TIME]:
        time = wave.clock()
        answer = time if kind.lane is Lane.I64 else e.convert(time, Lane.I32)
    else:
        answer = e.constant(kind.lane, 0)
    operands.write("d", kind, answer)


@action("read_clock")
def read_clock(wave: WaveState[V], operands: Operands[V]) -> None:
    """Get the time."""
    operands.write("d", value_type("b64"), wave.clock())
