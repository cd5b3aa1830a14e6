"""An answer as text for a terminal, a pipe or a file."""

from collections.abc import Iterator
from functools import singledispatch
from io import StringIO

from rich.console import Console, RenderableType
from rich.text import Text as RichText

from wavemma.explain.answer import Answer
from wavemma.render.columns import GAP, lines_of_facts, lines_of_table
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
_HEADINGS = {1: "bold", 2: "bold", 3: "dim bold"}


def as_text(answer: Answer, *, width: int, colour: bool, full: bool = False) -> str:
    """Write an answer as text that fits the width.

    Args:
        answer: Any answer.
        width: Columns; long cells wrap between words, code keeps its lines, nothing is cut.
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
            console.print(part, soft_wrap=isinstance(block, Code | Facts | Grid | Table))
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
    for name, value in lines_of_facts(block, width):
        yield RichText.assemble((name, "dim"), value)


@_parts.register
def _table(block: Table, width: int) -> Iterator[RenderableType]:
    if block.title:
        yield RichText(block.title, style="bold")
    lines = lines_of_table(block, width)
    if lines is None:
        # Too wide even so: each row becomes lines of its own.
        for number, row in enumerate(block.rows):
            yield from [""] * bool(number)
            yield from _facts(Facts(tuple(zip(block.head, row, strict=True))), width)
        return
    for line in lines:
        yield RichText(line.text, style="dim" if line.is_head else "")


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
        if chunk and used + GAP + widths[column] > width:
            yield chunk
            chunk, used = [], widths[0]
        chunk.append(column)
        used += GAP + widths[column]
    if chunk:
        yield chunk
