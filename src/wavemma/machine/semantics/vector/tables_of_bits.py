"""Results chosen bit by bit from a table, and bits that look random."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import action, meaning
from wavemma.machine.operands import Operands
from wavemma.machine.value_type import types_of_row, value_type
from wavemma.machine.wave import WaveState

V = TypeVar("V")
_ROLES = ("a", "b", "c")
_TAPS = 197
"""What a register of shifted bits is changed by when a one falls out of it."""


@meaning("next_random", "a:b32", "d:b32")
def next_random(e: Engine[V], a: V) -> V:
    """Shift left by one bit; where a one falls out, flip the bits of the feedback."""
    feedback = e.and_(e.ashr(a, Lane.I32.bits - 1), _TAPS)
    return e.xor(e.shl(a, 1), feedback)


@action("table_of_bits")
def table_of_bits(wave: WaveState[V], operands: Operands[V]) -> None:
    """Choose each bit of the result by the bits of three sources.

    They count the places of the table of eight bits that the instruction holds, those of the first
    source four each and those of the second two. A third source that is not there is 0.
    """
    e, table = operands.engine, operands.modifier("bitop3")
    kind = value_type(types_of_row(operands.decoded.instruction.row.type)[0])
    roles = [role for role in _ROLES if role in operands.decoded.operands]
    sources = [operands.read(role, kind) for role in roles]
    found = e.constant(Lane.I32, 0)
    for place in range(0, 8, 1 << len(_ROLES) - len(roles)):
        if table >> place & 1:
            term = e.constant(Lane.I32, -1)
            for at, x in enumerate(sources):
                term = e.and_(term, x if place >> 2 - at & 1 else e.not_(x))
            found = e.or_(found, term)
    operands.write("d", kind, found)
