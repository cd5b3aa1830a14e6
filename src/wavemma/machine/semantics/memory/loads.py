"""Loads of vector registers."""

from typing import TypeVar

from wavemma.isa.ordinary import OrdinaryOperand
from wavemma.machine.meaning import action
from wavemma.machine.offsets import signed_offset
from wavemma.machine.operands import HALF_BITS, Operands
from wavemma.machine.semantics.memory.addresses import (
    BUFFER,
    WORD_BYTES,
    Place,
    address_by_lane,
    place_of,
    refuse_unknown,
    size_of,
    space_of,
)
from wavemma.machine.semantics.memory.buffers import buffer_bytes, is_odd, may_be_odd
from wavemma.machine.semantics.memory.swizzled import swizzled
from wavemma.machine.value_type import WORD_BITS
from wavemma.machine.wave import WaveState

V = TypeVar("V")
_LOW = 0xFFFF


def result_of(operands: Operands[V]) -> OrdinaryOperand:
    """Give the register of a result; of buffers it stands where data do."""
    named = operands.decoded.operands
    return named["d"] if "d" in named else named["data"]


def set_registers(wave: WaveState[V], first: int, words: list[V]) -> None:
    """Write words into registers that follow each other."""
    for number, word in enumerate(words):
        wave.set_vector(first + number, word)


@action("load")
def load(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read as many bytes as the type has; signed numbers take their sign along."""
    if operands.modifier("lds"):
        load_to_lds(wave, operands)
        return
    size, first = size_of(operands), result_of(operands).first
    if space_of(operands) == BUFFER or _is_extended(operands):
        words = _words(wave, operands, size)
        if len(words) == 1:
            words = [_extended(wave, operands, words[0])]
        set_registers(wave, first, words)
        return
    place = place_of(wave, operands, size)
    if place.present is None:
        wave.load_registers(place.space, place.address, size, first)
    else:
        set_registers(wave, first, _load(wave, place, size))


def _words(wave: WaveState[V], operands: Operands[V], size_bytes: int) -> list[V]:
    if space_of(operands) != BUFFER or not may_be_odd(operands):
        return _load(wave, place_of(wave, operands, size_bytes), size_bytes)
    refuse_unknown(operands)
    return wave.load_either(
        is_odd(wave, operands),
        lambda: swizzled(wave, operands, size_bytes),
        lambda: buffer_bytes(wave, operands, size_bytes),
        size_bytes,
    )


@action("load_low_half")
def load_low_half(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read into the low half of a register, and keep the high one."""
    e, old = wave.lanes, wave.vector(result_of(operands).first)
    new = e.and_(_number(wave, operands), _LOW)
    wave.set_vector(result_of(operands).first, e.or_(e.and_(old, ~_LOW), new))


@action("load_high_half")
def load_high_half(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read into the high half of a register, and keep the low one."""
    e, old = wave.lanes, wave.vector(result_of(operands).first)
    new = e.shl(_number(wave, operands), HALF_BITS)
    wave.set_vector(result_of(operands).first, e.or_(e.and_(old, _LOW), new))


@action("load_by_lane")
def load_by_lane(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read words that follow each other, one a lane."""
    size = size_of(operands)
    words = _load(wave, address_by_lane(wave, operands), size)
    set_registers(wave, result_of(operands).first, words)


@action("load_to_lds")
def load_to_lds(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read numbers into the workgroup's memory, those of one lane behind those of the other.

    They begin at the low half of M0 and the offset that belongs to the address; numbers of less
    than a word take a word.
    """
    e, s = wave.lanes, wave.scalars
    size = size_of(operands)
    words = _words(wave, operands, size)
    if len(words) == 1:
        words = [_extended(wave, operands, words[0])]
    start = s.add(s.and_(wave.scalar(wave.codes.m0), _LOW), signed_offset(operands.decoded))
    step = WORD_BYTES * len(words)
    place = e.add(wave.spread(start), e.mul(wave.lane_numbers(), step))
    wave.store("lds", place, words, step)


def _load(wave: WaveState[V], place: Place[V], size_bytes: int) -> list[V]:
    return wave.load(place.space, place.address, size_bytes, place.present)


def _number(wave: WaveState[V], operands: Operands[V]) -> V:
    size = size_of(operands)
    (word,) = _words(wave, operands, size)
    return _extended(wave, operands, word)


def _extended(wave: WaveState[V], operands: Operands[V], word: V) -> V:
    """Repeat the sign of a signed number up to 32 bits."""
    if not _is_extended(operands):
        return word
    unused = WORD_BITS - 8 * size_of(operands)
    return wave.lanes.ashr(wave.lanes.shl(word, unused), unused)


def _is_extended(operands: Operands[V]) -> bool:
    """Tell whether the sign of a number is repeated."""
    is_signed = operands.decoded.instruction.row.type.startswith("i")
    return is_signed and size_of(operands) < WORD_BYTES
