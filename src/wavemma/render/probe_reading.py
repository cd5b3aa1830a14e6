"""How the reading of a probe's output reads."""

from wavemma.explain.probe_reading import Fit, Mismatch, ProbeReading
from wavemma.render.document import Block, Document, Facts, Heading, Table, Text
from wavemma.render.pages import document_of
from wavemma.render.words import hexadecimal, listed

NONE_MOVED = "none"
REPORT = (
    "To report it: keep the output as it is, with the versions of driver and compiler and the"
    " stepping of the chip, and open an issue with all of it."
)


@document_of.register
def _reading(answer: ProbeReading) -> Document:
    blocks: list[Block] = [Heading(f"Probe {answer.point}: {_headline(answer)}", 1)]
    blocks.append(
        Facts(
            (
                ("open", answer.question),
                ("ran", f"{answer.instruction} on {answer.target}, wave{answer.wave}"),
                ("device", answer.device),
                ("verdict", _verdict(answer)),
            )
        )
    )
    if answer.fits:
        fits = tuple((each.name, _agreeing(each), each.title) for each in answer.fits)
        blocks.append(Table(("candidate", "agrees", "means"), fits, keep=(0, 1)))
        wrong = [(fit, fit.first) for fit in answer.fits if fit.first]
        if wrong:
            blocks.append(_first(wrong))
    for each in answer.measured:
        rows = each.rows or ((NONE_MOVED, *("" for _ in each.head[1:])),)
        blocks.append(Table(each.head, rows, title=each.title))
    blocks.append(Text(REPORT))
    return tuple(blocks)


def _headline(answer: ProbeReading) -> str:
    words = {
        "one": listed(answer.followed),
        "none": "no candidate",
        "several": "several candidates",
        "measured": "measured",
    }
    return words[answer.verdict]


def _verdict(answer: ProbeReading) -> str:
    if answer.verdict == "one":
        return f"the silicon follows {answer.followed[0]}: every element of D is as it says"
    if answer.verdict == "several":
        return f"{listed(answer.followed)} all agree in every element: the output does not decide"
    if answer.verdict == "measured":
        return "there is no candidate; what the silicon gave is below"
    if answer.other_models:
        return f"no candidate agrees, but a known model does: {listed(answer.other_models)}"
    return "no candidate and no known model agrees in every element: the rule is another one"


def _agreeing(fit: Fit) -> str:
    return f"{fit.agreeing} of {fit.elements}"


def _first(wrong: list[tuple[Fit, Mismatch]]) -> Table:
    rows = tuple(
        (
            fit.name,
            f"run {each.run}, D[{each.row}][{each.column}]",
            f"{hexadecimal(each.got, each.bits)} = {each.got_number}",
            f"{hexadecimal(each.said, each.bits)} = {each.said_number}",
        )
        for fit, each in wrong
    )
    return Table(("candidate", "element", "got", "should be"), rows, title="First disagreement")
