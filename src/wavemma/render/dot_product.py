"""How one sum of products on many targets reads."""

from collections.abc import Iterable, Sequence

from wavemma.explain.dot_product import DotProducts, InputReading
from wavemma.explain.dot_rows import TargetResult
from wavemma.explain.number_input import InputNumber
from wavemma.render.document import Block, Document, Facts, Heading, Table
from wavemma.render.pages import document_of
from wavemma.render.words import plural

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
        blocks += [Heading("D of other instructions of these targets"), _with_names(rest)]
    return tuple(blocks)


def _readings(readings: Sequence[InputReading]) -> list[tuple[str, Facts]]:
    """Lay out the inputs, those that read the same only once, with the names of the formats."""
    names: dict[Facts, list[str]] = {}
    for reading in readings:
        names.setdefault(input_facts(reading), []).append(_formats(reading))
    return [(" and ".join(each), facts) for facts, each in names.items()]


def result_table(rows: Sequence[TargetResult]) -> Table:
    """Lay out what targets give; targets that give the same in the same way share a line."""
    head: Cells = ("targets", "D", "bits", "model", "grade")
    lines = _shared(rows)
    if any(_others(row) for row in rows):
        return Table((*head, "or if"), tuple((*cells, _others(row)) for cells, row in lines))
    return Table(head, tuple(cells for cells, _ in lines))


def _with_names(rows: Sequence[TargetResult]) -> Table:
    head = ("targets", "D", "bits", "model", "grade", "instruction")
    lines = _shared(rows)
    return Table(head, tuple((*cells, row.instructions[0]) for cells, row in lines))


def _shared(rows: Iterable[TargetResult]) -> list[tuple[Cells, TargetResult]]:
    """Give a line of cells, and one of its rows, for all targets that differ only in name."""
    groups: dict[tuple[object, ...], list[TargetResult]] = {}
    for row in rows:
        key = (row.result.code, row.model, row.grade, row.a, row.b, row.d, _others(row))
        groups.setdefault(key, []).append(row)
    return [(_cells(group), group[0]) for group in groups.values()]


def _cells(group: Sequence[TargetResult]) -> Cells:
    row = group[0]
    names = ", ".join(each.target for each in group)
    return (names, row.result.text, row.result.code, row.model, row.grade)


def _others(row: TargetResult) -> str:
    return ", ".join(f"{each.model}: {each.result.text}" for each in row.others if each.differs)


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
