"""Rows of data/builtins.toml: what clang calls the matrix instructions."""

from functools import cache
from typing import Literal

import msgspec

from wavemma.tables.files import rows


class BuiltinRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One builtin: its C types by argument, and the instruction it becomes by architecture."""

    name: str
    returns: str
    args: tuple[tuple[str, str], ...]
    intrinsic: str
    instructions: tuple[str, ...]
    features: tuple[str, ...]
    source: str
    grade: Literal["H", "V", "D", "unknown"]
    features_newer: tuple[str, ...] = ()
    wave: int = 0
    condition: str = ""
    since: str = ""
    newer_llvm: str = ""
    newer_llvm_types: str = ""
    newer_llvm_intrinsic: str = ""
    intrinsic_extra: tuple[str, ...] = ()


@cache
def builtins() -> dict[str, BuiltinRow]:
    """Load every builtin by name (179; clang of LLVM 22, later ones marked `since`)."""
    return {row.name: row for row in rows("builtins.toml", "builtin", BuiltinRow)}
