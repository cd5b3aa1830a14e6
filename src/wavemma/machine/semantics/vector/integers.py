"""Sums and products of integers."""

from typing import TypeVar

from wavemma.engines.engine import Engine
from wavemma.machine.meaning import meaning

V = TypeVar("V")


@meaning("integer_add")
def integer_add(e: Engine[V], a: V, b: V) -> V:
    """Add and wrap around."""
    return e.add(a, b)
