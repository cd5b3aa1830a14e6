"""Counters in the workgroup's memory that the active lanes add to all at once."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import action
from wavemma.machine.operands import Operands
from wavemma.machine.semantics.memory.addresses import lds_base, place_of, size_of
from wavemma.machine.semantics.memory.loads import set_registers
from wavemma.machine.value_type import WORD_BITS
from wavemma.machine.wave import WaveState

V = TypeVar("V")
WORD_BYTES = 4
_WITHIN_LDS = 0xFFF8


def _enter(name: str, count: Callable[..., Any]) -> None:
    def change(e: Engine[V], old: V, values: Sequence[V]) -> V:
        new: V = count(e, old, values[0])
        return new

    @action(name)
    def act(wave: WaveState[V], operands: Operands[V]) -> None:
        e, s = wave.lanes, wave.scalars
        mask = wave.mask(wave.codes.exec)
        below = s.sub(s.and_(mask, s.neg(mask)), 1)
        # The first active lane does it; if there is none, no lane is written.
        first = s.and_(s.convert(s.popcount(below), Lane.I32), wave.size - 1)
        many = wave.spread(s.convert(s.popcount(mask), Lane.I32))
        where = e.eq(wave.lane_numbers(), wave.spread(first))
        address = wave.spread(lds_base(wave, operands))
        old = wave.atomic("lds", address, [many], change, name, where)
        set_registers(
            wave, operands.decoded.operands["d"].first, [wave.spread(wave.pick(old, first))]
        )


_enter("append", lambda e, old, count: e.add(old, count))
_enter("consume", lambda e, old, count: e.sub(old, count))


def _if_asked(e: Engine[V], old: V, values: Sequence[V]) -> V:
    """Take the low 31 bits of the new word if its highest bit is set."""
    new = values[0]
    return e.select(e.lt(new, 0), e.and_(new, (1 << WORD_BITS - 1) - 1), old)


@action("exchange_words_if_asked")
def exchange_words_if_asked(wave: WaveState[V], operands: Operands[V]) -> None:
    """Replace each of two words whose new one has its highest bit set; give what they were."""
    e = wave.lanes
    start = e.and_(place_of(wave, operands, size_of(operands)).address, _WITHIN_LDS)
    first = operands.decoded.operands["data"].first
    words = []
    for place, new in enumerate([wave.vector(first), wave.vector(first + 1)]):
        address = e.add(start, place * WORD_BYTES)
        words.append(wave.atomic("lds", address, [new], _if_asked, "exchange_if_asked"))
    set_registers(wave, operands.decoded.operands["d"].first, words)
