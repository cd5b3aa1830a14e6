"""Rows of data/builtins.toml: what clang calls the matrix instructions."""

from functools import cache, cached_property
from typing import NamedTuple

import msgspec

from wavemma.errors import DataMistake, UnknownBuiltin
from wavemma.tables.files import rows
from wavemma.tables.instructions import architecture_rows
from wavemma.tables.keys import Grade, check_known
from wavemma.tables.sources import sources
from wavemma.tables.targets import targets_of

_FILE = "builtins.toml"


class ArgumentRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an argument of that role is: one of operand, modifier word, effects by bit."""

    role: str
    operand: str = ""
    word: str = ""
    effects: tuple[str, ...] = ()


class CTypeRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An element type of the prototypes."""

    name: str
    dtype: str
    llvm: str


class SuffixRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a part of a name stands for that neither a format nor a wave size explains."""

    text: str
    meaning: str
    source: str
    grade: Grade


class Reference(NamedTuple):
    """An instruction of an architecture, as rows name it: "cdna3:v_mfma_..."."""

    architecture: str
    instruction: str


class BuiltinRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """One builtin: its C types by argument, and the instruction it becomes by architecture."""

    name: str
    returns: str
    args: tuple[tuple[str, str], ...]
    intrinsic: str
    instructions: tuple[str, ...]
    features: tuple[str, ...]
    source: str
    grade: Grade
    features_newer: tuple[str, ...] = ()
    wave: int = 0
    condition: str = ""
    since: str = ""
    newer_llvm: str = ""
    newer_llvm_types: str = ""
    newer_llvm_intrinsic: str = ""
    intrinsic_extra: tuple[str, ...] = ()

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """The instructions that it becomes, taken apart."""
        parts = (each.partition(":") for each in self.instructions)
        return tuple(Reference(architecture, name) for architecture, _, name in parts)


@cache
def builtins() -> dict[str, BuiltinRow]:
    """Load every builtin by name (179; clang of LLVM 22, later ones marked `since`).

    Raises:
        DataMistake: An argument has a role or a type without a row.

    """
    found = {row.name: row for row in rows(_FILE, "builtin", BuiltinRow)}
    for row in found.values():
        for ctype, role in row.args:
            element = ctype.removeprefix("const ").partition("x")[0]
            if role not in arguments() or element not in ctypes():
                raise DataMistake(
                    f"data/{_FILE}, {row.name}: no row for the argument {ctype} of role {role}.",
                    subject=role,
                    allowed=arguments(),
                )
    return found


def builtin_row(name: str) -> BuiltinRow:
    """Look up a builtin.

    Raises:
        UnknownBuiltin: No builtin has the name.

    """
    if name not in builtins():
        raise UnknownBuiltin(
            f"'{name}' is not a matrix builtin.",
            subject=name,
            allowed=builtins(),
            hint="All: wavemma list builtins",
        )
    return builtins()[name]


def available(row: BuiltinRow) -> tuple[str, ...]:
    """List the targets that have a builtin, by its instructions.

    Raises:
        DataMistake: It names an instruction that its architecture lacks.

    """
    found: list[str] = []
    for architecture, name in row.references:
        owners = _owners(architecture)
        if name not in owners:
            raise DataMistake(
                f"data/{_FILE}, {row.name}: {architecture} has no instruction {name}.",
                subject=name,
                allowed=owners,
            )
        found += owners[name]
    return tuple(dict.fromkeys(found))


@cache
def _owners(architecture: str) -> dict[str, tuple[str, ...]]:
    """Give the targets that have each instruction of an architecture."""
    every = targets_of(architecture)
    return {row.name: row.targets or every for row in architecture_rows(architecture).instructions}


@cache
def suffixes() -> dict[str, str]:
    """Load what parts of names stand for, by part.

    Raises:
        DataMistake: A row cites no source.

    """
    found = rows(_FILE, "suffix", SuffixRow)
    for row in found:
        check_known(f"data/{_FILE}, suffix {row.text}", "source", [row.source], sources())
    return {row.text: row.meaning for row in found}


@cache
def arguments() -> dict[str, ArgumentRow]:
    """Load what the argument roles are, by role."""
    return {row.role: row for row in rows(_FILE, "argument", ArgumentRow)}


@cache
def ctypes() -> dict[str, CTypeRow]:
    """Load the element types, by their C name."""
    return {row.name: row for row in rows(_FILE, "ctype", CTypeRow)}
