"""Instructions that reach two places of the workgroup's memory; offsets count numbers."""

from typing import TypeVar

from wavemma.machine.meaning import action
from wavemma.machine.operands import Operands
from wavemma.machine.semantics.memory.addresses import place_of, size_of
from wavemma.machine.semantics.memory.atomics import joined, swap, value_words
from wavemma.machine.semantics.memory.loads import set_registers
from wavemma.machine.semantics.memory.stores import registers
from wavemma.machine.wave import WaveState

V = TypeVar("V")
STRIDE = 64
_OFFSETS = ("offset0", "offset1")
_DATA = ("data", "data_1")


def _addresses(wave: WaveState[V], operands: Operands[V], step: int) -> list[V]:
    """Give both addresses, whose offsets count so many numbers."""
    start = place_of(wave, operands, size_of(operands)).address
    step_bytes = step * size_of(operands)
    return [wave.lanes.add(start, operands.modifier(word) * step_bytes) for word in _OFFSETS]


@action("load_two")
def load_two(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read two numbers."""
    _load_two(wave, operands, 1)


@action("load_two_far")
def load_two_far(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read two numbers; offsets count 64 of them."""
    _load_two(wave, operands, STRIDE)


def _load_two(wave: WaveState[V], operands: Operands[V], step: int) -> None:
    words: list[V] = []
    for address in _addresses(wave, operands, step):
        words += wave.load("lds", address, size_of(operands))
    set_registers(wave, operands.decoded.operands["d"].first, words)


@action("store_two")
def store_two(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write two numbers."""
    _store_two(wave, operands, 1)


@action("store_two_far")
def store_two_far(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write two numbers; offsets count 64 of them."""
    _store_two(wave, operands, STRIDE)


def _store_two(wave: WaveState[V], operands: Operands[V], step: int) -> None:
    size = size_of(operands)
    for address, role in zip(_addresses(wave, operands, step), _DATA, strict=True):
        words = registers(wave, operands.decoded.operands[role], size // 4)
        wave.store("lds", address, words, size)


@action("exchange_two")
def exchange_two(wave: WaveState[V], operands: Operands[V]) -> None:
    """Replace two numbers, and give what they were."""
    _exchange_two(wave, operands, 1)


@action("exchange_two_far")
def exchange_two_far(wave: WaveState[V], operands: Operands[V]) -> None:
    """Replace two numbers, and give what they were; offsets count 64 of them."""
    _exchange_two(wave, operands, STRIDE)


def _exchange_two(wave: WaveState[V], operands: Operands[V], step: int) -> None:
    size = size_of(operands)
    words: list[V] = []
    for address, role in zip(_addresses(wave, operands, step), _DATA, strict=True):
        new = joined(wave, operands.decoded.operands[role].first, size // 4)
        old = wave.atomic("lds", address, [new], swap, f"swap_{8 * size}")
        words += value_words(wave, old)
    set_registers(wave, operands.decoded.operands["d"].first, words)
