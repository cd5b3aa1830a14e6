"""Stores of vector registers."""

from typing import TypeVar

from wavemma.isa.ordinary import OrdinaryOperand
from wavemma.machine.meaning import action
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
from wavemma.machine.wave import WaveState

V = TypeVar("V")


def registers(wave: WaveState[V], operand: OrdinaryOperand, count: int) -> list[V]:
    """Read registers that follow each other."""
    return [wave.vector(operand.first + number) for number in range(count)]


@action("store")
def store(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write as many bytes as the type has."""
    size, data = size_of(operands), operands.decoded.operands["data"]
    if space_of(operands) == BUFFER:
        _write(wave, operands, registers(wave, data, max(size // WORD_BYTES, 1)), size)
        return
    place = place_of(wave, operands, size)
    if place.present is None:
        wave.store_registers(place.space, place.address, size, data.first)
    else:
        words = registers(wave, data, max(size // WORD_BYTES, 1))
        wave.store(place.space, place.address, words, size, place.present)


def _write(wave: WaveState[V], operands: Operands[V], words: list[V], size_bytes: int) -> None:
    if space_of(operands) != BUFFER or not may_be_odd(operands):
        place = place_of(wave, operands, size_bytes)
        wave.store(place.space, place.address, words, size_bytes, place.present)
        return
    refuse_unknown(operands)
    wave.store_either(
        is_odd(wave, operands),
        lambda: swizzled(wave, operands, size_bytes),
        lambda: buffer_bytes(wave, operands, size_bytes),
        words,
        size_bytes,
    )


@action("store_high_half")
def store_high_half(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write from the high half of a register."""
    size = size_of(operands)
    word = wave.lanes.lshr(wave.vector(operands.decoded.operands["data"].first), HALF_BITS)
    _write(wave, operands, [word], size)


@action("store_by_lane")
def store_by_lane(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write words that follow each other, one a lane."""
    _store(wave, address_by_lane(wave, operands), operands, size_of(operands))


def _store(wave: WaveState[V], place: Place[V], operands: Operands[V], size_bytes: int) -> None:
    words = registers(wave, operands.decoded.operands["data"], max(size_bytes // 4, 1))
    wave.store(place.space, place.address, words, size_bytes, place.present)
