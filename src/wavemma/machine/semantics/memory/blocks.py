"""Loads and stores of up to 32 registers, of which a mask in a scalar register chooses some."""

from typing import TypeVar

from wavemma.engines.engine import Lane
from wavemma.machine.meaning import action
from wavemma.machine.operands import Operands
from wavemma.machine.semantics.memory.addresses import Place, place_of
from wavemma.machine.value_type import WORD_BITS
from wavemma.machine.wave import WaveState

V = TypeVar("V")
WORD_BYTES = 4
WORDS = 32


def _chosen(wave: WaveState[V], word: int) -> V:
    """Tell in all lanes whether a word is chosen."""
    s = wave.scalars
    bit = s.and_(s.lshr(wave.scalar(wave.codes.m0), word), 1)
    return wave.lanes.eq(wave.spread(bit), 1)


def _at(wave: WaveState[V], place: Place[V], word: int) -> V:
    return wave.lanes.add(place.address, word * WORD_BYTES)


def _present(wave: WaveState[V], chosen: V) -> V:
    return wave.lanes.select(chosen, wave.lanes.constant(Lane.I32, WORD_BYTES), 0)


@action("load_chosen")
def load_chosen(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read the chosen words of 32 that follow each other; other registers keep what they hold."""
    place = place_of(wave, operands, WORDS * WORD_BITS // 8)
    first = operands.decoded.operands["d"].first
    for word in range(WORDS):
        chosen = _chosen(wave, word)
        (new,) = wave.load(place.space, _at(wave, place, word), WORD_BYTES, _present(wave, chosen))
        wave.set_vector(first + word, wave.lanes.select(chosen, new, wave.vector(first + word)))


@action("store_chosen")
def store_chosen(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write the chosen words of 32 that follow each other."""
    place = place_of(wave, operands, WORDS * WORD_BITS // 8)
    first = operands.decoded.operands["data"].first
    for word in range(WORDS):
        present = _present(wave, _chosen(wave, word))
        at = _at(wave, place, word)
        wave.store(place.space, at, [wave.vector(first + word)], WORD_BYTES, present)
