"""How the check of a sparse index reads."""

from wavemma.explain.index_check import IndexVerdict
from wavemma.render.document import Document, Facts, Heading, Text
from wavemma.render.pages import document_of
from wavemma.render.spots import asked_facts, spot_text


@document_of.register
def _verdict(answer: IndexVerdict) -> Document:
    return (
        Heading(f"Index of {answer.asked}", 1),
        Text(_sentence(answer)),
        Facts((*asked_facts(answer.asked), *_faults(answer))),
    )


def _sentence(answer: IndexVerdict) -> str:
    if answer.is_legal:
        return f"Legal: the places of all {answer.groups} groups ascend."
    if answer.faults:
        return f"Not legal: {answer.faults} of {answer.groups} groups do not ascend."
    return "Not legal: copies of the index differ."


def _faults(answer: IndexVerdict) -> tuple[tuple[str, str], ...]:
    found = []
    if answer.fault:
        bits = " and ".join(spot_text(each) for each in answer.places)
        found += [
            ("first", answer.fault),
            ("its bits", f"{bits}, lane {answer.places[0].lane}"),
        ]
    if answer.disagreement:
        found.append(("copies", answer.disagreement))
    return tuple(found)
