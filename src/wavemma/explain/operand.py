"""The operand that a question is about: role, wave, format and modifiers, and its layout."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from wavemma.errors import EncodingMistake, UnknownName
from wavemma.explain.answer import Conflict, Evidence
from wavemma.explain.citation import citation, cited, distinct
from wavemma.explain.formulas import layout_notes
from wavemma.explain.instruction_name import builtin_named, instruction_named
from wavemma.explain.moves import effects_of, idle_choices, move_evidence_of, moved
from wavemma.isa.instruction import Instruction
from wavemma.isa.target import Wave, target, wave_of
from wavemma.layouts import MATRIX_ROLES, SCALE_ROLES, Layout, Role
from wavemma.tables.format_names import format_among
from wavemma.tables.layout_evidence import layout_evidence

LETTERS: dict[Role, str] = {"a": "A", "b": "B", "c": "C", "d": "D"}

_NOTHING: Mapping[str, int] = {}


class Asked(msgspec.Struct, frozen=True):
    """The operand that an answer is about.

    Attributes:
        target: Such as "gfx1100"; empty of a layout by itself.
        instruction: Its mnemonic; of a layout by itself what holds it.
        operand: A, B, C, D, index, scale_a or scale_b.
        wave: Lanes of the wave.
        format: Name of its number format; of the index, that of A.
        modifiers: What the given modifiers do, by effect.
        is_assumed: Whether a modifier chooses the format, and nobody said which it is.

    """

    target: str
    instruction: str
    operand: str
    wave: int
    format: str
    modifiers: dict[str, int]
    is_assumed: bool = False

    def __str__(self) -> str:
        where = f" on {self.target}" if self.target else ""
        return f"{self.instruction}{where}, wave{self.wave}"


class Operand(NamedTuple):
    """One operand of one instruction on one target, with modifiers.

    Attributes:
        target: Such as "gfx1100".
        instruction: The instruction.
        role: Which operand.
        wave: Lanes of the wave.
        format: Name of the operand's format; of the index, that of A.
        effects: What the modifiers do, by effect.
        layout: Where its elements lie, modifiers applied.
        unknown: Why the places are not known; empty if they are.
        is_assumed: Whether a modifier chooses the format, and nobody said which it is.

    """

    target: str
    instruction: Instruction
    role: Role
    wave: Wave
    format: str
    effects: Mapping[str, int]
    layout: Layout
    unknown: str
    is_assumed: bool = False

    @property
    def letter(self) -> str:
        """The operand's name in sentences."""
        return LETTERS.get(self.role, self.role)

    def sibling(self, role: Role) -> "Operand":
        """Give another operand of the same instruction, in the same format if it may be."""
        allowed = self.instruction.formats_of(role)
        format = self.format if self.format in allowed else allowed[0]
        layout = self.instruction.layout(role, self.wave, format)
        placed, unknown = moved(self.instruction, role, layout, self.effects)
        return self._replace(role=role, format=format, layout=placed, unknown=unknown)


def operand(
    target_name: str,
    instruction_name: str,
    role: str,
    *,
    wave: int | None = None,
    format: str | None = None,
    modifiers: Mapping[str, int] = _NOTHING,
) -> Operand:
    """Find an operand and its layout.

    Args:
        target_name: Such as "gfx1100".
        instruction_name: A mnemonic or an alias of one, or a builtin that becomes one.
        role: A, B, C, D, index, scale_a or scale_b, in any case.
        wave: Lanes of the wave; those of a builtin, or the target's default, if None.
        format: Where the instruction lets a modifier choose, the format by name or by the word
            that assemblers use ("fp8"); the first if None.
        modifiers: Values by the keys of CHOICES; those left out keep their default.

    Raises:
        UnknownTarget: No such target.
        UnknownInstruction: The target has no such instruction.
        UnknownName: No such operand.
        UnknownFormat: The operand cannot have the format.
        OutOfRange: The target has no such wave, or a modifier not that value.
        EncodingMistake: The instruction does not take one of the modifiers.

    """
    where = target(target_name)
    row = builtin_named(instruction_name)
    instruction = instruction_named(instruction_name, where.name)
    lanes = wave_of(where, wave or (row.wave if row else None) or None)
    named = _role(instruction, role)
    chosen = _format(instruction, named, format)
    effects = effects_of(instruction, lanes, modifiers)
    layout = instruction.layout(named, lanes, chosen)
    placed, unknown = moved(instruction, named, layout, effects)
    assumed = format is None and len(instruction.formats_of(named)) > 1
    return Operand(where.name, instruction, named, lanes, chosen, effects, placed, unknown, assumed)


def asked_of(chosen: Operand) -> Asked:
    """Write down which operand an answer is about."""
    return Asked(
        chosen.target,
        chosen.instruction.name,
        chosen.letter,
        chosen.wave,
        chosen.format,
        dict(chosen.effects),
        chosen.is_assumed,
    )


def evidence_of(chosen: Operand) -> tuple[Evidence, ...]:
    """Say what the layout of an operand rests on, its moving modifiers included."""
    architecture, name = chosen.instruction.architecture, chosen.instruction.name
    row = layout_evidence(architecture, name)
    whole = cited("layout", row.source, row.grade, row.note)
    moves = move_evidence_of(chosen.instruction, chosen.role, chosen.effects)
    return distinct((whole, *moves))


def conflicts_of(chosen: Operand) -> tuple[Conflict, ...]:
    """Say where sources disagree about the layout of an operand."""
    row = layout_evidence(chosen.instruction.architecture, chosen.instruction.name)
    if chosen.role not in row.rival_roles:
        return ()
    what = f"layout of {chosen.letter}"
    return (Conflict(what, "the layout shown", row.rival, citation(row.rival_source)),)


def notes_of(chosen: Operand, modifiers: Mapping[str, int] = _NOTHING) -> tuple[str, ...]:
    """Say what a reader of places must know: lanes, registers, modifiers without an effect."""
    idle = [
        f"{name} does not move {chosen.letter}." for name in idle_choices(chosen.role, modifiers)
    ]
    return (*layout_notes(chosen.instruction, chosen.role), *idle)


def _role(instruction: Instruction, role: str) -> Role:
    """Find the role that a word names."""
    if not instruction.is_matrix:
        raise EncodingMistake(
            f"{instruction.name} hands on scales and holds no matrix; ask for the scales of the"
            " instruction behind it.",
            subject=instruction.name,
        )
    for known in (*MATRIX_ROLES, *SCALE_ROLES):
        if known == role.lower() and known in instruction.roles:
            return known
    names = [LETTERS.get(known, known) for known in _roles(instruction)]
    raise UnknownName(
        f"An operand of {instruction.name} must be one of {', '.join(names)}; {role!r} was given.",
        subject=role,
        allowed=names,
    )


def _roles(instruction: Instruction) -> tuple[Role, ...]:
    every = (*MATRIX_ROLES, *SCALE_ROLES)
    return tuple(role for role in every if role in instruction.roles)


def _format(instruction: Instruction, role: Role, format: str | None) -> str:
    """Find the format that a name or an assembler's word means."""
    allowed = instruction.formats_of(role)
    if format is None:
        return allowed[0]
    return format_among(format, allowed, f"{LETTERS.get(role, role)} of {instruction.name}")
