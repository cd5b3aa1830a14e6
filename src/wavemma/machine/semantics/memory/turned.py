"""Loads of matrices whose rows become columns on the way: lanes exchange what they read."""

from typing import TypeVar

from wavemma.errors import Unsupported
from wavemma.machine.meaning import action
from wavemma.machine.operands import HALF_BITS, Operands
from wavemma.machine.semantics.memory.addresses import place_of, size_of
from wavemma.machine.semantics.memory.loads import result_of, set_registers
from wavemma.machine.value_type import WORD_BITS
from wavemma.machine.wave import WaveState

V = TypeVar("V")
_EIGHT, _BYTE_BITS = 8, 8


def _read(wave: WaveState[V], operands: Operands[V]) -> list[V]:
    """Read what each lane names, zeros where it is not active.

    Raises:
        Unsupported: The wave has 64 lanes: which of them get what is not known here.

    """
    if wave.size != 32:
        row = operands.decoded.instruction.row
        raise Unsupported(
            f"'{row.name}' cannot be run: what lanes of a wave of 64 get is not known here.",
            subject=row.name,
        )
    size = size_of(operands)
    place = place_of(wave, operands, size)
    words = wave.load(place.space, place.address, size, place.present)
    return [wave.lanes.select(wave.active(), word, 0) for word in words]


def _part(wave: WaveState[V], words: list[V], which: V, bits: int) -> V:
    """Take for each lane the number of a width whose place in its words a register says."""
    e = wave.lanes
    per_word = WORD_BITS // bits
    chosen = words[0]
    for place, word in enumerate(words):
        chosen = e.select(e.lt(which, place * per_word), chosen, word)
    amount = e.mul(e.and_(which, per_word - 1), bits)
    return e.and_(e.lshr(chosen, amount), (1 << bits) - 1)


def _turned(wave: WaveState[V], words: list[V], bits: int, sources: list[list[int]]) -> list[V]:
    """Put together for each lane the numbers of other lanes.

    Args:
        wave: The wave.
        words: What each lane has read: eight numbers, of which lane i of eight gets number i.
        bits: Of a number.
        sources: For each number of a result, the lane that each lane takes it from.

    """
    e = wave.lanes
    per_word = WORD_BITS // bits
    which = e.and_(wave.lane_numbers(), _EIGHT - 1)
    found: list[V] = []
    for number, lanes in enumerate(sources):
        taken = [wave.shuffle(word, lanes) for word in words]
        part = e.shl(_part(wave, taken, which, bits), number % per_word * bits)
        if number % per_word:
            found[-1] = e.or_(found[-1], part)
        else:
            found.append(part)
    return found


@action("load_turned_halves")
def load_turned_halves(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read eight halves a lane, and turn the squares of each eight lanes.

    Lane i of eight gets half i of all eight lanes.
    """
    words = _read(wave, operands)
    sources = [[lane & -_EIGHT | number for lane in range(wave.size)] for number in range(_EIGHT)]
    found = _turned(wave, words, HALF_BITS, sources)
    set_registers(wave, result_of(operands).first, found)


@action("load_turned_bytes")
def load_turned_bytes(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read eight bytes a lane, and turn the squares of each sixteen lanes.

    Of 16 lanes, those numbered 0..3 and 8..11 hold the left halves of eight rows and the others
    the right halves; each lane gets a column of the eight rows.
    """
    words = _read(wave, operands)
    sources = [
        [lane & 16 | (lane & 8) >> 1 | (number & 4) << 1 | number & 3 for lane in range(wave.size)]
        for number in range(_EIGHT)
    ]
    found = _turned(wave, words, _BYTE_BITS, sources)
    set_registers(wave, result_of(operands).first, found)
