"""What a pasted text names: builtins, intrinsics, mnemonics, lines of assembly, targets."""

import re
from collections.abc import Iterable
from functools import cache

import msgspec

from wavemma.explain.builtin_guards import PREFIX
from wavemma.isa import catalog
from wavemma.tables.builtins import BuiltinRow, builtins
from wavemma.tables.messages import Said, said_in
from wavemma.tables.processors import processors
from wavemma.tables.targets import targets

_WORD = re.compile(r"[\w.]+(?:-generic)?")
_INTRINSIC = "llvm."
_SPACES = re.compile(r"\s+")
_STARTS = ("v_",)
"""How the mnemonics of vector instructions begin, misspelt ones too."""


class Named(msgspec.Struct, frozen=True):
    """What a text names, each in the order of the text.

    Attributes:
        said: The message of a tool; None if it is none that is known.
        builtins: Names that begin as builtins do, known or not.
        intrinsics: LLVM's names of them.
        mnemonics: Words that begin as vector instructions do, those of matrix instructions first.
        line: The first line of assembly: a mnemonic and operands; empty if there is none.
        targets: Targets and other processors.

    """

    said: Said | None
    builtins: tuple[str, ...]
    intrinsics: tuple[str, ...]
    mnemonics: tuple[str, ...]
    line: str
    targets: tuple[str, ...]


def named_in(text: str) -> Named:
    """Find what a text names."""
    words = [word.strip(".") for word in _WORD.findall(text)]
    vector = [word.lower() for word in words if word.lower().startswith(_STARTS)]
    return Named(
        said=said_in(_SPACES.sub(" ", text)),
        builtins=_distinct(word for word in words if word.startswith(PREFIX)),
        intrinsics=_distinct(word for word in words if word.startswith(_INTRINSIC)),
        mnemonics=_distinct(sorted(vector, key=lambda word: word not in _mnemonics())),
        line=_line(text),
        targets=_distinct(word for word in words if word in targets() or word in processors()),
    )


def rows_of_intrinsic(name: str) -> tuple[BuiltinRow, ...]:
    """List the builtins that become an intrinsic, given with or without its types."""
    exact = [row for row in builtins().values() if row.intrinsic == name]
    longer = [row for row in builtins().values() if row.intrinsic.startswith(f"{name}.")]
    if exact or not longer:
        return tuple(exact)
    # Names go on with types, or with another word of the name: the fewest parts are types only.
    parts = min(row.intrinsic.count(".") for row in longer)
    return tuple(row for row in longer if row.intrinsic.count(".") == parts)


def _line(text: str) -> str:
    """Find the first line that a mnemonic with operands stands in; the rest is left out."""
    for line in text.splitlines():
        for match in _WORD.finditer(line):
            rest = line[match.end() :].lstrip()
            operands = rest and rest[0].isalnum() and "," in rest
            if match[0].startswith(_STARTS) and operands and "%" not in rest:
                return line[match.start() :].strip().strip("\"'`")
    return ""


@cache
def _mnemonics() -> frozenset[str]:
    return frozenset(name for each in catalog.instructions() for name in (each.name, *each.aliases))


def _distinct(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
