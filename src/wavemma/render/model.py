"""How everything about an arithmetic model reads."""

from wavemma.explain.model import ModelFacts
from wavemma.render.document import Detail, Document, Facts, Heading, Table, Text
from wavemma.render.pages import document_of, footer_of, short_footer
from wavemma.render.short_form import where_words
from wavemma.render.words import listed

_FEW = 2


def _parameters(answer: ModelFacts) -> tuple[tuple[str, str, str], ...]:
    return tuple((name, value, answer.meanings[name]) for name, value in answer.parameters.items())


@document_of.register
def _model(answer: ModelFacts) -> Document:
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
        Detail((_uses(answer),), (_short_uses(answer),))
        if answer.uses
        else Text("No instruction."),
    )


@footer_of.register
def _footer(answer: ModelFacts) -> Document:
    return short_footer(answer)


def _uses(answer: ModelFacts) -> Table:
    """Name every instruction, one line for targets that have the same."""
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for use in answer.uses:
        groups.setdefault((use.grade, use.instructions), []).append(use.target)
    rows = tuple(
        (", ".join(names), grade, listed(instructions))
        for (grade, instructions), names in groups.items()
    )
    return Table(("targets", "grade", "instructions"), rows)


def _short_uses(answer: ModelFacts) -> Facts:
    """Name the targets of each grade, and a few of the instructions."""
    groups: dict[str, tuple[list[str], dict[str, None]]] = {}
    for use in answer.uses:
        targets, found = groups.setdefault(use.grade, ([], {}))
        targets.append(use.target)
        found.update(dict.fromkeys(use.instructions))
    return Facts(
        tuple(
            (f"{where_words(targets)} [{grade}]", _few(list(found)))
            for grade, (targets, found) in groups.items()
        )
    )


def _few(names: list[str]) -> str:
    more = f" and {len(names) - _FEW} more: --full" if len(names) > _FEW + 1 else ""
    return listed(names[:_FEW] if more else names) + more
