"""Clang's matrix builtins, called on NumPy fragments."""

from wavemma.clang_builtins.call import Builtin, builtin
from wavemma.clang_builtins.names import available, instructions_of
from wavemma.clang_builtins.signatures import Argument, CType, Signature, signature

__all__ = [
    "Argument",
    "Builtin",
    "CType",
    "Signature",
    "available",
    "builtin",
    "instructions_of",
    "signature",
]
