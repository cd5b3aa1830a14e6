"""Moves and operations on bits."""

from typing import TypeVar

from wavemma.engines.engine import Engine
from wavemma.machine.meaning import meaning

V = TypeVar("V")


@meaning("move", "a")
def move(e: Engine[V], a: V) -> V:
    """Copy."""
    return a


@meaning("and")
def bits_and(e: Engine[V], a: V, b: V) -> V:
    """Combine by and."""
    return e.and_(a, b)


@meaning("shift_left_reversed", "a:u32 b")
def shift_left_reversed(e: Engine[V], a: V, b: V) -> V:
    """Shift the second source left by the low bits of the first."""
    lane = e.lane(b)
    amount = e.and_(a, lane.bits - 1)
    return e.shl(b, amount if e.lane(amount) is lane else e.zero_extend(amount, lane))
