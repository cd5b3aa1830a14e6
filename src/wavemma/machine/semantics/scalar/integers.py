"""Scalar sums, with the carry in the scalar condition."""

from typing import TypeVar

from wavemma.engines.engine import Engine
from wavemma.machine.meaning import meaning

V = TypeVar("V")


@meaning("scalar_add_unsigned", gives="d scc:flag")
def scalar_add_unsigned(e: Engine[V], a: V, b: V) -> tuple[V, V]:
    """Add; the condition is the carry."""
    total = e.add(a, b)
    return total, e.unsigned_lt(total, a)
