"""Sums and products of floats."""

from typing import TypeVar

from wavemma.engines.engine import Engine
from wavemma.machine.meaning import meaning

V = TypeVar("V")


@meaning("float_add")
def float_add(e: Engine[V], a: V, b: V) -> V:
    """Add, rounded once."""
    return e.add(a, b)
