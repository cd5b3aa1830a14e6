"""How the sum of an instruction is rounded: its arithmetic model and what that rests on."""

import msgspec

from wavemma.explain.answer import Evidence
from wavemma.explain.citation import UNKNOWN_SOURCE, cited
from wavemma.isa.instruction import Instruction
from wavemma.tables.keys import Grade
from wavemma.tables.models import model_rows


class ModelUse(msgspec.Struct, frozen=True, kw_only=True):
    """The arithmetic model of an instruction on one target.

    Attributes:
        target: Name of the target.
        model: Name of the model; empty if none is known.
        title: The rule in one sentence.
        alternatives: Other models that hardware may follow, where that is not known.
        source: Key of the citation.
        grade: Grade on this target.

    """

    target: str
    model: str
    title: str
    alternatives: tuple[str, ...]
    source: str
    grade: Grade


def model_uses(instruction: Instruction) -> tuple[ModelUse, ...]:
    """Name the arithmetic model of an instruction on each target; none for a scale load."""
    if not instruction.is_matrix:
        return ()
    return tuple(model_use(instruction, name) for name in instruction.targets)


def model_use(instruction: Instruction, target_name: str) -> ModelUse:
    """Name the arithmetic model of an instruction on one target."""
    row = model_rows().get(instruction.matrix.model)
    if row is None:
        return ModelUse(
            target=target_name,
            model="",
            title="",
            alternatives=(),
            source=UNKNOWN_SOURCE,
            grade="unknown",
        )
    return ModelUse(
        target=target_name,
        model=row.name,
        title=row.title,
        alternatives=row.alternatives_on(target_name),
        source=row.source_on(target_name),
        grade=row.grade_on(target_name),
    )


def model_cited(use: ModelUse) -> Evidence:
    """Say what the arithmetic model of a target rests on."""
    return cited(f"arithmetic ({use.target})", use.source, use.grade)
