"""Meanings that scalar instructions alone have."""

from wavemma.machine.semantics.scalar import conditions, integers

__all__ = ["conditions", "integers"]
