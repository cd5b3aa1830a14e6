"""Moves of pairs of registers."""

from typing import TypeVar

from wavemma.engines.engine import Lane
from wavemma.errors import Unsupported
from wavemma.machine.meaning import action
from wavemma.machine.operands import B32, Operands
from wavemma.machine.packed import word_of_pair
from wavemma.machine.value_type import WORD_BITS, value_type
from wavemma.machine.wave import WaveState

V = TypeVar("V")


@action("move_words")
def move_words(wave: WaveState[V], operands: Operands[V]) -> None:
    """Copy one word of the first source below one of the second; op_sel says which ones."""
    e, chosen = operands.engine, operands.modifier("op_sel")
    if operands.modifier("neg_lo") or operands.modifier("neg_hi") or operands.modifier("clamp"):
        raise Unsupported("What signs and clamp do to a move of words is not known.")
    low = word_of_pair(operands, "a", B32, chosen & 1)
    high = word_of_pair(operands, "b", B32, chosen >> 1 & 1)
    wide = e.shl(e.zero_extend(high, Lane.I64), WORD_BITS)
    operands.write("d", value_type("b64"), e.or_(e.zero_extend(low, Lane.I64), wide))
