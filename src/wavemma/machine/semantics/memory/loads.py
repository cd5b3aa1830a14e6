"""Loads of words."""

from typing import TypeVar

from wavemma.engines.engine import Lane
from wavemma.machine.meaning import action
from wavemma.machine.operands import Operands
from wavemma.machine.semantics.memory.addresses import device_address, signed_offset
from wavemma.machine.wave import WaveState

V = TypeVar("V")


@action("load_words")
def load_words(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read as many words as the result has registers."""
    result = operands.decoded.operands["d"]
    words = wave.load("global", device_address(wave, operands), 4 * result.count)
    for number, word in enumerate(words):
        wave.set_vector(result.first + number, word)


@action("scalar_load")
def scalar_load(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read as many words as the result has registers, at a scalar address."""
    e, result = wave.scalars, operands.decoded.operands["d"]
    base = wave.pair(operands.decoded.operands["base"].code)
    address = e.add(base, signed_offset(operands))
    if "scalar_offset" in operands.decoded.operands:
        more = wave.scalar(operands.decoded.operands["scalar_offset"].code)
        address = e.add(address, e.zero_extend(more, Lane.I64))
    address = e.and_(address, -4)
    for number, word in enumerate(wave.scalar_load(address, result.count)):
        wave.set_scalar(result.code + number, word)
