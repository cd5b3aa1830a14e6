"""How everything about an arithmetic model reads."""

from wavemma.explain.model import ModelFacts
from wavemma.render.document import Document, Facts, Heading, Table, Text
from wavemma.render.pages import document_of
from wavemma.render.words import listed


def _parameters(answer: ModelFacts) -> tuple[tuple[str, str, str], ...]:
    return tuple((name, value, answer.meanings[name]) for name, value in answer.parameters.items())


@document_of.register
def _model(answer: ModelFacts) -> Document:
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for use in answer.uses:
        groups.setdefault((use.grade, use.instructions), []).append(use.target)
    rows = tuple(
        (", ".join(names), grade, listed(instructions))
        for (grade, instructions), names in groups.items()
    )
    return (
        Heading(f"Arithmetic model {answer.name}", 1),
        Text(f"{answer.title[0].upper()}{answer.title[1:]}."),
        Facts(
            (
                ("rule", answer.rule),
                ("may also be", listed(answer.alternatives)),
            )
        ),
        Heading("How it sums"),
        Facts(tuple((str(number), step) for number, step in enumerate(answer.steps, 1))),
        Table(("parameter", "value", "says"), _parameters(answer), keep=(0,)),
        Heading("Used by"),
        Table(("targets", "grade", "instructions"), rows) if rows else Text("No instruction."),
    )
