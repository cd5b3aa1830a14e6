"""Loads of scalar registers."""

from typing import TypeVar

from wavemma.engines.engine import Lane
from wavemma.machine.meaning import action
from wavemma.machine.offsets import signed_offset
from wavemma.machine.operands import Operands
from wavemma.machine.semantics.memory.addresses import SCALED, WORD_BYTES, size_of
from wavemma.machine.semantics.memory.buffers import Resource
from wavemma.machine.value_type import WORD_BITS
from wavemma.machine.wave import WaveState

V = TypeVar("V")


def offset_of(wave: WaveState[V], operands: Operands[V]) -> V:
    """Give what is added to the base, one I64."""
    s = wave.scalars
    offset = s.constant(Lane.I64, signed_offset(operands.decoded))
    named = operands.decoded.operands
    if "scalar_offset" in named:
        more = s.zero_extend(wave.scalar(named["scalar_offset"].code), Lane.I64)
        if operands.modifier(SCALED):
            more = s.mul(more, size_of(operands))
        offset = s.add(more, offset)
    return offset


def _set(wave: WaveState[V], operands: Operands[V], words: list[V]) -> None:
    unused = WORD_BITS - 8 * size_of(operands)
    if operands.decoded.instruction.row.type.startswith("i") and unused > 0:
        words = [wave.scalars.ashr(wave.scalars.shl(words[0], unused), unused)]
    for number, word in enumerate(words):
        wave.set_scalar(operands.decoded.operands["d"].code + number, word)


def _aligned(wave: WaveState[V], address: V, size_bytes: int) -> V:
    """Clear the low bits of an address, which the hardware does not read."""
    return wave.scalars.and_(address, -min(size_bytes, WORD_BYTES))


def buffer_end(wave: WaveState[V], resource: Resource[V]) -> V:
    """Give how many bytes of a buffer scalar instructions reach, one I64."""
    s, stride = wave.scalars, resource.field("STRIDE")
    unit = s.select(s.eq(stride, 0), s.constant(Lane.I64, 1), stride)
    return s.mul(unit, resource.records())


@action("scalar_load")
def scalar_load(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read as many bytes as the type has."""
    size = size_of(operands)
    base = wave.pair(operands.decoded.operands["base"].code)
    address = _aligned(wave, wave.scalars.add(base, offset_of(wave, operands)), size)
    _set(wave, operands, wave.scalar_load(address, size))


@action("scalar_buffer_load")
def scalar_buffer_load(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read from a buffer; each word that begins behind its end is 0."""
    s, size = wave.scalars, size_of(operands)
    architecture = operands.decoded.instruction.architecture
    resource = Resource(wave, operands.decoded.operands["base"].code, architecture)
    end = buffer_end(wave, resource)
    offset = _aligned(wave, offset_of(wave, operands), size)
    words: list[V] = []
    for at in range(0, size, WORD_BYTES):
        begin = s.add(offset, at)
        address = s.add(_aligned(wave, resource.base(), size), begin)
        words += wave.scalar_load(address, min(size, WORD_BYTES), s.unsigned_lt(begin, end))
    _set(wave, operands, words)
