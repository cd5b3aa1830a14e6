"""How a list reads."""

from wavemma.explain.entries import Cell
from wavemma.explain.listing import Filters, Listing
from wavemma.render.document import Block, Document, Heading, Table, Text
from wavemma.render.pages import document_of
from wavemma.render.words import UNKNOWN, plural
from wavemma.tables.targets import targets

COLUMNS: dict[str, tuple[tuple[str, str], ...]] = {
    "instructions": (
        ("name", "instruction"),
        ("architecture", "on"),
        ("shape", "M x N x K"),
        ("a", "A, B"),
        ("d", "D"),
        ("cycles", "cycles"),
    ),
    "builtins": (("name", "builtin"), ("wave", "wave"), ("architectures", "on")),
}
"""Columns that a terminal has room for, and their heads; JSON has all."""


@document_of.register
def _listing(answer: Listing) -> Document:
    blocks: list[Block] = [Heading(_title(answer), 1)]
    if not answer.rows:
        blocks.append(Text("Nothing matches."))
        blocks += [Text(each) for each in answer.suggestions]
        return tuple(blocks)
    columns = COLUMNS.get(answer.what) or tuple((name, name) for name in answer.rows[0])
    columns = tuple(
        (name, head)
        for name, head in columns
        if any(row[name] is not None for row in answer.rows)
        and not (name == "architecture" and answer.filters.target)
    )
    right = [
        place
        for place, (name, _) in enumerate(columns)
        if all(isinstance(row[name], int | None) for row in answer.rows)
    ]
    blocks.append(
        Table(
            tuple(head.replace("_", " ") for _, head in columns),
            tuple(tuple(_cell(row, name) for name, _ in columns) for row in answer.rows),
            right=tuple(right),
            keep=(0,),
        )
    )
    return tuple(blocks)


def _title(answer: Listing) -> str:
    words = " ".join(_filters(answer.filters))
    count = plural(len(answer.rows), answer.what.removesuffix("s"))
    return f"{count} ({words})" if words else count


def _filters(filters: Filters) -> list[str]:
    words = [filters.kind, filters.type, f"-> {filters.result}" if filters.result else ""]
    if filters.sparse is not None:
        words.append("sparse" if filters.sparse else "dense")
    words.append(f"on {filters.target}" if filters.target else "")
    return [word for word in words if word]


def _cell(row: dict[str, Cell], name: str) -> str:
    value = row[name]
    if name == "shape" and isinstance(row.get("blocks"), int) and row["blocks"] not in (0, 1):
        return f"{value} x{row['blocks']}"
    if name == "a" and row["b"] != value:
        return f"{_joined(value)}, {_joined(row['b'])}"
    if value is None:
        return UNKNOWN
    if value == tuple(targets()):
        return f"all {len(value)}"
    if value == () and name == "cycles":
        return UNKNOWN
    return _joined(value)


def _joined(value: Cell) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "-"
    return str(value)
