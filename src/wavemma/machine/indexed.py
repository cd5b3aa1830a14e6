"""Moves whose registers count from M0, between the instructions that say so and take it back.

Which operands count is known where code is translated, for nothing but the instructions in a
straight line behind says it; only moves of words are known to be used so.
"""

from typing import TypeVar

from wavemma.errors import Unsupported
from wavemma.isa.ordinary import AnyDecoded, DecodedOrdinary
from wavemma.machine.operands import B32, Operands
from wavemma.machine.wave import WaveState

V = TypeVar("V")
SOURCE, RESULT = 1, 8
"""Bits of the operands that count: the first source, the result."""
INDEX_BITS = 8
CHOICE_BITS = 4
_MOVE = "move"
_BEGIN, _CHOOSE, _END = "count_from_index", "choose_indexed", "count_no_more"


def indexed_after(decoded: AnyDecoded, indexed: int | None) -> int | None:
    """Tell which operands count behind an instruction; None where none may.

    Args:
        decoded: The instruction.
        indexed: Which ones count before it.

    """
    if not isinstance(decoded, DecodedOrdinary):
        return indexed
    meaning = decoded.instruction.row.meaning
    if meaning == _END or (meaning == _CHOOSE and indexed is None):
        return None
    return chosen(decoded) if meaning in (_BEGIN, _CHOOSE) else indexed


def chosen(decoded: DecodedOrdinary) -> int:
    """Give the operands that an instruction chooses."""
    return decoded.operands["number"].value & (1 << CHOICE_BITS) - 1


def counts_from_index(wave: WaveState[V], decoded: DecodedOrdinary) -> bool:
    """Tell whether vector registers of an instruction may count from M0."""
    if wave.indexed is None:
        return False
    return any(each.kind == "vgpr" for each in decoded.operands.values())


def move_by_index(wave: WaveState[V], operands: Operands[V]) -> None:
    """Copy a word, from or to the register that lies M0 behind the one that is named.

    Raises:
        Unsupported: The instruction is no such move.

    """
    decoded, indexed = operands.decoded, wave.indexed or 0
    row, named = decoded.instruction.row, decoded.operands
    if row.meaning != _MOVE or decoded.instruction.extension is not None or named["d"].count > 1:
        raise Unsupported(f"'{row.name}' with registers that count from M0 is not modelled.")
    e = wave.scalars
    offset = e.and_(wave.scalar(wave.codes.m0), (1 << INDEX_BITS) - 1)
    if indexed & SOURCE and named["a"].kind == "vgpr":
        value = wave.vector_at(e.add(offset, named["a"].first))
    else:
        value = operands.read("a", B32)
    if indexed & RESULT:
        wave.set_vector_at(e.add(offset, named["d"].first), value)
    else:
        operands.write("d", B32, value)
