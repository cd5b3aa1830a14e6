"""Meanings of ordinary instructions, a folder a class and a file an idea."""

from wavemma.machine.meaning import MEANINGS, find_meaning
from wavemma.machine.semantics import control, lanes, memory, scalar, vector

__all__ = ["MEANINGS", "control", "find_meaning", "lanes", "memory", "scalar", "vector"]
