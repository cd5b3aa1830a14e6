"""Counts of the lanes below each lane."""

from typing import TypeVar

from wavemma.engines.engine import Engine
from wavemma.machine.meaning import meaning

V = TypeVar("V")
_HALF = 32


@meaning("count_below_low", "a:u32 b:u32 lane:u32")
def count_below_low(e: Engine[V], a: V, b: V, lane: V) -> V:
    """Add how many ones of a mask of the lanes 0..31 stand below the own lane."""
    inside = e.sub(e.shl(e.constant(e.lane(a), 1), e.and_(lane, _HALF - 1)), 1)
    below = e.select(e.unsigned_lt(lane, _HALF), inside, -1)
    return e.add(b, e.popcount(e.and_(a, below)))


@meaning("count_below_high", "a:u32 b:u32 lane:u32")
def count_below_high(e: Engine[V], a: V, b: V, lane: V) -> V:
    """Add how many ones of a mask of the lanes 32..63 stand below the own lane."""
    inside = e.sub(e.shl(e.constant(e.lane(a), 1), e.and_(lane, _HALF - 1)), 1)
    below = e.select(e.unsigned_lt(lane, _HALF), e.constant(e.lane(a), 0), inside)
    return e.add(b, e.popcount(e.and_(a, below)))


@meaning("exchange", "d a", "d a")
def exchange(e: Engine[V], d: V, a: V) -> tuple[V, V]:
    """Exchange two registers."""
    return a, d
