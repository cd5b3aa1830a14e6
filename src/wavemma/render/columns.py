"""Columns of text side by side: cells wrap between words, and no number or name is broken."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from wavemma.render.document import Facts, Table

GAP = 2
_NARROW_GAP = 1


class Line(NamedTuple):
    """A line of a table, and whether it belongs to the head."""

    text: str
    is_head: bool


class _Column(NamedTuple):
    """How wide a column is without a break, if it may wrap, and by its longest word."""

    natural: int
    least: int
    word: int


def lines_of_facts(block: Facts, width: int) -> Iterator[tuple[str, str]]:
    """Yield the lines of names and values: what stands in the column of names, and the rest."""
    names = [name for name, _ in block.rows]
    widest = max(map(len, names), default=0)
    if widest > width // 3:
        widest = max(width // 3, *map(_longest_word, names))
    sizes = (widest, max(width - widest - GAP, 1))
    for row in block.rows:
        for name, value in _wrapped(row, sizes):
            yield name.ljust(widest) + " " * GAP, value


def lines_of_table(block: Table, width: int) -> list[Line] | None:
    """Lay out a table; None where the longest words of its columns do not fit side by side.

    Where room is short, gaps are narrowed before short columns are wrapped.
    """
    columns = [_column(block, number, width) for number in range(len(block.head))]
    by_word = [each._replace(least=each.word) for each in columns]
    for each, gap in ((columns, GAP), (columns, _NARROW_GAP), (by_word, _NARROW_GAP)):
        sizes = _widths(each, width - gap * (len(columns) - 1))
        if sizes is not None:
            return list(_lines(block, sizes, gap))
    return None


def _lines(block: Table, sizes: Sequence[int], gap: int) -> Iterator[Line]:
    for number, row in enumerate((block.head, *block.rows)):
        for cells in _wrapped(row, sizes):
            places = enumerate(zip(cells, sizes, strict=True))
            parts = [
                c.rjust(size) if n in block.right else c.ljust(size) for n, (c, size) in places
            ]
            yield Line((" " * gap).join(parts).rstrip(), number == 0)


def _wrapped(cells: Sequence[str], sizes: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """Wrap cells between words; yield what stands side by side, line by line."""
    columns = [
        [part for line in cell.split("\n") for part in _cell(line, size)]
        for cell, size in zip(cells, sizes, strict=True)
    ]
    for number in range(max(map(len, columns))):
        yield tuple(lines[number] if number < len(lines) else "" for lines in columns)


def _cell(line: str, size: int) -> list[str]:
    if len(line) <= size:
        return [line]
    return wrap(line, max(size, 1), break_long_words=False, break_on_hyphens=False) or [""]


def _column(block: Table, number: int, width: int) -> _Column:
    cells = [row[number] for row in (block.head, *block.rows)]
    natural = max(len(line) for cell in cells for line in cell.split("\n"))
    word = max(map(_longest_word, cells))
    # Short columns keep their width; the long ones share what is left.
    is_short = natural <= width // (2 * len(block.head)) or number in block.keep
    return _Column(natural, natural if is_short else word, word)


def _longest_word(text: str) -> int:
    return max(map(len, text.split()), default=0)


def _widths(columns: Sequence[_Column], width: int) -> list[int] | None:
    """Share the width so that no word is broken; None where that cannot be."""
    left = width - sum(each.least for each in columns)
    if left < 0:
        return None
    found = [each.least for each in columns]
    order = sorted(range(len(columns)), key=lambda n: columns[n].natural - columns[n].least)
    for place, number in enumerate(order):
        # What needs little gets it whole; those that need more share the rest alike.
        more = min(columns[number].natural - columns[number].least, left // (len(order) - place))
        found[number] = columns[number].least + more
        left -= more
    return found
