"""How does code for an instruction of one target become code for another target?"""

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

import msgspec

from wavemma.clang_builtins.names import available
from wavemma.errors import UnknownInstruction
from wavemma.explain.answer import Answer
from wavemma.explain.citation import distinct
from wavemma.explain.equivalents import Equivalent, builtins_for, equivalents, setup_of
from wavemma.explain.feature import Feature, feature
from wavemma.explain.form import form_conflicts
from wavemma.explain.formulas import LANE_NOTE, index_note
from wavemma.explain.nearness import Distance, Setup
from wavemma.explain.port_changes import Change, changes_of, obstacles
from wavemma.explain.port_side import PortSide, cost_of, side_evidence, side_of
from wavemma.explain.port_steps import Step, steps_of
from wavemma.isa.instruction import Instruction
from wavemma.tables.builtins import BuiltinRow
from wavemma.tables.formats import format_row
from wavemma.tables.targets import target

SAME, EQUIVALENT, NONE = "same", "equivalent", "none"
_OTHERS = 4
SIGNED_NOTE = "The calls take integers as signed; the two sign arguments say so for each operand."
CODES_NOTE = "In the code, matrices hold codes: the bits of each number, 4- and 6-bit ones a byte."


class OtherForm(msgspec.Struct, frozen=True, kw_only=True):
    """Another instruction of the new target that stands for the old one as well."""

    instruction: str
    builtin: str
    shape: tuple[int, int, int]
    blocks: int
    formats: tuple[str, str, str]
    ops_per_cu_per_cycle: float | None


class Port(Answer, frozen=True, kw_only=True, tag=True):
    """An instruction of one target and what stands for it on another.

    Attributes:
        asked: The operation in the user's words.
        verdict: "same" if only registers, rates or roundings may differ; "equivalent" if shape,
            wave or codes differ; "none" if nothing computes the same.
        obstacles: Why nothing does, one sentence each; empty unless the verdict is "none".
        before: The old side.
        after: The new side; the nearest instruction if there is no equivalent.
        changes: What differs and what to do about it.
        steps: What to do, in the order of the work.
        others: Other instructions of the new target that stand for the old one.
        also_meant: Other instructions of the old target that the words mean.

    """

    asked: str
    verdict: str
    obstacles: tuple[str, ...]
    before: PortSide
    after: PortSide
    changes: tuple[Change, ...]
    steps: tuple[Step, ...]
    others: tuple[OtherForm, ...]
    also_meant: tuple[str, ...]


def explain_port(
    old_target: str,
    new_target: str,
    op: str,
    *,
    wave: int | None = None,
    new_wave: int | None = None,
) -> Port:
    """Say how to port an operation from one target to another.

    Args:
        old_target: Such as "gfx1100".
        new_target: Such as "gfx1201".
        op: A mnemonic, a builtin, or words such as "i32_16x16x16_iu8" or "f16 16x16x16".
        wave: Lanes of a wave on the old target; its default, or what the builtin needs, if None.
        new_wave: The same of the new target; its default if None.

    Raises:
        UnknownTarget: Offers the nearest names.
        UnknownName: The operation has no meaning, or the old target has no such instruction.
        OutOfRange: A target has no waves of that size.

    """
    old_target, new_target = target(old_target).name, target(new_target).name
    meant = feature(op)
    old, row, rest = _chosen(meant, old_target, wave)
    found = equivalents(old, new_target, new_wave)
    best = found[0]
    new_row = _alike(best.builtins, row)
    before, after = side_of(old, row), side_of(best.setup, new_row)
    pairs = ((old, row), (best.setup, new_row))
    changes = tuple(changes_of(before, after))
    return Port(
        asked=op,
        verdict=_verdict(best.distance),
        obstacles=tuple(obstacles(old, best.setup, best.distance)),
        before=before,
        after=after,
        changes=changes,
        steps=tuple(steps_of(before, after, changes)),
        others=tuple(_others(found)),
        also_meant=rest,
        evidence=distinct(each for pair in pairs for each in side_evidence(*pair)),
        conflicts=tuple(
            dict.fromkeys(
                each
                for setup, _ in pairs
                for each in form_conflicts(setup.instruction, (setup.target,))
            )
        ),
        notes=tuple(_notes(old, best.setup)),
    )


def _chosen(
    meant: Feature, target_name: str, wave: int | None
) -> tuple[Setup, BuiltinRow | None, tuple[str, ...]]:
    """Choose the instruction of the old target that the words mean, and its builtin."""
    here = [each for each in meant.instructions if target_name in each.targets and each.is_matrix]
    if not here or target(target_name).name not in meant.targets:
        raise _lacking(meant, target_name)
    named = meant.builtins[0] if meant.kind == "builtin" else None
    lanes = wave or (named.wave if named and named.wave else None)
    setups = [setup_of(each, target_name, lanes, meant.formats(each)) for each in here]
    setup = min(setups, key=_plainness)
    rows = builtins_for(setup.instruction, target_name, setup.wave)
    row = named if named in rows else _alike(rows, named)
    return setup, row, tuple(each.name for each in here if each is not setup.instruction)


def _lacking(meant: Feature, target_name: str) -> UnknownInstruction:
    who = f" It is for {', '.join(meant.targets)}." if meant.instructions else ""
    return UnknownInstruction(
        f"{target_name} has no matrix instruction {meant.words!r}.{who}",
        subject=meant.words,
        hint=f"All: wavemma list --target {target_name}",
    )


def _plainness(setup: Setup) -> tuple[object, ...]:
    """Order what words mean: dense and unscaled first, few formats, wide result, fast."""
    each = setup.instruction
    return (
        each.is_scaled,
        each.is_sparse,
        len(each.formats["a"]),
        -format_row(setup.formats["d"]).bits,
        each.blocks,
        -(cost_of(setup).ops_per_cu_per_cycle or 0),
        each.shape,
    )


def _alike(rows: Sequence[BuiltinRow], named: BuiltinRow | None) -> BuiltinRow | None:
    """Choose the builtin whose name is most like the old one; the plain one without an old one."""
    if not rows or named is None:
        return rows[0] if rows else None
    return max(rows, key=lambda row: SequenceMatcher(None, row.name, named.name).ratio())


def _verdict(found: Distance) -> str:
    if not found.is_equivalent:
        return NONE
    return EQUIVALENT if found.recoded or found.rows or found.wave or found.steps else SAME


def _others(found: Iterable[Equivalent]) -> Iterator[OtherForm]:
    """List the next ones that stand for the old instruction too."""
    equal = [each for each in found if each.distance.is_equivalent][1:]
    for each in equal[:_OTHERS]:
        formats = each.setup.formats
        yield OtherForm(
            instruction=each.setup.instruction.name,
            builtin=each.builtins[0].name if each.builtins else "",
            shape=each.setup.instruction.shape,
            blocks=each.setup.instruction.blocks,
            formats=(formats["a"], formats["b"], formats["d"]),
            ops_per_cu_per_cycle=cost_of(each.setup).ops_per_cu_per_cycle,
        )


def _notes(old: Setup, new: Setup) -> Iterator[str]:
    yield LANE_NOTE
    yield index_note(("a", "b", "c", "d"))
    yield CODES_NOTE
    if _is_integer(old.instruction) or _is_integer(new.instruction):
        yield SIGNED_NOTE
    for setup in (old, new):
        rows = builtins_for(setup.instruction, setup.target, setup.wave)
        for row in rows:
            if row.newer_llvm and setup.target in available(row):
                yield f"{row.name}: {row.newer_llvm}."


def _is_integer(instruction: Instruction) -> bool:
    return format_row(instruction.formats["a"][0]).sign == "chosen"
