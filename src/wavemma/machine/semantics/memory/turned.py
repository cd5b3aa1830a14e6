"""Loads of matrices whose rows become columns on the way: lanes exchange what they read."""

from typing import TypeVar

from wavemma.engines.engine import Lane
from wavemma.errors import Unsupported
from wavemma.machine.meaning import action
from wavemma.machine.operands import HALF_BITS, Operands
from wavemma.machine.semantics.memory.addresses import WORD_BYTES, place_of, size_of
from wavemma.machine.semantics.memory.loads import result_of, set_registers
from wavemma.machine.value_type import WORD_BITS
from wavemma.machine.wave import WaveState

V = TypeVar("V")
_EIGHT, _BYTE_BITS, _ROW = 8, 8, 16


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


def _enter_rows(name: str, bits: int) -> None:
    """Enter a load from the workgroup's memory that turns 16 columns of numbers of some bits.

    The words of 16 lanes, one lane behind the other, are rows of 16 numbers; each lane gets a
    column. AMD's manual only says that a matrix is turned: the places are those that compilers
    rely on.
    """

    @action(f"load_turned_{name}", grade="D")
    def load(wave: WaveState[V], operands: Operands[V]) -> None:
        e, result = wave.lanes, operands.decoded.operands["d"]
        size = result.count * WORD_BYTES
        place = place_of(wave, operands, size)
        words = wave.load(place.space, place.address, size, place.present)
        words = [e.select(wave.active(), word, 0) for word in words]
        count = size * _BYTE_BITS // bits
        lanes_of_row = _ROW // count
        first = e.mul(e.and_(wave.lane_numbers(), count - 1), bits)
        numbers = []
        for row in range(count):
            sources = [
                lane & -_ROW | row * lanes_of_row + lane % _ROW // count
                for lane in range(wave.size)
            ]
            taken = [wave.shuffle(word, sources) for word in words]
            numbers.append(_bits_from(wave, taken, first, bits))
        set_registers(wave, result.first, _joined(wave, numbers, bits, result.count))


def _bits_from(wave: WaveState[V], words: list[V], first: V, bits: int) -> V:
    """Take bits from a place on that each lane says; they may lie in two words."""
    e = wave.lanes
    place, skip = e.lshr(first, 5), e.and_(first, WORD_BITS - 1)
    low, high = words[0], words[0]
    for number, word in enumerate(words):
        low = e.select(e.eq(place, number), word, low)
        high = e.select(e.eq(place, number - 1), word, high)
    rest = e.shl(e.shl(high, 1), e.sub(e.constant(Lane.I32, WORD_BITS - 1), skip))
    return e.and_(e.or_(e.lshr(low, skip), rest), (1 << bits) - 1)


def _joined(wave: WaveState[V], numbers: list[V], bits: int, count: int) -> list[V]:
    """Put numbers one behind the other into words."""
    e = wave.lanes
    found = [e.constant(Lane.I32, 0) for _ in range(count)]
    for place, number in enumerate(numbers):
        word, skip = divmod(place * bits, WORD_BITS)
        found[word] = e.or_(found[word], e.shl(number, skip))
        if skip + bits > WORD_BITS:
            found[word + 1] = e.or_(found[word + 1], e.lshr(number, WORD_BITS - skip))
    return found


for _name, _bits in (("b16", 16), ("b8", 8), ("b6", 6), ("b4", 4)):
    _enter_rows(_name, _bits)
