"""How one sum of products on many targets reads."""

from collections.abc import Sequence

from wavemma.explain.dot_product import DotProducts, InputReading
from wavemma.explain.dot_rows import TargetResult
from wavemma.explain.number_input import InputNumber
from wavemma.render.document import Block, Document, Facts, Heading, Table, Text
from wavemma.render.pages import document_of
from wavemma.render.words import listed, plural

Cells = tuple[str, ...]


@document_of.register
def _dot_products(answer: DotProducts) -> Document:
    count = len(answer.readings[0].a)
    title = f"{answer.format}: {plural(count, 'product')} and C"
    if answer.times > 1:
        title += f", {answer.times:,} times"
    if answer.clamp:
        title += ", clamped"
    blocks: list[Block] = [Heading(title, 1)]
    for names, facts in _readings(answer.readings):
        if len(answer.readings) > 1:
            blocks.append(Heading(f"In {names}"))
        blocks.append(facts)
    first = [row for row in answer.rows if row.is_default]
    rest = [row for row in answer.rows if not row.is_default]
    blocks += [Heading("D on each target"), result_table(first)]
    if rest:
        blocks += [Heading("D of other instructions of these targets"), result_table(rest)]
    blocks.append(model_pointer(answer.rows))
    return tuple(blocks)


def _readings(readings: Sequence[InputReading]) -> list[tuple[str, Facts]]:
    """Lay out the inputs, those that read the same only once, with the names of the formats."""
    names: dict[Facts, list[str]] = {}
    for reading in readings:
        names.setdefault(input_facts(reading), []).append(_formats(reading))
    return [(" and ".join(each), facts) for facts, each in names.items()]


def result_table(rows: Sequence[TargetResult]) -> Table:
    """Lay out what targets give; targets that give the same in the same way share a line.

    What a target gives if it follows another model stands below it, where that differs.
    """
    head: Cells = ("targets", "D", "bits", "model, instruction", "grade")
    groups: dict[tuple[object, ...], list[TargetResult]] = {}
    for row in rows:
        same = (row.result.code, row.model, row.grade, row.instructions[0], row.a, row.b, row.d)
        groups.setdefault((*same, tuple(_others(row))), []).append(row)
    return Table(head, tuple(cells for group in groups.values() for cells in _lines(group)))


def model_pointer(rows: Sequence[TargetResult]) -> Text:
    """Say how to read the rule of each model that results name."""
    names = [name for row in rows for name in (row.model, *(each.model for each in row.others))]
    first, *rest = dict.fromkeys(names)
    likewise = f"; likewise {listed(rest)}" if rest else ""
    return Text(f"The rule of a model: wavemma show {first}{likewise}")


def _lines(group: Sequence[TargetResult]) -> list[Cells]:
    row = group[0]
    names = ", ".join(each.target for each in group)
    made = f"{row.model}, {row.instructions[0]}"
    return [(names, row.result.text, row.result.code, made, row.grade), *_others(row)]


def _others(row: TargetResult) -> list[Cells]:
    return [
        ("or if", each.result.text, each.result.code, each.model, "")
        for each in row.others
        if each.differs
    ]


def input_facts(reading: InputReading) -> Facts:
    """Lay out the inputs and their sum without a matrix instruction."""
    rows = [
        ("A", _list(reading.a)),
        ("B", _list(reading.b)),
        ("C", f"{_list((reading.c,))} as {reading.c_format}"),
        ("exact", reading.exact),
        ("float64", reading.float64),
    ]
    if reading.chain is not None:
        width = "f64" if len(reading.chain.code) > 10 else "f32"
        rows.append((f"{width} FMA chain", f"{reading.chain.text} ({reading.chain.code})"))
    return Facts(tuple(rows))


def _list(numbers: Sequence[InputNumber]) -> str:
    return ", ".join(f"{each.code.text} ({each.code.code})" for each in numbers)


def _formats(reading: InputReading) -> str:
    if reading.a_format == reading.b_format:
        return reading.a_format
    return f"{reading.a_format} times {reading.b_format}"
