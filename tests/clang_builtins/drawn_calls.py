"""Arguments for builtin calls: random bits for operands, legal constants for the rest."""

import random
from typing import Any

import numpy as np

from wavemma.clang_builtins.names import available
from wavemma.clang_builtins.signatures import Signature
from wavemma.isa.instruction import Instruction
from wavemma.tables.builtins import builtin_row, builtins

LIMITS = {
    "A format": 5,
    "B format": 5,
    "A scale format": 1,
    "B scale format": 1,
    "A scale byte select": 4,
    "B scale byte select": 4,
    "A scale row": 2,
    "B scale row": 2,
    "C modifier": 4,
    "A negate": 1,
    "B negate": 1,
}
"""How many values of a constant every instruction that has it takes; flags have two."""


def pairs() -> list[tuple[str, str]]:
    """Every builtin on every target that has it."""
    return [(name, target) for name in builtins() for target in available(builtin_row(name))]


def constants(given: Signature, instruction: Instruction, wave: Any, seed: str) -> dict[str, int]:
    """Draw a value for every constant argument by its role, as the instruction takes it."""
    source = random.Random(seed)
    words = {m.word: m.row for m in instruction.modifiers(wave)}
    found: dict[str, int] = {}
    for argument in given.arguments:
        role = argument.role
        if argument.operand:
            continue
        if role in ("cbsz", "blgp"):
            found[role] = source.choice(words[role].legal) if role in words else 0
        elif role == "abid":
            row = words[role]
            below = range(1 << found["cbsz"]) if row.below_broadcast else row.legal
            found[role] = source.choice(list(below))
        else:
            found[role] = source.randrange(LIMITS.get(role, 2))
    return found


def operand(kind: Any, lanes: int, generator: np.random.Generator) -> Any:
    """Random bits of a C type, [lanes, elements] or [lanes]."""
    shape = (lanes, kind.elements) if kind.elements else (lanes,)
    raw = generator.bytes(int(np.prod(shape)) * kind.dtype.itemsize)
    return np.frombuffer(raw, dtype=kind.dtype).reshape(shape)
