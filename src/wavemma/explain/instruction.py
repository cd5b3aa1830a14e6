"""Everything about one instruction, on every architecture that has it."""

from collections.abc import Iterator

import msgspec

from wavemma.errors import OutOfRange
from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.citation import cited, distinct
from wavemma.explain.description import described
from wavemma.explain.form import Form, default_targets, form_conflicts, form_evidence, form_of
from wavemma.explain.formulas import layout_notes
from wavemma.explain.instruction_name import instruction_named, mnemonic_named
from wavemma.explain.word import IDENTIFIER_NOTE
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.isa.target import wave_of
from wavemma.tables.steppings import AbsenceRow, lacking
from wavemma.tables.targets import Wave, architectures, target, targets


class TargetSupport(msgspec.Struct, frozen=True, kw_only=True):
    """Whether one target has an instruction, and under which name."""

    target: str
    architecture: str
    has: bool
    name: str


class OtherForm(msgspec.Struct, frozen=True, kw_only=True):
    """The instruction of another architecture.

    Attributes:
        architecture: Key of the architecture.
        title: Its name as printed.
        name: Mnemonic there.
        targets: The targets that have it.
        same_opcode: Whether encoding and opcode are equal.

    """

    architecture: str
    title: str
    name: str
    targets: tuple[str, ...]
    same_opcode: bool


class RelatedInstruction(msgspec.Struct, frozen=True, kw_only=True):
    """Another instruction of the same architecture, and how it is related."""

    architecture: str
    name: str
    relation: str


class InstructionFacts(Answer, frozen=True, kw_only=True, tag=True):
    """Everything about one instruction.

    Attributes:
        name: Mnemonic of the first form.
        target: Only this target was asked for; empty: all.
        description: What it computes, one sentence each.
        forms: One an architecture.
        others: The architectures that have it and are not among the forms.
        support: Every target, and whether it has the instruction.
        related: Instructions that a user may want instead.
        absences: Which steppings of its targets lack it, one sentence each.

    """

    name: str
    target: str
    description: tuple[str, ...]
    forms: tuple[Form, ...]
    others: tuple[OtherForm, ...]
    support: tuple[TargetSupport, ...]
    related: tuple[RelatedInstruction, ...]
    absences: tuple[str, ...] = ()


def explain_instruction(
    name: str, target_name: str | None = None, wave: int | None = None
) -> InstructionFacts:
    """Say everything about one instruction.

    Args:
        name: Mnemonic or alias, in any case.
        target_name: Only this target; all that have it if None.
        wave: Layouts for this wave size only; for all that there are if None.

    Raises:
        UnknownTarget: Offers the nearest names.
        UnknownInstruction: Offers the nearest names; says who has it if the target does not.
        OutOfRange: The target has no waves of that size.

    """
    target_name = target_name and target(target_name).name
    found = _found(name, target_name)
    if wave is not None and not any(_waves(each, target_name, wave) for each in found):
        sizes = dict.fromkeys(size for each in found for size in each.waves)
        raise OutOfRange(
            f"A wave that runs {name} must have {' or '.join(map(str, sizes))} lanes; {wave} was"
            " given.",
            subject=wave,
        )
    forms = tuple(
        form_of(each, _waves(each, target_name, wave), default_targets(each, target_name))
        for each in found
    )
    first = found[0]
    elsewhere = catalog.others(first) if target_name else ()
    lacked = tuple(_absences(found, target_name))
    conflicts = [
        conflict
        for each, form in zip(found, forms, strict=True)
        for conflict in form_conflicts(each, default_targets(each, target_name))
    ]
    return InstructionFacts(
        name=first.name,
        target=target_name or "",
        description=tuple(described(first)),
        forms=forms,
        others=tuple(_other(each) for each in elsewhere),
        support=tuple(_support(first)),
        related=tuple(_related(found)),
        absences=tuple(row.told(first.name) for row in lacked),
        evidence=distinct(_evidence(found, forms, lacked)),
        conflicts=tuple(dict.fromkeys(conflicts)),
        notes=tuple(
            dict.fromkeys(
                (IDENTIFIER_NOTE, *(note for each in found for note in layout_notes(each)))
            )
        ),
    )


def _evidence(
    found: tuple[Instruction, ...], forms: tuple[Form, ...], lacked: tuple[AbsenceRow, ...]
) -> Iterator[Evidence]:
    for each, form in zip(found, forms, strict=True):
        yield from form_evidence(each, form)
    for row in lacked:
        yield cited("stepping", row.source, row.grade)


def _absences(found: tuple[Instruction, ...], target_name: str | None) -> Iterator[AbsenceRow]:
    """Find the steppings that lack one of the instructions."""
    for each in found:
        for name in default_targets(each, target_name):
            row = lacking(name, each.name)
            if row is not None:
                yield row


def instructions_called(name: str) -> tuple[Instruction, ...]:
    """List the instructions of this name or alias, one an architecture; empty if there is none."""
    every = (catalog.by_name(key).get(name.lower()) for key in architectures())
    return tuple(each for each in every if each is not None)


def _found(name: str, target_name: str | None) -> tuple[Instruction, ...]:
    """Find the instruction on one target, or everywhere under all of its names."""
    if target_name is not None:
        return (instruction_named(name, target_name),)
    found = instructions_called(mnemonic_named(name))
    known = {each.architecture for each in found}
    more = [other.instruction for other in catalog.others(found[0])]
    every = (*found, *(each for each in more if each.architecture not in known))
    order = list(architectures())
    return tuple(sorted(every, key=lambda each: order.index(each.architecture)))


def _waves(instruction: Instruction, target_name: str | None, wave: int | None) -> tuple[Wave, ...]:
    """Choose the wave sizes to give layouts for."""
    if wave is None:
        return instruction.waves
    if target_name is None and wave not in instruction.waves:
        return ()
    return (wave_of(target(target_name or instruction.targets[0]), wave),)


def _other(found: catalog.Elsewhere) -> OtherForm:
    each = found.instruction
    return OtherForm(
        architecture=each.architecture,
        title=architectures()[each.architecture].title,
        name=each.name,
        targets=each.targets,
        same_opcode=found.same_opcode,
    )


def _support(first: Instruction) -> Iterator[TargetSupport]:
    """Go through every target and say whether it has the instruction."""
    owners = [first, *(each.instruction for each in catalog.others(first))]
    names = {name: each.name for each in owners for name in each.targets}
    for row in targets().values():
        yield TargetSupport(
            target=row.name,
            architecture=row.architecture,
            has=row.name in names,
            name=names.get(row.name, ""),
        )


def _related(found: tuple[Instruction, ...]) -> Iterator[RelatedInstruction]:
    for each in found:
        for relative in catalog.related(each):
            yield RelatedInstruction(
                architecture=each.architecture,
                name=relative.instruction.name,
                relation=relative.relation,
            )
