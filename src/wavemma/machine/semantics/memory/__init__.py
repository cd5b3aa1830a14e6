"""Meanings of loads, stores and atomics."""

from wavemma.machine.semantics.memory import loads, stores

__all__ = ["loads", "stores"]
