"""How a probe and the list of open points read."""

from shlex import quote

from wavemma.explain.probe import Probe, ProbeList
from wavemma.render.document import Block, Code, Detail, Document, Facts, Heading, Table, Text
from wavemma.render.pages import document_of, footer_of, short_footer
from wavemma.render.probe_program import compile_line
from wavemma.render.words import listed, plural

_MORE = "What is not known about each: --full, or wavemma probe TARGET --list."
_MOST_TARGETS = 3


@document_of.register
def _probe(answer: Probe) -> Document:
    blocks: list[Block] = [Heading(f"Probe {answer.point} on {answer.target}", 1)]
    a, b, c, d = answer.formats
    elements = answer.runs * _elements(answer)
    blocks.append(
        Facts(
            (
                ("open", answer.question),
                ("runs", f"{answer.instruction}, wave{answer.wave}, {plural(answer.runs, 'time')}"),
                ("formats", f"A {a}, B {b}, C {c}, D {d}"),
            )
        )
    )
    if answer.candidates:
        rows = tuple((each.name, each.title) for each in answer.candidates)
        blocks.append(
            Table(("candidate", "means"), rows, title="What the silicon may do", keep=(0,))
        )
    if answer.separated:
        pairs = tuple((each.first, each.second, str(each.elements)) for each in answer.separated)
        title = f"Elements of D that tell two candidates apart, of {elements}"
        blocks.append(Table(("one", "other", "elements"), pairs, title=title, right=(2,)))
    if answer.file:
        blocks.append(Text(f"The program was written to {answer.file}."))
    blocks.append(Heading("To do on the target", 3))
    blocks.append(Code(_steps(answer), "sh"))
    return tuple(blocks)


def _elements(answer: Probe) -> int:
    m, n = answer.result_shape
    return m * n


def _steps(answer: Probe) -> str:
    source = quote(answer.file or f"{answer.point}.hip")
    steps = (compile_line(answer, source), "./probe > probe.txt", "wavemma probe --read probe.txt")
    return "\n".join(steps)


@document_of.register
def _list(answer: ProbeList) -> Document:
    where = f" of {answer.target}" if answer.target else ""
    title = Heading(f"{plural(len(answer.points), 'open point')}{where}", 1)
    if not answer.points:
        about = f" about {answer.instruction}" if answer.instruction else ""
        return (title, Text(f"Nothing that a probe could settle is open{about}."))
    rows = tuple(
        (each.point, _targets(each.targets), each.question, listed(each.candidates))
        for each in answer.points
    )
    whole = Table(("point", "targets", "not known", "candidates"), rows, keep=(0,))
    # Of one target there are few, so that there is room for what is not known.
    shown, word = (2, "not known") if answer.target else (1, "targets")
    short = Table(("point", word), tuple((row[0], row[shown]) for row in rows), keep=(0,))
    brief = (short,) if answer.target else (short, Text(_MORE))
    return (
        title,
        Detail((whole,), brief),
        Text("Program: wavemma probe TARGET POINT -o probe.hip"),
    )


@footer_of.register
def _footer(answer: ProbeList) -> Document:
    return short_footer(answer)


def _targets(names: tuple[str, ...]) -> str:
    if len(names) <= _MOST_TARGETS:
        return listed(names)
    return f"{listed(names[: _MOST_TARGETS - 1])} and {len(names) - _MOST_TARGETS + 1} more"
