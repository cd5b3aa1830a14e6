"""How fast one instruction runs."""

from collections.abc import Iterable

from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.citation import cited, distinct
from wavemma.explain.instruction_name import instruction_named
from wavemma.explain.speeds import Speed, speed_conflicts, speed_evidence, speeds
from wavemma.isa.instruction import Instruction
from wavemma.isa.target import wave_of
from wavemma.tables.hazard_rows import LatencyRow
from wavemma.tables.hazards import hazards
from wavemma.tables.targets import Wave, architectures, target
from wavemma.tables.throughput import steppings

CYCLES_NOTE = (
    "Cycles are those that one SIMD is busy with the instruction; ops count a multiplication and"
    " an addition as two, sparse ones as if dense."
)
WAVE_NOTE = "The sources give the cycles of the instruction; they do not tell the wave sizes apart."
UNKNOWN_NOTE = "No source gives the cycles of this instruction on this target: they are unknown."


class RateFacts(Answer, frozen=True, kw_only=True, tag=True):
    """How long one instruction keeps a SIMD busy on one target.

    Attributes:
        instruction: Mnemonic.
        target: Name of the target.
        architecture: Title of its generation.
        wave: Lanes of a wave.
        simds_per_unit: SIMDs that work at once in a unit.
        speeds: A row for each stepping and each group of formats that cost the same.

    """

    instruction: str
    target: str
    architecture: str
    wave: Wave
    simds_per_unit: int
    speeds: tuple[Speed, ...]


def explain_rate(
    target_name: str, name: str, *, wave: int | None = None, stepping: str | None = None
) -> RateFacts:
    """Say how fast one instruction runs on one target.

    Args:
        target_name: Such as "gfx942".
        name: Mnemonic or alias.
        wave: Lanes of a wave; the target's default if None.
        stepping: Only this silicon stepping; the final one and those that differ if None.

    Raises:
        UnknownTarget: Offers the nearest names.
        UnknownInstruction: Offers the nearest names and says who has it.
        OutOfRange: The target has no waves of that size.
        UnknownName: The stepping has no cycles of its own.

    """
    where = target(target_name)
    target_name = where.name
    instruction = instruction_named(name, target_name)
    wanted = ("", *steppings(target_name)) if stepping is None else (stepping,)
    found = tuple(speed for each in wanted for speed in speeds(instruction, target_name, each))
    latencies = latencies_of(instruction, target_name)
    notes = [CYCLES_NOTE]
    if len(where.waves) > 1:
        notes.append(WAVE_NOTE)
    if any(speed.cycles is None for speed in found):
        notes.append(UNKNOWN_NOTE)
    return RateFacts(
        instruction=instruction.name,
        target=where.name,
        architecture=architectures()[where.architecture].title,
        wave=wave_of(where, wave),
        simds_per_unit=where.simds_per_unit,
        speeds=found,
        evidence=distinct([*speed_evidence(found), *_latency_evidence(latencies)]),
        conflicts=tuple(dict.fromkeys(speed_conflicts(instruction, target_name))),
        notes=(*notes, *(f"{row.fact[0].upper()}{row.fact[1:]}." for row in latencies)),
    )


def latencies_of(instruction: Instruction, target_name: str) -> tuple[LatencyRow, ...]:
    """List what is known about chains of an instruction on a target."""
    names = {instruction.kind, instruction.name}
    return tuple(
        row
        for row in hazards().latencies.values()
        if names & set(row.of)
        and (instruction.architecture in row.architectures or target_name in row.targets)
    )


def _latency_evidence(rows: Iterable[LatencyRow]) -> list[Evidence]:
    return [cited(f"latency ({row.name})", row.source, row.grade) for row in rows]
