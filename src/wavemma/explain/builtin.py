"""Everything about one compiler builtin."""

from collections.abc import Iterator

import msgspec

from wavemma.errors import UnknownBuiltin
from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.builtin_guards import PREFIX, WAVE_FLAG_NOTE, compile_lines, guard
from wavemma.explain.builtin_name import NamePart, name_parts
from wavemma.explain.citation import cited, distinct
from wavemma.explain.elsewhere import Counterpart, elsewhere
from wavemma.explain.form import form_conflicts
from wavemma.explain.formulas import (
    AlongRow,
    LayoutFacts,
    OuterRow,
    along_rows,
    layout_facts,
    layout_notes,
    layouts_cited,
    outer_rows,
)
from wavemma.explain.prototype import Parameter, TypeName, parameters, prototype, types_of
from wavemma.explain.siblings import RelatedBuiltin, counterparts, related_builtins
from wavemma.explain.speeds import Speed, speed_evidence, speeds
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.isa.target import wave_of
from wavemma.layouts import Role
from wavemma.tables.builtins import BuiltinRow, available, builtins
from wavemma.tables.targets import Wave, architectures, target, targets_of

CONSTANT_NOTE = "Constant arguments must be known when the compiler runs."


class RoleTable(msgspec.Struct, frozen=True, kw_only=True):
    """Which lanes and registers hold each row or column of one role.

    Attributes:
        role: a, b, c or d.
        rows: A line for each row (of B: column).
        along: What each register holds along k, for row or column 0; empty for C and D.

    """

    role: str
    rows: tuple[OuterRow, ...]
    along: tuple[AlongRow, ...]


class BuiltinForm(msgspec.Struct, frozen=True, kw_only=True):
    """What a builtin is on one architecture.

    Attributes:
        architecture: Key of the architecture.
        title: Its name as printed.
        instruction: The instruction that the call becomes.
        targets: The targets that have it.
        wave: Lanes of the wave.
        layouts: Where the elements of each operand lie.
        tables: The same row by row.
        speeds: Cycles by target and formats.

    """

    architecture: str
    title: str
    instruction: str
    targets: tuple[str, ...]
    wave: Wave
    layouts: tuple[LayoutFacts, ...]
    tables: tuple[RoleTable, ...]
    speeds: tuple[Speed, ...]


class BuiltinFacts(Answer, frozen=True, kw_only=True, tag=True):
    """Everything about one builtin.

    Attributes:
        name: The builtin.
        target: Only this target was asked for; empty: all.
        wave: Wave size that it is for; 0 if for the only one of its targets.
        prototype: How it is declared, with the names of `types`.
        returns: Type of the result, the same way.
        parameters: Its arguments in order.
        types: Vector types to declare.
        targets: The targets that have it.
        features: Compiler features that make it available.
        features_newer: Their names in newer compilers; empty if unchanged.
        intrinsic: What LLVM calls it.
        since: Oldest compiler that has it, where that is not LLVM 22.
        newer: What newer compilers change.
        compile: Command lines, one a target.
        guard: Preprocessor condition that holds where it can be used.
        name_parts: What the parts of its name stand for, in order.
        forms: One an architecture and instruction.
        elsewhere: What comes nearest on each architecture that lacks it.
        related: Builtins that a user may want instead.

    """

    name: str
    target: str
    wave: int
    prototype: str
    returns: str
    parameters: tuple[Parameter, ...]
    types: tuple[TypeName, ...]
    targets: tuple[str, ...]
    features: tuple[str, ...]
    features_newer: tuple[str, ...]
    intrinsic: str
    since: str
    newer: tuple[str, ...]
    compile: tuple[str, ...]
    guard: str
    name_parts: tuple[NamePart, ...]
    forms: tuple[BuiltinForm, ...]
    elsewhere: tuple[Counterpart, ...]
    related: tuple[RelatedBuiltin, ...]


def explain_builtin(
    name: str, target_name: str | None = None, wave: int | None = None
) -> BuiltinFacts:
    """Say everything about one builtin.

    Args:
        name: Such as "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32"; the prefix may be left out.
        target_name: Only this target; all that have it if None.
        wave: Must be the wave size of the builtin, if given.

    Raises:
        UnknownTarget: Offers the nearest names.
        UnknownBuiltin: Offers the nearest names; says who has it and what to call instead if the
            target does not.
        OutOfRange: The target has no waves of that size.

    """
    row = builtin_called(name)
    owners = available(row)
    if target_name is not None:
        target_name = target(target_name).name
        owners = (_checked(row, owners, target_name),)
    lanes = wave_of(target(owners[0]), row.wave or wave)
    found = tuple(_instructions(row, owners))
    every = tuple(_instructions(row, available(row)))
    forms = tuple(_form(each, owners, lanes) for each in found)
    newer = (row.newer_llvm, row.newer_llvm_types, row.newer_llvm_intrinsic)
    return BuiltinFacts(
        name=row.name,
        target=target_name or "",
        wave=row.wave,
        prototype=prototype(row),
        returns=prototype(row).partition(" ")[0],
        parameters=parameters(row, found, lanes),
        types=types_of(row),
        targets=owners,
        features=row.features,
        features_newer=row.features_newer,
        intrinsic=row.intrinsic,
        since=row.since,
        newer=tuple(text for text in newer if text),
        compile=compile_lines(row, owners),
        guard=guard(row, available(row)),
        name_parts=name_parts(row, every),
        forms=forms,
        elsewhere=tuple(elsewhere(row, every)),
        related=related_builtins(row, owners),
        evidence=distinct(_evidence(row, found, forms)),
        conflicts=tuple(
            dict.fromkeys(
                conflict
                for each, form in zip(found, forms, strict=True)
                for conflict in form_conflicts(each, form.targets)
            )
        ),
        notes=tuple(dict.fromkeys(_notes(row, found, lanes))),
    )


def builtin_called(name: str) -> BuiltinRow:
    """Find a builtin by its name, in any case, with or without the compiler's prefix.

    Raises:
        UnknownBuiltin: Offers the nearest names.

    """
    word = name.lower()
    for known, row in builtins().items():
        if word in (known.lower(), known.lower().removeprefix(PREFIX)):
            return row
    raise UnknownBuiltin(
        f"{name!r} is not a builtin of the matrix instructions.",
        subject=word if word.startswith(PREFIX) else f"{PREFIX}{word}",
        allowed=builtins(),
        hint="All: wavemma list builtins",
    )


def _checked(row: BuiltinRow, owners: tuple[str, ...], target_name: str) -> str:
    """Refuse a target that lacks a builtin; say what it has instead."""
    if target_name in owners:
        return target_name
    instead = counterparts(row, target_name)
    there = f" There: {', '.join(instead)}." if instead else ""
    raise UnknownBuiltin(
        f"{row.name} does not exist on {target_name}. It is for {', '.join(owners)}.{there}",
        subject=row.name,
        hint=f"All: wavemma list builtins --target {target_name}",
    )


def _instructions(row: BuiltinRow, owners: tuple[str, ...]) -> Iterator[Instruction]:
    """Give the instructions that a builtin becomes, by architecture, those of the targets only."""
    for architecture, name in row.references:
        here = [each for each in targets_of(architecture) if each in owners]
        if here:
            yield catalog.instruction(name, here[0])


def _form(instruction: Instruction, owners: tuple[str, ...], wave: Wave) -> BuiltinForm:
    here = tuple(name for name in instruction.targets if name in owners)
    return BuiltinForm(
        architecture=instruction.architecture,
        title=architectures()[instruction.architecture].title,
        instruction=instruction.name,
        targets=here,
        wave=wave,
        layouts=layout_facts(instruction, wave),
        tables=tuple(_tables(instruction, wave)),
        speeds=tuple(each for name in here for each in speeds(instruction, name)),
    )


def _tables(instruction: Instruction, wave: Wave) -> Iterator[RoleTable]:
    """Give row-to-lane tables of the matrices, at the widest format of each."""
    tables: tuple[tuple[Role, bool], ...] = (("d", False), ("a", True), ("b", True))
    for role, factor in tables:
        layout = instruction.layout(role, wave)
        along = along_rows(layout, role) if factor else ()
        yield RoleTable(role=role, rows=outer_rows(layout, role), along=along)


def _notes(row: BuiltinRow, found: tuple[Instruction, ...], wave: Wave) -> Iterator[str]:
    for each in found:
        yield from layout_notes(each)
        if row.wave and wave != each.waves[0]:
            yield WAVE_FLAG_NOTE.format(wave=wave, default=each.waves[0])
    yield CONSTANT_NOTE
    if row.condition:
        yield f"{row.condition[0].upper()}{row.condition[1:]}."


def _evidence(
    row: BuiltinRow, found: tuple[Instruction, ...], forms: tuple[BuiltinForm, ...]
) -> Iterator[Evidence]:
    yield cited("builtin", row.source, row.grade)
    for each, form in zip(found, forms, strict=True):
        yield layouts_cited(each)
        yield from speed_evidence(form.speeds)
