"""Comparisons that set the scalar condition."""

from typing import TypeVar

from wavemma.engines.engine import Engine
from wavemma.machine.meaning import meaning

V = TypeVar("V")


@meaning("scalar_equal", gives="scc:flag")
def scalar_equal(e: Engine[V], a: V, b: V) -> V:
    """Tell whether both are equal."""
    return e.eq(a, b)
