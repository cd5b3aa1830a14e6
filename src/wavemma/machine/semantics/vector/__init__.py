"""Meanings of vector instructions; many serve scalar ones too."""

from wavemma.machine.semantics.vector import bits, floats, integers

__all__ = ["bits", "floats", "integers"]
