"""Masks of fours of bits, bits there twice, and the half of a register as a float."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import meaning
from wavemma.machine.semantics.scalar.bits import lowest_of_four
from wavemma.machine.semantics.scalar.integers import is_not_zero
from wavemma.machine.value_type import value_type

V = TypeVar("V")


@meaning("one_of_four", "a", "d scc:flag")
def one_of_four(e: Engine[V], a: V) -> tuple[V, V]:
    """Give one bit for every four, set where any of them is."""
    found, bits, group = lowest_of_four(e, a), e.lane(a).bits, 1
    while 4 * group < bits:
        # Two groups that stand four times their size apart move together.
        found = e.and_(e.or_(found, e.lshr(found, 3 * group)), _groups(2 * group, 8 * group, bits))
        group *= 2
    return found, is_not_zero(e, found)


@meaning("double_bits", "a")
def double_bits(e: Engine[V], a: V) -> V:
    """Put every bit of 32 there twice."""
    found = e.zero_extend(a, Lane.I64)
    for size in (16, 8, 4, 2, 1):
        found = e.and_(e.or_(found, e.shl(found, size)), _groups(size, 2 * size, 64))
    return e.or_(found, e.shl(found, 1))


def _groups(size: int, distance: int, bits: int) -> int:
    """Give ones in groups of a size that begin so far apart."""
    found = 0
    for start in range(0, bits, distance):
        found |= ((1 << size) - 1) << start
    return found


@meaning("widen_high_half", "a:b32")
def widen_high_half(e: Engine[V], a: V) -> V:
    """Turn the f16 in the high half into f32."""
    return e.convert(value_type("f16").value(e, e.lshr(a, 16)), Lane.F32)
