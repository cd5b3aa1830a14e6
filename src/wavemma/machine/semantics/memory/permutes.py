"""Moves between lanes that LDS hardware does without touching its memory."""

from functools import cache
from typing import TypeVar

from wavemma.machine.meaning import action
from wavemma.machine.operands import Operands
from wavemma.machine.wave import WaveState
from wavemma.tables.abi import numbers

V = TypeVar("V")
GROUP = 32
_FFT, _ROTATE, _QUADS = 0xE000, 0xC000, 0x8000


def _span(operands: Operands[V]) -> int:
    """Give how many lanes move among each other."""
    decoded = operands.decoded
    return min(_most(decoded.instruction.architecture), decoded.wave)


@cache
def _most(architecture: str) -> int:
    return numbers("lane_permute", architecture)["SPAN"]


def _named_lanes(wave: WaveState[V], operands: Operands[V]) -> V:
    """Give the lane that each lane names by 4 times its number."""
    e, span = wave.lanes, _span(operands)
    address = wave.vector(operands.decoded.operands["address"].first)
    named = e.lshr(e.add(address, operands.modifier("offset")), 2)
    own = e.and_(wave.lane_numbers(), -span)
    return e.or_(e.and_(named, span - 1), own)


def _active_only(wave: WaveState[V], x: V) -> V:
    return wave.lanes.select(wave.active(), x, 0)


@action("take_from_lanes")
def take_from_lanes(wave: WaveState[V], operands: Operands[V]) -> None:
    """Take the number of another lane, 0 from one that is not active."""
    named = operands.decoded.operands
    data = _active_only(wave, wave.vector(named["data"].first))
    wave.set_vector(named["d"].first, wave.permute(data, _named_lanes(wave, operands)))


@action("take_from_any_lanes")
def take_from_any_lanes(wave: WaveState[V], operands: Operands[V]) -> None:
    """Take the number of another lane, active or not."""
    named = operands.decoded.operands
    data = wave.vector(named["data"].first)
    wave.set_vector(named["d"].first, wave.permute(data, _named_lanes(wave, operands)))


@action("give_to_lanes")
def give_to_lanes(wave: WaveState[V], operands: Operands[V]) -> None:
    """Give numbers to other lanes: of several the one of the highest lane arrives; else 0."""
    e, named = wave.lanes, operands.decoded.operands
    data = wave.vector(named["data"].first)
    # A lane that is not active gives to no lane.
    to = e.select(wave.active(), _named_lanes(wave, operands), -1)
    found = e.sub(data, data)
    for lane in range(wave.size):
        source = [lane] * wave.size
        arrives = e.eq(wave.shuffle(to, source), wave.lane_numbers())
        found = e.select(arrives, wave.shuffle(data, source), found)
    wave.set_vector(named["d"].first, found)


@action("swizzle")
def swizzle(wave: WaveState[V], operands: Operands[V]) -> None:
    """Take numbers from lanes by a pattern, 0 from lanes that are not active."""
    named = operands.decoded.operands
    data = _active_only(wave, wave.vector(named["address"].first))
    pattern = operands.modifier("offset")
    lanes = [swizzled_lane(lane, pattern) for lane in range(wave.size)]
    wave.set_vector(named["d"].first, wave.shuffle(data, lanes))


def swizzled_lane(lane: int, pattern: int) -> int:
    """Give the lane that a lane takes its number from."""
    group, lane = lane & -GROUP, lane % GROUP
    low, middle, high = pattern & 31, pattern >> 5 & 31, pattern >> 10 & 31
    if pattern >= _FFT:
        source = int(f"{lane:05b}"[::-1], 2) >> low.bit_count() | lane & low
    elif pattern >= _ROTATE:
        turn = -middle if high & 1 else middle
        source = lane & low | lane + turn & ~low & 31
    elif pattern & _QUADS:
        source = lane & ~3 | pattern >> 2 * (lane & 3) & 3
    else:
        source = (lane & low | middle) ^ high
    return group + source
