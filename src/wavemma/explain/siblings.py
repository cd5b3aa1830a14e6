"""Builtins that stand in for another: on another target, at another wave size, for sparse data."""

from collections.abc import Iterator

import msgspec

from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.tables.builtins import BuiltinRow, available, builtins
from wavemma.tables.targets import target


class RelatedBuiltin(msgspec.Struct, frozen=True, kw_only=True):
    """A builtin that a user may want instead, and how it is related."""

    name: str
    relation: str


def counterparts(row: BuiltinRow, target_name: str) -> tuple[str, ...]:
    """List the builtins of a target that compute with the same formats, the same shape first.

    Args:
        row: A builtin that the target lacks.
        target_name: The target.

    """
    wanted = next(_instructions(row))
    found = [
        (each.shape != wanted.shape, other.name)
        for other in builtins().values()
        if other.wave in (0, row.wave) or not row.wave
        if target_name in available(other)
        for each in _instructions(other, target(target_name).architecture)
        if _words(each) == _words(wanted) and each.is_sparse == wanted.is_sparse
    ]
    same = [name for differs, name in found if not differs]
    return tuple(dict.fromkeys(same or [name for _, name in found]))


def related_builtins(row: BuiltinRow, owners: tuple[str, ...]) -> tuple[RelatedBuiltin, ...]:
    """List the builtins that become the same instruction, and those of its relatives."""
    mine = next(_instructions(row))
    found: dict[str, str] = {}
    for other in builtins().values():
        shared = set(other.references) & set(row.references)
        if other.name != row.name and shared:
            same = "same instruction" if other.wave == row.wave else f"for wave{other.wave}"
            found[other.name] = same
    for relative in catalog.related(mine):
        key = (mine.architecture, relative.instruction.name)
        for other in builtins().values():
            if key in other.references and other.name != row.name and other.wave == row.wave:
                found.setdefault(other.name, relative.relation)
    return tuple(RelatedBuiltin(name=name, relation=relation) for name, relation in found.items())


def _instructions(row: BuiltinRow, architecture: str = "") -> Iterator[Instruction]:
    """Give the instructions that a builtin becomes, of one architecture or of all."""
    for owner, name in row.references:
        if architecture in ("", owner):
            yield catalog.by_name(owner)[name]


def _words(instruction: Instruction) -> tuple[object, ...]:
    """Give the formats of an instruction by the words that instruction names use."""
    return tuple(instruction.formats[role] for role in ("a", "b", "d"))
