"""Which operands of moves count from M0, and by how much: see `machine.indexed`."""

from typing import TypeVar

from wavemma.engines.engine import Lane
from wavemma.machine.indexed import CHOICE_BITS, INDEX_BITS, chosen, indexed_after
from wavemma.machine.meaning import action
from wavemma.machine.operands import B32, Operands
from wavemma.machine.wave import WaveState
from wavemma.tables.abi import bit_fields

V = TypeVar("V")
_CHOICE_AT = 12
"""Where M0 says which operands count."""


@action("count_from_index", holds=True)
def count_from_index(wave: WaveState[V], operands: Operands[V]) -> None:
    """Let operands count from M0, and set which ones and by how much."""
    set_index(wave, operands)
    choose_indexed(wave, operands)
    _set_mode(wave, operands, 1)


@action("count_no_more", holds=False)
def count_no_more(wave: WaveState[V], operands: Operands[V]) -> None:
    """Let no operands count from M0."""
    wave.indexed = indexed_after(operands.decoded, wave.indexed)
    _set_mode(wave, operands, 0)


@action("choose_indexed")
def choose_indexed(wave: WaveState[V], operands: Operands[V]) -> None:
    """Set which operands count, if any do."""
    wave.indexed = indexed_after(operands.decoded, wave.indexed)
    choice = wave.scalars.constant(Lane.I32, chosen(operands.decoded))
    _put(wave, _CHOICE_AT, CHOICE_BITS, choice)


@action("set_index")
def set_index(wave: WaveState[V], operands: Operands[V]) -> None:
    """Set by how much operands count."""
    _put(wave, 0, INDEX_BITS, operands.read("a", B32))


def _put(wave: WaveState[V], first: int, width: int, value: V) -> None:
    """Replace bits of M0."""
    e, mask = wave.scalars, (1 << width) - 1
    others = e.and_(wave.scalar(wave.codes.m0), ~(mask << first))
    wave.set_scalar(wave.codes.m0, e.or_(others, e.shl(e.and_(value, mask), first)))


def _set_mode(wave: WaveState[V], operands: Operands[V], bit: int) -> None:
    place = bit_fields("MODE", operands.decoded.instruction.architecture)["GPR_IDX_EN"].lo
    e = wave.scalars
    wave.set_mode(e.or_(e.and_(wave.mode(), ~(1 << place)), bit << place))
