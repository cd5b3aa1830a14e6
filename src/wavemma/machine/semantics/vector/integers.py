"""Sums and differences of integers, with carries and limits."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import meaning

V = TypeVar("V")
_ALL = 0xFFFFFFFF


def _limited(e: Engine[V], x: V, low: int, high: int) -> V:
    """Limit signed I64 lanes."""
    return e.min(e.max(x, low), high)


def _unsigned_sum(e: Engine[V], x: V, y: V, high: int, *, minus: bool) -> V:
    """Add or subtract unsigned I32 lanes and keep within 0..high."""
    wide, other = e.zero_extend(x, Lane.I64), e.zero_extend(y, Lane.I64)
    total = e.sub(wide, other) if minus else e.add(wide, other)
    return e.convert(_limited(e, total, 0, high), Lane.I32)


def _signed_sum(e: Engine[V], x: V, y: V, bits: int, *, minus: bool) -> V:
    """Add or subtract signed I32 lanes and keep within so many bits."""
    wide, other = e.convert(x, Lane.I64), e.convert(y, Lane.I64)
    total = e.sub(wide, other) if minus else e.add(wide, other)
    most = 1 << bits - 1
    return e.convert(_limited(e, total, -most, most - 1), Lane.I32)


@meaning("integer_add", clamps=True)
def integer_add(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Add unsigned words; wrap around, or keep the largest."""
    return _unsigned_sum(e, a, b, _ALL, minus=False) if clamp else e.add(a, b)


@meaning("integer_subtract", clamps=True)
def integer_subtract(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Subtract unsigned words; wrap around, or keep 0."""
    return _unsigned_sum(e, a, b, _ALL, minus=True) if clamp else e.sub(a, b)


@meaning("integer_subtract_reversed", clamps=True)
def integer_subtract_reversed(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Subtract the first source from the second."""
    return integer_subtract(e, b, a, clamp)


@meaning("signed_add", clamps=True)
def signed_add(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Add signed words; wrap around, or keep the limit."""
    return _signed_sum(e, a, b, 32, minus=False) if clamp else e.add(a, b)


@meaning("signed_subtract", clamps=True)
def signed_subtract(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Subtract signed words; wrap around, or keep the limit."""
    return _signed_sum(e, a, b, 32, minus=True) if clamp else e.sub(a, b)


@meaning("short_add", "a:u16 b:u16", "d:u16", clamps=True)
def short_add(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Add unsigned halves."""
    return _unsigned_sum(e, a, b, 0xFFFF, minus=False) if clamp else e.add(a, b)


@meaning("short_subtract", "a:u16 b:u16", "d:u16", clamps=True)
def short_subtract(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Subtract unsigned halves."""
    return _unsigned_sum(e, a, b, 0xFFFF, minus=True) if clamp else e.sub(a, b)


@meaning("short_subtract_reversed", "a:u16 b:u16", "d:u16", clamps=True)
def short_subtract_reversed(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Subtract the first unsigned half from the second."""
    return short_subtract(e, b, a, clamp)


@meaning("short_signed_add", "a:i16 b:i16", "d:i16", clamps=True)
def short_signed_add(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Add signed halves."""
    return _signed_sum(e, a, b, 16, minus=False) if clamp else e.add(a, b)


@meaning("short_signed_subtract", "a:i16 b:i16", "d:i16", clamps=True)
def short_signed_subtract(e: Engine[V], a: V, b: V, clamp: bool) -> V:
    """Subtract signed halves."""
    return _signed_sum(e, a, b, 16, minus=True) if clamp else e.sub(a, b)


@meaning("add3", "a b c")
def add3(e: Engine[V], a: V, b: V, c: V) -> V:
    """Add three."""
    return e.add(e.add(a, b), c)


@meaning("add_carry_out", gives="d d_mask:mask", clamps=True)
def add_carry_out(e: Engine[V], a: V, b: V, clamp: bool) -> tuple[V, V]:
    """Add, with the carry into a mask."""
    total = e.add(a, b)
    carry = e.unsigned_lt(total, a)
    return (e.select(carry, e.constant(Lane.I32, _ALL), total) if clamp else total), carry


@meaning("subtract_borrow_out", gives="d d_mask:mask", clamps=True)
def subtract_borrow_out(e: Engine[V], a: V, b: V, clamp: bool) -> tuple[V, V]:
    """Subtract, with the borrow into a mask."""
    borrow = e.unsigned_lt(a, b)
    total = e.sub(a, b)
    return (e.select(borrow, e.constant(Lane.I32, 0), total) if clamp else total), borrow


@meaning("subtract_borrow_out_reversed", gives="d d_mask:mask", clamps=True)
def subtract_borrow_out_reversed(e: Engine[V], a: V, b: V, clamp: bool) -> tuple[V, V]:
    """Subtract the first source from the second, with the borrow into a mask."""
    return subtract_borrow_out(e, b, a, clamp)


@meaning("add_carry", "a b c:mask", "d d_mask:mask", clamps=True)
def add_carry(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> tuple[V, V]:
    """Add two and a carry, with the carry into a mask."""
    wide = e.add(e.zero_extend(a, Lane.I64), e.zero_extend(b, Lane.I64))
    wide = e.add(wide, e.convert(c, Lane.I64))
    carry = e.lt(e.constant(Lane.I64, _ALL), wide)
    if clamp:
        wide = e.min(wide, _ALL)
    return e.convert(wide, Lane.I32), carry


@meaning("subtract_borrow", "a b c:mask", "d d_mask:mask", clamps=True)
def subtract_borrow(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> tuple[V, V]:
    """Subtract one and a borrow, with the borrow into a mask."""
    wide = e.sub(e.zero_extend(a, Lane.I64), e.zero_extend(b, Lane.I64))
    wide = e.sub(wide, e.convert(c, Lane.I64))
    borrow = e.lt(wide, 0)
    if clamp:
        wide = e.max(wide, 0)
    return e.convert(wide, Lane.I32), borrow


@meaning("subtract_borrow_reversed", "a b c:mask", "d d_mask:mask", clamps=True)
def subtract_borrow_reversed(e: Engine[V], a: V, b: V, c: V, clamp: bool) -> tuple[V, V]:
    """Subtract the first source and a borrow from the second."""
    return subtract_borrow(e, b, a, c, clamp)
