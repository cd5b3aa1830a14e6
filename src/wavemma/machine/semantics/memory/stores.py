"""Stores of words."""

from typing import TypeVar

from wavemma.machine.meaning import action
from wavemma.machine.operands import Operands
from wavemma.machine.semantics.memory.addresses import device_address
from wavemma.machine.wave import WaveState

V = TypeVar("V")


@action("store_words")
def store_words(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write all registers of the data."""
    data = operands.decoded.operands["data"]
    words = [wave.vector(data.first + number) for number in range(data.count)]
    wave.store("global", device_address(wave, operands), words, 4 * data.count)
