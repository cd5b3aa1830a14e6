"""Meanings of loads, stores and atomics."""

from wavemma.machine.semantics.memory import (
    atomics,
    loads,
    pairs,
    permutes,
    scalar_loads,
    stores,
)

__all__ = ["atomics", "loads", "pairs", "permutes", "scalar_loads", "stores"]
