"""Stores of vector registers."""

from typing import TypeVar

from wavemma.isa.ordinary import OrdinaryOperand
from wavemma.machine.meaning import action
from wavemma.machine.operands import HALF_BITS, Operands
from wavemma.machine.semantics.memory.addresses import (
    Place,
    address_by_lane,
    place_of,
    size_of,
)
from wavemma.machine.wave import WaveState

V = TypeVar("V")


def registers(wave: WaveState[V], operand: OrdinaryOperand, count: int) -> list[V]:
    """Read registers that follow each other."""
    return [wave.vector(operand.first + number) for number in range(count)]


@action("store")
def store(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write as many bytes as the type has."""
    size = size_of(operands)
    _store(wave, place_of(wave, operands, size), operands, size)


@action("store_high_half")
def store_high_half(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write from the high half of a register."""
    size = size_of(operands)
    place = place_of(wave, operands, size)
    word = wave.lanes.lshr(wave.vector(operands.decoded.operands["data"].first), HALF_BITS)
    wave.store(place.space, place.address, [word], size, place.present)


@action("store_by_lane")
def store_by_lane(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write words that follow each other, one a lane."""
    _store(wave, address_by_lane(wave, operands), operands, size_of(operands))


def _store(wave: WaveState[V], place: Place[V], operands: Operands[V], size_bytes: int) -> None:
    words = registers(wave, operands.decoded.operands["data"], max(size_bytes // 4, 1))
    wave.store(place.space, place.address, words, size_bytes, place.present)
