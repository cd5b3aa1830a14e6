"""Meanings of branches, waits, barriers and messages."""

from wavemma.machine.semantics.control import barriers, branches, messages, waits

__all__ = ["barriers", "branches", "messages", "waits"]
