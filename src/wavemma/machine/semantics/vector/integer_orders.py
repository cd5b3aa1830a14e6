"""The order of integers: smaller, larger and middle ones."""

from typing import TypeVar

from wavemma.engines.engine import Engine
from wavemma.machine.meaning import meaning

V = TypeVar("V")


@meaning("signed_min")
def signed_min(e: Engine[V], a: V, b: V) -> V:
    """Give the smaller of two signed numbers."""
    return e.min(a, b)


@meaning("signed_max")
def signed_max(e: Engine[V], a: V, b: V) -> V:
    """Give the larger of two signed numbers."""
    return e.max(a, b)


@meaning("unsigned_min")
def unsigned_min(e: Engine[V], a: V, b: V) -> V:
    """Give the smaller of two unsigned numbers."""
    return e.select(e.unsigned_lt(a, b), a, b)


@meaning("unsigned_max")
def unsigned_max(e: Engine[V], a: V, b: V) -> V:
    """Give the larger of two unsigned numbers."""
    return e.select(e.unsigned_lt(b, a), a, b)


@meaning("signed_min3", "a b c")
def signed_min3(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the smallest of three."""
    return e.min(e.min(a, b), c)


@meaning("signed_max3", "a b c")
def signed_max3(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the largest of three."""
    return e.max(e.max(a, b), c)


@meaning("unsigned_min3", "a b c")
def unsigned_min3(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the smallest of three unsigned numbers."""
    return unsigned_min(e, unsigned_min(e, a, b), c)


@meaning("unsigned_max3", "a b c")
def unsigned_max3(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the largest of three unsigned numbers."""
    return unsigned_max(e, unsigned_max(e, a, b), c)


@meaning("signed_median", "a b c")
def signed_median(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the middle one of three."""
    return e.max(e.min(a, b), e.min(e.max(a, b), c))


@meaning("unsigned_median", "a b c")
def unsigned_median(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the middle one of three unsigned numbers."""
    low, high = unsigned_min(e, a, b), unsigned_max(e, a, b)
    return unsigned_max(e, low, unsigned_min(e, high, c))


@meaning("signed_max_min", "a b c")
def signed_max_min(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the smaller of the third and the larger of the others."""
    return e.min(e.max(a, b), c)


@meaning("signed_min_max", "a b c")
def signed_min_max(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the larger of the third and the smaller of the others."""
    return e.max(e.min(a, b), c)


@meaning("unsigned_max_min", "a b c")
def unsigned_max_min(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the smaller of the third and the larger of the others, unsigned."""
    return unsigned_min(e, unsigned_max(e, a, b), c)


@meaning("unsigned_min_max", "a b c")
def unsigned_min_max(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the larger of the third and the smaller of the others, unsigned."""
    return unsigned_max(e, unsigned_min(e, a, b), c)
