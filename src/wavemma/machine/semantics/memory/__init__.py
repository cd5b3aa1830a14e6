"""Meanings of loads, stores and atomics."""

from wavemma.machine.semantics.memory import (
    atomics,
    blocks,
    lists,
    loads,
    pairs,
    permutes,
    scalar_loads,
    scalar_stores,
    stores,
    turned,
)

__all__ = [
    "atomics",
    "blocks",
    "lists",
    "loads",
    "pairs",
    "permutes",
    "scalar_loads",
    "scalar_stores",
    "stores",
    "turned",
]
