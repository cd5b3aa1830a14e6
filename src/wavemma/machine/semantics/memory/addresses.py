"""Addresses of memory instructions."""

from collections.abc import Callable
from functools import cache
from typing import Any, Generic, TypeVar, cast

import msgspec

from wavemma.engines.engine import Lane
from wavemma.errors import Unsupported
from wavemma.isa.ordinary.catalog import ordinary_table
from wavemma.machine.offsets import signed_offset
from wavemma.machine.operands import Operands
from wavemma.machine.register_moves import Space
from wavemma.machine.semantics.memory.buffers import buffer_bytes, is_odd
from wavemma.machine.value_type import WORD_BITS
from wavemma.machine.wave import WaveState
from wavemma.tables.instruction_words import WordRow

V = TypeVar("V")
WORD_BYTES = 4
SCALED = "scale_offset"
"""The modifier that lets a register count elements of the access."""
BUFFER = "buffer"
"""The space of addresses that a resource in registers makes."""


class Place(msgspec.Struct, Generic[V]):
    """Where the access of each lane goes.

    Attributes:
        space: What the address counts in.
        address: As `WaveState.load` takes it.
        present: As `WaveState.load` takes it.

    """

    space: Space
    address: V
    present: V | None = None


def place_of(wave: WaveState[V], operands: Operands[V], size_bytes: int) -> Place[V]:
    """Give the place that the operands of an instruction name.

    Args:
        wave: The wave.
        operands: Of the instruction.
        size_bytes: Of a lane's access.

    Raises:
        Unsupported: A modifier asks for what is not known here.

    """
    refuse_unknown(operands)
    space = space_of(operands)
    if space == BUFFER:
        wave.fail_if(is_odd(wave, operands), "UNSUPPORTED")
        address, present = buffer_bytes(wave, operands, size_bytes)
        return Place("global", address, present)
    return Place(cast(Space, space), _ADDRESSES[space](wave, operands, size_bytes))


def refuse_unknown(operands: Operands[Any]) -> None:
    """Refuse modifiers whose meaning is not known.

    Raises:
        Unsupported: There is one.

    """
    # Not the whole text: registers may be open (see `steps.form`).
    name = operands.decoded.instruction.row.name
    for word in ("gds", "tfe"):
        if operands.modifier(word):
            raise Unsupported(
                f"'{name}' cannot be run: {word} is not known here.",
                subject=word,
            )


def space_of(operands: Operands[V]) -> str:
    """Give what addresses of an instruction count in, as its word says."""
    return _word(operands).space


def _is_signed(operands: Operands[Any]) -> bool:
    """Tell whether a register that is added to a scalar address has a sign."""
    return _word(operands).signed_address


def _word(operands: Operands[Any]) -> WordRow:
    instruction = operands.decoded.instruction
    return _words(instruction.architecture)[instruction.row.encoding]


@cache
def _words(architecture: str) -> dict[str, WordRow]:
    return {word.name: word for word in ordinary_table(architecture).rows.words}


def device_address(wave: WaveState[V], operands: Operands[V], size_bytes: int) -> V:
    """Give addresses: registers, or a scalar base and a register, and an offset."""
    e, named = wave.lanes, operands.decoded.operands
    address = named["address"]
    if address.count == 2:
        if operands.modifier(SCALED):
            raise Unsupported("What is scaled where no scalar address is added is not known.")
        start = wave.wide(address.first)
    else:
        base = wave.spread(wave.pair(named["scalar_address"].code))
        wide = e.convert if _is_signed(operands) else e.zero_extend
        start = e.add(
            base, _scaled(operands, wide(wave.vector(address.first), Lane.I64), size_bytes)
        )
    return e.add(start, signed_offset(operands.decoded))


def generic_address(wave: WaveState[V], operands: Operands[V], size_bytes: int) -> V:
    """Give addresses as `device_address` does; those of own memory may name its lane."""
    e, address = wave.lanes, device_address(wave, operands, size_bytes)
    base, size = wave.codes.scratch
    if not size:
        return address
    place = e.xor(e.convert(e.lshr(address, WORD_BITS), Lane.I32), base)
    is_own = e.unsigned_lt(place, size)
    lane = e.lshr(place, (size // wave.size).bit_length() - 1)
    others = e.and_(e.and_(is_own, wave.active()), e.not_(e.eq(lane, wave.lane_numbers())))
    wave.fail_if(wave.scalars.not_(wave.scalars.eq(wave.mask_of(others), 0)), "UNSUPPORTED")
    high = e.shl(e.zero_extend(wave.spread(wave.aperture("private_base")), Lane.I64), WORD_BITS)
    return e.select(is_own, e.or_(high, e.and_(address, (1 << WORD_BITS) - 1)), address)


def _scaled(operands: Operands[V], x: V, size_bytes: int) -> V:
    """Turn a number of elements into bytes, if a modifier says that it is one."""
    return operands.engine.mul(x, size_bytes) if operands.modifier(SCALED) else x


def scratch_address(wave: WaveState[V], operands: Operands[V], size_bytes: int) -> V:
    """Give offsets in a lane's own memory: a register, a scalar register and an offset."""
    e, named = wave.lanes, operands.decoded.operands
    start = e.constant(Lane.I32, signed_offset(operands.decoded))
    if named["address"].count:
        start = e.add(_scaled(operands, wave.vector(named["address"].first), size_bytes), start)
    if named["scalar_address"].count:
        start = e.add(start, wave.spread(wave.scalar(named["scalar_address"].code)))
    return start


def lds_address(wave: WaveState[V], operands: Operands[V], size_bytes: int) -> V:
    """Give offsets in the workgroup's memory: a register and an offset."""
    start = wave.vector(operands.decoded.operands["address"].first)
    return wave.lanes.add(start, operands.modifier("offset"))


def lds_base(wave: WaveState[V], operands: Operands[V]) -> V:
    """Give the offset in the workgroup's memory that M0 and an offset name, one I32."""
    refuse_unknown(operands)
    base = wave.scalars.and_(wave.scalar(wave.codes.m0), 0xFFFF)
    return wave.scalars.add(base, operands.modifier("offset"))


def address_by_lane(wave: WaveState[V], operands: Operands[V]) -> Place[V]:
    """Give addresses of words that follow each other, lane by lane, from a scalar address on."""
    e, s = wave.lanes, wave.scalars
    if space_of(operands) == "lds":
        start = wave.spread(lds_base(wave, operands))
        return Place("lds", e.add(start, e.mul(wave.lane_numbers(), WORD_BYTES)))
    base = wave.pair(operands.decoded.operands["scalar_address"].code)
    steps = e.mul(e.zero_extend(wave.lane_numbers(), Lane.I64), WORD_BYTES)
    return Place("global", e.add(wave.spread(s.add(base, signed_offset(operands.decoded))), steps))


_ADDRESSES: dict[str, Callable[..., Any]] = {
    "global": device_address,
    "flat": generic_address,
    "scratch": scratch_address,
    "lds": lds_address,
}


def size_of(operands: Operands[Any]) -> int:
    """Give the bytes of a lane's access, by the type of the row."""
    return int(operands.decoded.instruction.row.type.lstrip("bfiu")) // 8
