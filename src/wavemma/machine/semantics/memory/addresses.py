"""Addresses of memory instructions."""

from typing import TypeVar

from wavemma.engines.engine import Lane
from wavemma.machine.operands import Operands
from wavemma.machine.wave import WaveState

V = TypeVar("V")


def device_address(wave: WaveState[V], operands: Operands[V]) -> V:
    """Give the address of each lane: registers, or a scalar base and a register, and an offset."""
    e, named = wave.lanes, operands.decoded.operands
    address = named["address"]
    if address.count == 2:
        start = wave.wide(address.first)
    else:
        base = wave.spread(wave.pair(named["scalar_address"].code))
        start = e.add(base, e.zero_extend(wave.vector(address.first), Lane.I64))
    return e.add(start, signed_offset(operands))


def signed_offset(operands: Operands[V]) -> int:
    """Give the offset of an instruction in bytes, with its sign."""
    setting = next(s for s in operands.decoded.instruction.settings if s.word == "offset")
    value, bits = operands.modifier("offset"), len(setting.bits)
    return value - (value >> bits - 1 << bits) if setting.row.kind.startswith("signed") else value
