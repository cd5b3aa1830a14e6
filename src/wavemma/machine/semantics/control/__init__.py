"""Meanings of branches, waits and messages."""

from wavemma.machine.semantics.control import branches, waits

__all__ = ["branches", "waits"]
