"""What a pasted text is about: builtins, instructions, or a name that nothing has."""

from collections.abc import Iterable
from difflib import get_close_matches

import msgspec

from wavemma.errors import UnknownName
from wavemma.explain.feature import Feature, feature
from wavemma.explain.line_fault import instructions_called
from wavemma.explain.message_text import Named, rows_of_intrinsic
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.tables.builtins import BuiltinRow, builtins


class Subject(msgspec.Struct, frozen=True):
    """What a text is about.

    Attributes:
        name: What to call it; empty if the text names nothing.
        rows: The builtins that it may be.
        instructions: The instructions that it may be, of any architecture.
        nearest: Names like one that nothing has.
        unknown: That nothing has the name, as a sentence; empty if something has.

    """

    name: str = ""
    rows: tuple[BuiltinRow, ...] = ()
    instructions: tuple[Instruction, ...] = ()
    nearest: tuple[str, ...] = ()
    unknown: str = ""


def subject_of(text: str, named: Named) -> Subject:
    """Find what a text is about: a builtin first, then an instruction, then a feature."""
    return _builtin(named) or _instruction(named) or (Subject() if named.said else _feature(text))


def _builtin(named: Named) -> Subject | None:
    """Find a builtin by its name or by what LLVM calls it."""
    for name in named.builtins:
        if name in builtins():
            return Subject(name, rows=(builtins()[name],))
    for name in named.intrinsics:
        rows = rows_of_intrinsic(name)
        if rows:
            return Subject(name, rows=rows)
    return _misspelt(named.builtins[0], builtins(), "builtin") if named.builtins else None


def _instruction(named: Named) -> Subject | None:
    for name in named.mnemonics:
        found = instructions_called(name)
        if found:
            return Subject(name, instructions=found)
    if not named.mnemonics or (named.said and not named.line):
        return None
    every = dict.fromkeys(each.name for each in catalog.instructions())
    return _misspelt(named.mnemonics[0], every, "instruction")


def _misspelt(name: str, known: Iterable[str], word: str) -> Subject:
    near = tuple(get_close_matches(name, list(known), 3, 0.6))
    return Subject(name, nearest=near, unknown=f"{name} is no matrix {word} of any target.")


def _feature(text: str) -> Subject:
    """Read words that are no message as a feature; the widest results come first."""
    try:
        found: Feature = feature(text)
    except UnknownName:
        return Subject()
    if found.kind == "builtin":
        return Subject(found.words, rows=found.builtins)
    if found.kind == "targets":
        return Subject()
    wide = sorted(found.instructions, key=lambda each: -each.layout("d").element_bits)
    return Subject(found.words, instructions=tuple(wide))
