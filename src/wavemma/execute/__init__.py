"""One matrix instruction on registers."""

from wavemma.execute.matrix import Operands, execute, operands_of

__all__ = ["Operands", "execute", "operands_of"]
