"""Look instructions up, list them, and find their relatives. Loads an architecture on first use."""

from collections.abc import Iterable
from functools import cache

import msgspec

from wavemma.errors import UnknownInstruction
from wavemma.isa.encoding import Encoding, encodings
from wavemma.isa.instruction import Instruction
from wavemma.isa.modifier import Modifier, modifier
from wavemma.isa.operand import OperandField
from wavemma.tables.format_names import formats_called
from wavemma.tables.instructions import (
    ArchitectureRows,
    FormRow,
    InstructionRow,
    OperandRow,
    ScaleLoadRow,
    architecture_rows,
    modifier_words,
)
from wavemma.tables.targets import Wave, architectures, target, targets_of


class Elsewhere(msgspec.Struct, frozen=True):
    """The same instruction of another architecture.

    Attributes:
        instruction: What it is there.
        same_opcode: Whether encoding and opcode are equal.
        same_name: Whether it is printed under the same name.

    """

    instruction: Instruction
    same_opcode: bool
    same_name: bool


class Relative(msgspec.Struct, frozen=True):
    """Another instruction of the same architecture, and what the two have to do with another."""

    instruction: Instruction
    relation: str


def instruction(name: str, target_name: str) -> Instruction:
    """Find an instruction of a target by its mnemonic or an alias of it.

    Args:
        name: Such as "v_wmma_f32_16x16x16_f16"; case doesn't matter.
        target_name: Such as "gfx1100".

    Raises:
        UnknownTarget: Offers the nearest names.
        UnknownInstruction: Offers the nearest names on this target, and says who has it.

    """
    owner = target(target_name)
    target_name, table = owner.name, by_name(owner.architecture)
    found = table.get(name) or table.get(name.lower())
    if found is None or target_name not in found.targets:
        raise _unknown(name.lower(), target_name)
    return found


def instructions(
    target_name: str | None = None,
    *,
    type: str | None = None,
    sparse: bool | None = None,
    kind: str | None = None,
) -> tuple[Instruction, ...]:
    """List instructions by architecture, encoding and opcode.

    Args:
        target_name: Only those of this target; of every architecture if None.
        type: Only those that can have A, B, C or D in this format.
        sparse: Only those that take (or don't take) a sparse A.
        kind: Only mfma, smfmac, wmma, swmmac or scale_load.

    Raises:
        UnknownTarget, UnknownFormat: Offer the nearest names.

    """
    owner = None if target_name is None else target(target_name)
    meant = None if type is None else set(formats_called(type))
    names = architectures() if owner is None else (owner.architecture,)
    return tuple(
        each
        for name in names
        for each in of_architecture(name)
        if (owner is None or owner.name in each.targets)
        and (meant is None or any(meant & set(formats) for formats in each.formats.values()))
        and (sparse is None or each.is_sparse == sparse)
        and (kind is None or each.kind == kind)
    )


def formats_taken(target_name: str) -> frozenset[str]:
    """Name the formats that the operands of a target's instructions can have.

    Raises:
        UnknownTarget: Offers the nearest names.

    """
    every = (names for each in instructions(target_name) for names in each.formats.values())
    return frozenset(name for names in every for name in names)


def others(instruction: Instruction) -> tuple[Elsewhere, ...]:
    """Find the other architectures that have an instruction, under this name or an alias."""
    names = {instruction.name, *instruction.aliases}
    return tuple(
        Elsewhere(
            each,
            (each.encoding.identity, each.match)
            == (instruction.encoding.identity, instruction.match),
            each.name == instruction.name,
        )
        for architecture in architectures()
        if architecture != instruction.architecture
        for each in of_architecture(architecture)
        if names & {each.name, *each.aliases}
    )


def related(instruction: Instruction) -> tuple[Relative, ...]:
    """Find the instructions of the same architecture that a user may want instead."""
    if not instruction.is_matrix:
        return ()
    return tuple(
        Relative(each, relation)
        for each in of_architecture(instruction.architecture)
        if each is not instruction and each.is_matrix
        for relation in [_relation(instruction, each)]
        if relation
    )


@cache
def of_architecture(name: str) -> tuple[Instruction, ...]:
    """Build every instruction of an architecture, in the order of its rows.

    Raises:
        DataMistake: A row breaks a rule, or there is no such architecture.

    """
    table = architecture_rows(name)
    words = encodings(table)
    every: list[InstructionRow | ScaleLoadRow] = [*table.instructions, *table.scale_loads]
    return tuple(_build(row, table, words) for row in every)


@cache
def by_name(architecture: str) -> dict[str, Instruction]:
    """Index the instructions of an architecture by mnemonic; aliases lead there too."""
    every = of_architecture(architecture)
    table = {alias: each for each in every for alias in each.aliases}
    return table | {each.name: each for each in every}


def _build(
    row: InstructionRow | ScaleLoadRow, table: ArchitectureRows, words: dict[str, Encoding]
) -> Instruction:
    generation = architectures()[table.name]
    encoding = words[row.encoding]
    form = next(each for each in table.forms if each.name == row.form)
    return Instruction(
        row=row,
        architecture=table.name,
        targets=(row.targets if isinstance(row, InstructionRow) else ()) or targets_of(table.name),
        waves=generation.waves,
        alignment=generation.alignment,
        encoding=encoding,
        form=form,
        operands=tuple(
            _operand(each, encoding) for each in table.operands if each.operands == row.operands
        ),
        modifiers_by_wave={
            wave: tuple(_modifiers(form, wave, table, encoding)) for wave in generation.waves
        },
    )


def _operand(row: OperandRow, encoding: Encoding) -> OperandField:
    return OperandField(
        encoding.by_name[row.field],
        row.role,
        row.kinds,
        encoding.by_name[row.accumulator] if row.accumulator else None,
        row.inv_2pi is not False,
        row.registers,
        row.inv_2pi_text,
        row.inv_2pi_wave,
    )


def _modifiers(
    form: FormRow, wave: Wave, table: ArchitectureRows, encoding: Encoding
) -> list[Modifier]:
    rows = {each.name: each for each in table.modifiers}
    order = modifier_words()
    extra = {32: form.wave32, 64: form.wave64}[wave]
    made = [
        modifier(rows[name], encoding, order.index(rows[name].word))
        for name in (*form.modifiers, *extra)
    ]
    return sorted(made, key=lambda each: each.order)


def _relation(one: Instruction, two: Instruction) -> str:
    """Name what two instructions have to do with another; "" if nothing."""
    same_formats = all(one.formats[role] == two.formats[role] for role in ("a", "b", "d"))
    same_shape = one.shape == two.shape and one.blocks == two.blocks
    if one.matrix.unscaled == two.name or two.matrix.unscaled == one.name:
        return "scaled form" if two.is_scaled else "form without scales"
    if one.is_sparse != two.is_sparse:
        return ("sparse form" if two.is_sparse else "dense form") if same_formats else ""
    if same_formats and same_shape:
        return "other block of scales" if one.is_scaled and two.is_scaled else ""
    if same_formats:
        return "other shape" if one.is_scaled == two.is_scaled else ""
    return "other formats" if same_shape else ""


def _unknown(name: str, target_name: str) -> UnknownInstruction:
    """Say that a target lacks an instruction, and which targets have it."""
    owners = _owners(name)
    here = [each.name for each in instructions(target_name)]
    who = f"  It is one of {', '.join(owners)}." if owners else ""
    return UnknownInstruction(
        f"{name!r} is not a matrix instruction of {target_name}.{who}",
        subject=name,
        allowed=here,
        hint=f"All: wavemma list --target {target_name}",
    )


def _owners(name: str) -> list[str]:
    """List the targets that have an instruction of this name."""
    found: Iterable[Instruction] = (
        each for key in architectures() for each in [by_name(key).get(name)] if each
    )
    return [target_name for each in found for target_name in each.targets]
