"""Sums of absolute differences, and averages, of the bytes of words."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import action, meaning
from wavemma.machine.operands import Operands
from wavemma.machine.semantics.vector.integer_orders import unsigned_max, unsigned_min
from wavemma.machine.value_type import value_type
from wavemma.machine.wave import WaveState

V = TypeVar("V")
_BYTES = range(0, 32, 8)


def _distance(e: Engine[V], a: V, b: V) -> V:
    """Give how far apart unsigned numbers are."""
    return e.sub(unsigned_max(e, a, b), unsigned_min(e, a, b))


def _sum(e: Engine[V], a: V, b: V, width: int, *, masked: bool = False) -> V:
    """Add the distances of all fields of a width; masked, only where the second is not 0."""
    total = e.constant(Lane.I32, 0)
    for shift in range(0, 32, width):
        x, y = (e.and_(e.lshr(word, shift), (1 << width) - 1) for word in (a, b))
        found = _distance(e, x, y)
        if masked:
            found = e.select(e.eq(y, 0), e.constant(Lane.I32, 0), found)
        total = e.add(total, found)
    return total


def _onto(e: Engine[V], start: V, found: V, clamp: bool) -> V:
    """Add to a word; wrap around, or keep the limit."""
    total = e.add(start, found)
    over = e.unsigned_lt(total, start)
    return e.select(over, e.constant(Lane.I32, -1), total) if clamp else total


@meaning("sum_of_differences", "a:u32 b:u32 c:u32", "d:u32", clamps=True, is_long=True)
def sum_of_differences(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Add the distance of two unsigned words to a third."""
    return _onto(e, c, _distance(e, a, b), clamp)


@meaning("sum_of_byte_differences", "a:u32 b:u32 c:u32", "d:u32", clamps=True, is_long=True)
def sum_of_byte_differences(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Add the distances of all bytes to a word."""
    return _onto(e, c, _sum(e, a, b, 8), clamp)


@meaning("sum_of_byte_differences_high", "a:u32 b:u32 c:u32", "d:u32", clamps=True, is_long=True)
def sum_of_byte_differences_high(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Add the distances of all bytes to the high half of a word."""
    return _onto(e, c, e.shl(_sum(e, a, b, 8), 16), clamp)


@meaning("sum_of_half_differences", "a:u32 b:u32 c:u32", "d:u32", clamps=True, is_long=True)
def sum_of_half_differences(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Add the distances of both halves to a word."""
    return _onto(e, c, _sum(e, a, b, 16), clamp)


@meaning("sum_of_masked_differences", "a:u32 b:u32 c:u32", "d:u32", clamps=True, is_long=True)
def sum_of_masked_differences(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Add the distances of the bytes whose second one is not 0 to a word."""
    return _onto(e, c, _sum(e, a, b, 8, masked=True), clamp)


def _four(e: Engine[V], a: V, b: V, c: V, clamp: bool, *, masked: bool) -> V:
    """Sum for the four words that begin at the first bytes of 64 bits, 16 bits each."""
    total = e.constant(Lane.I64, 0)
    for place in range(4):
        word = e.convert(e.lshr(a, 8 * place), Lane.I32)
        start = e.and_(e.convert(e.lshr(c, 16 * place), Lane.I32), 0xFFFF)
        found = e.add(start, _sum(e, word, b, 8, masked=masked))
        found = e.min(found, 0xFFFF) if clamp else e.and_(found, 0xFFFF)
        total = e.or_(total, e.shl(e.zero_extend(found, Lane.I64), 16 * place))
    return total


@meaning("four_sums_of_differences", "a:u64 b:u32 c:u64", "d:u64", clamps=True)
def four_sums_of_differences(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """Add the distances of a word and four of 64 bits, a byte apart, to four halves."""
    return _four(e, a, b, c, clamp, masked=False)


@meaning("four_sums_of_masked_differences", "a:u64 b:u32 c:u64", "d:u64", clamps=True)
def four_sums_of_masked_differences(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> V:
    """As the above, without the bytes whose second one is 0."""
    return _four(e, a, b, c, clamp, masked=True)


@action("four_wide_sums_of_masked_differences")
def four_wide_sums_of_masked_differences(wave: WaveState[V], operands: Operands[V]) -> None:
    """Add the distances of a word and four of 64 bits, a byte apart, to four words."""
    clamp = bool(operands.modifier("clamp"))
    e, named = wave.lanes, operands.decoded.operands
    a, b = operands.read("a", value_type("u64")), operands.read("b", value_type("u32"))
    starts = [wave.vector(named["c"].first + place) for place in range(4)]
    for place, start in enumerate(starts):
        word = e.convert(e.lshr(a, 8 * place), Lane.I32)
        found = _onto(e, start, _sum(e, word, b, 8, masked=True), clamp)
        wave.set_vector(named["d"].first + place, found)


@meaning("average_of_bytes", "a:u32 b:u32 c:u32", "d:u32", is_long=True)
def average_of_bytes(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give half the sum of the bytes, rounded up where the third source's lowest bit is set."""
    total = e.constant(Lane.I32, 0)
    for shift in _BYTES:
        x, y = (e.and_(e.lshr(word, shift), 255) for word in (a, b))
        up = e.and_(e.lshr(c, shift), 1)
        total = e.or_(total, e.shl(e.lshr(e.add(e.add(x, y), up), 1), shift))
    return total
