"""Meanings that scalar instructions alone have."""

from wavemma.machine.semantics.scalar import bits, conditions, integers

__all__ = ["bits", "conditions", "integers"]
