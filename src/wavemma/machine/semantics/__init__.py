"""Meanings of ordinary instructions, a folder a class and a file an idea."""

from wavemma.machine.meaning import MEANINGS
from wavemma.machine.semantics import control, lanes, memory, scalar, vector

__all__ = ["MEANINGS", "control", "lanes", "memory", "scalar", "vector"]
