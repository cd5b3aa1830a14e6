"""Blocks between an answer and its looks: terminal and pages draw the same ones."""

from typing import Literal

import msgspec


class Block(msgspec.Struct, frozen=True, tag=True):
    """A part of a document."""


class Heading(Block, frozen=True):
    """A title; level 1 is the document's own."""

    text: str
    level: Literal[1, 2, 3] = 2


class Text(Block, frozen=True):
    """A paragraph of plain words."""

    text: str


class Facts(Block, frozen=True):
    """Names and values, one a line."""

    rows: tuple[tuple[str, str], ...]


class Table(Block, frozen=True):
    """Rows below a head; numbers stand right where `right` names the column.

    Columns in `keep` are never wrapped: names that people copy.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    right: tuple[int, ...] = ()
    keep: tuple[int, ...] = ()


class Grid(Block, frozen=True):
    """Many narrow columns: where they do not fit side by side, they follow in parts.

    The first column names the rows and is repeated in each part.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""


class Code(Block, frozen=True):
    """Text that is kept as it is."""

    text: str
    language: str = ""


class Picture(Block, frozen=True):
    """A drawing as SVG text, and what it shows in words; a terminal shows the words."""

    svg: str
    words: str


Document = tuple[Block, ...]


class Detail(Block, frozen=True):
    """What a page shows whole, and a terminal in few lines unless it is asked for more."""

    whole: Document
    short: Document = ()


def flat(document: Document, *, full: bool) -> Document:
    """Put the blocks of details in their place: the whole ones, or the short ones."""
    return tuple(
        part
        for block in document
        for part in (
            flat(block.whole if full else block.short, full=full)
            if isinstance(block, Detail)
            else (block,)
        )
    )
