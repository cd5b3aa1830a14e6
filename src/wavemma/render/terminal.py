"""An answer as text for a terminal, a pipe or a file."""

from collections.abc import Iterator, Sequence
from functools import singledispatch
from io import StringIO
from typing import NamedTuple

from rich.console import Console, RenderableType
from rich.table import Table as RichTable
from rich.text import Text as RichText

from wavemma.explain.answer import Answer
from wavemma.render.document import (
    Block,
    Code,
    Document,
    Facts,
    Grid,
    Heading,
    Picture,
    Table,
    Text,
    flat,
)
from wavemma.render.pages import whole

NARROWEST = 40
_GAP = 2
_HEADINGS = {1: "bold", 2: "bold", 3: "dim bold"}


def as_text(answer: Answer, *, width: int, colour: bool, full: bool = False) -> str:
    """Write an answer as text that fits the width.

    Args:
        answer: Any answer.
        width: Columns; long cells wrap, code keeps its lines, nothing is cut.
        colour: Whether escape codes may be used.
        full: Whether details are shown whole.

    Returns:
        The text with a newline at its end; it ends with the sources.

    """
    return document_text(whole(answer), width=width, colour=colour, full=full)


def document_text(document: Document, *, width: int, colour: bool, full: bool = False) -> str:
    """Write blocks as text that fits the width, as `as_text` does."""
    stream = StringIO()
    console = Console(
        file=stream,
        width=max(width, NARROWEST),
        force_terminal=colour,
        no_color=not colour,
        color_system="standard" if colour else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    previous: Block | None = None
    for block in flat(document, full=full):
        if previous is not None and not isinstance(previous, Heading):
            console.print()
        for part in _parts(block, console.width):
            console.print(part, soft_wrap=isinstance(block, Code))
        previous = block
    return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())


@singledispatch
def _parts(block: Block, width: int) -> Iterator[RenderableType]:
    """Yield what rich prints for a block."""
    raise TypeError(f"{type(block).__name__} has no text.")


@_parts.register
def _heading(block: Heading, width: int) -> Iterator[RenderableType]:
    yield RichText(block.text, style=_HEADINGS[block.level])
    if block.level == 1:
        yield RichText("=" * min(len(block.text), width), style="dim")


@_parts.register
def _text(block: Text, width: int) -> Iterator[RenderableType]:
    yield RichText(block.text)


@_parts.register
def _code(block: Code, width: int) -> Iterator[RenderableType]:
    yield RichText("\n".join(f"  {line}".rstrip() for line in block.text.splitlines()))


@_parts.register
def _picture(block: Picture, width: int) -> Iterator[RenderableType]:
    yield RichText(block.words)


@_parts.register
def _facts(block: Facts, width: int) -> Iterator[RenderableType]:
    table = RichTable(box=None, show_header=False, padding=(0, _GAP, 0, 0), pad_edge=False)
    widest = max((len(name) for name, _ in block.rows), default=0)
    table.add_column(style="dim", no_wrap=widest <= width // 3, overflow="fold")
    table.add_column(overflow="fold")
    for name, value in block.rows:
        table.add_row(RichText(name), RichText(value))
    yield table


@_parts.register
def _table(block: Table, width: int) -> Iterator[RenderableType]:
    if block.title:
        yield RichText(block.title, style="bold")
    table = RichTable(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="dim")
    columns = [_column(block, number, width) for number in range(len(block.head))]
    for number, (column, size) in enumerate(zip(columns, _widths(columns, width), strict=True)):
        table.add_column(
            RichText(block.head[number]),
            justify="right" if number in block.right else "left",
            no_wrap=column.is_short or (size is not None and column.least == column.natural),
            overflow="fold",
            width=size,
        )
    for row in block.rows:
        table.add_row(*map(RichText, row))
    yield table


class _Column(NamedTuple):
    """How wide a column is without a break, and at least."""

    natural: int
    least: int
    is_short: bool


def _column(block: Table, number: int, width: int) -> _Column:
    cells = [row[number] for row in (block.head, *block.rows)]
    natural = max(map(len, cells))
    # Short columns keep their width; the long ones share what is left.
    if natural <= width // (2 * len(block.head)) or number in block.keep:
        return _Column(natural, natural, True)
    longest = max(len(word) for cell in cells for word in cell.split() or [""])
    return _Column(natural, longest, False)


def _widths(columns: Sequence[_Column], width: int) -> list[int | None]:
    """Share the width so that no word is broken; None for each column where that cannot be."""
    left = width - _GAP * (len(columns) - 1) - sum(each.least for each in columns)
    if left < 0:
        return [None for _ in columns]
    found: list[int | None] = [each.least for each in columns]
    order = sorted(range(len(columns)), key=lambda n: columns[n].natural - columns[n].least)
    for place, number in enumerate(order):
        # What needs little gets it whole; those that need more share the rest alike.
        more = min(columns[number].natural - columns[number].least, left // (len(order) - place))
        found[number] = columns[number].least + more
        left -= more
    return found


@_parts.register
def _grid(block: Grid, width: int) -> Iterator[RenderableType]:
    if block.title:
        yield RichText(block.title, style="bold")
    widths = [max(map(len, column)) for column in zip(block.head, *block.rows, strict=True)]
    for number, columns in enumerate(_chunks(widths, width)):
        lines = [
            "  ".join(row[column].rjust(widths[column]) for column in (0, *columns))
            for row in (block.head, *block.rows)
        ]
        if number:
            yield ""
        yield RichText(lines[0], style="dim")
        yield RichText("\n".join(lines[1:]))


def _chunks(widths: list[int], width: int) -> Iterator[list[int]]:
    """Yield numbers of columns that fit side by side behind column 0."""
    chunk: list[int] = []
    used = widths[0]
    for column in range(1, len(widths)):
        if chunk and used + _GAP + widths[column] > width:
            yield chunk
            chunk, used = [], widths[0]
        chunk.append(column)
        used += _GAP + widths[column]
    if chunk:
        yield chunk
