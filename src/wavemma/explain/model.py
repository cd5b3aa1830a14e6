"""Everything about one arithmetic model: how a sum is rounded, where, and what that rests on."""

from collections.abc import Iterator

import msgspec

from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.citation import cited, distinct
from wavemma.isa.catalog import instructions
from wavemma.tables.keys import Grade
from wavemma.tables.models import ModelRow, model_row
from wavemma.tables.rules import rule_rows

GRADE_NOTE = (
    "The grade belongs to a model on a target; the same rule may be proved on one chip only."
)

EXPONENT_NOTE = (
    "e(x) is the exponent field of a factor, at least 1, less the bias; lead(x) the exponent of the"
    " leading bit of x."
)

_LONGEST_COUNT = 1024
"""Parameters above this are bit patterns."""


class ModelOnTarget(msgspec.Struct, frozen=True, kw_only=True):
    """A target on which instructions follow a model, with the grade there."""

    target: str
    grade: Grade
    instructions: tuple[str, ...]


class ModelFacts(Answer, frozen=True, kw_only=True, tag=True):
    """Everything about one arithmetic model.

    Attributes:
        name: Key of the model.
        title: The rule in one sentence.
        rule: Name of the rule.
        steps: How it sums, in order, with the numbers of this model.
        parameters: What the rule is told, by name.
        meanings: What each of those says.
        alternatives: Other models that hardware may follow, where that is not known.
        uses: Where it is used.

    """

    name: str
    title: str
    rule: str
    steps: tuple[str, ...]
    parameters: dict[str, str]
    meanings: dict[str, str]
    alternatives: tuple[str, ...]
    uses: tuple[ModelOnTarget, ...]


def explain_model(name: str) -> ModelFacts:
    """Say everything about one arithmetic model.

    Raises:
        UnknownModel: Offers the nearest names.

    """
    row = model_row(name.lower())
    uses = tuple(_uses(row.name))
    rule = rule_rows()[row.rule]
    parameters = {key: _text(value) for key, value in row.parameters.items()}
    return ModelFacts(
        name=row.name,
        title=row.title,
        rule=row.rule,
        steps=tuple(step.format_map(parameters) for step in rule.steps),
        parameters=parameters,
        meanings=rule.parameters,
        alternatives=row.alternatives,
        uses=uses,
        evidence=distinct(_evidence(row, uses)),
        notes=(EXPONENT_NOTE, GRADE_NOTE),
    )


def _text(value: object) -> str:
    """Write a parameter; long numbers are bit patterns, so in hexadecimal."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(each)}" for key, each in value.items())
    if isinstance(value, tuple):
        return ", ".join(map(_text, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:#x}" if isinstance(value, int) and value > _LONGEST_COUNT else str(value)


def _uses(name: str) -> Iterator[ModelOnTarget]:
    found: dict[str, list[str]] = {}
    for each in instructions():
        if each.is_matrix and each.matrix.model == name:
            for owner in each.targets:
                found.setdefault(owner, []).append(each.name)
    row = model_row(name)
    for owner, names in found.items():
        yield ModelOnTarget(target=owner, grade=row.grade_on(owner), instructions=tuple(names))


def _evidence(row: ModelRow, uses: tuple[ModelOnTarget, ...]) -> Iterator[Evidence]:
    if not uses:
        yield cited("rule", row.source, row.grade)
    for use in uses:
        yield cited(f"rule ({use.target})", row.source_on(use.target), use.grade)
