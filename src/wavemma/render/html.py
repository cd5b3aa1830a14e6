"""An answer as one page that needs nothing else: no script, no style sheet, no network."""

from collections.abc import Iterable
from functools import singledispatch
from html import escape

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
from wavemma.render.pages import document_of, footer

STYLE = """\
body { font-family: sans-serif; line-height: 1.4; margin: 2em; color: #111; background: #fff; }
pre, table { font-family: monospace; }
pre { background: #f4f4f4; padding: 0.6em; overflow-x: auto; }
table { border-collapse: collapse; margin: 0.6em 0; }
caption { text-align: left; font-weight: bold; font-family: sans-serif; padding: 0.3em 0; }
th, td { text-align: left; vertical-align: top; padding: 0.15em 0.8em; border: 1px solid #999; }
td.right, table.grid td { text-align: right; }
.wide { overflow-x: auto; }
"""
CELL_STYLE = """\
.wavemma h1 { font-size: 1.2em; }
.wavemma h2 { font-size: 1.1em; }
.wavemma h3 { font-size: 1em; }
.wavemma pre, .wavemma table { font-family: monospace; }
.wavemma caption { text-align: left; font-weight: bold; caption-side: top; }
.wavemma table th, .wavemma table td { text-align: left; vertical-align: top; }
.wavemma table th, .wavemma table td { padding: 0.1em 0.8em; }
.wavemma table td.right, .wavemma table.grid td { text-align: right; }
.wavemma .wide { overflow-x: auto; }
"""


def as_html(answer: Answer, pictures: Iterable[Picture] = ()) -> str:
    """Write an answer as a standalone page.

    Args:
        answer: Any answer.
        pictures: Drawings of it, shown above its notes and sources.

    Returns:
        HTML text, the same bytes for the same answer.

    """
    return page((*document_of(answer), *pictures, *footer(answer)))


def page(document: Document) -> str:
    """Write blocks as a standalone page, its title the first heading."""
    title = next((block.text for block in document if isinstance(block, Heading)), "wavemma")
    body = "\n".join(map(_html, flat(document, full=True)))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def cell(document: Document) -> str:
    """Write blocks as part of somebody else's page, such as the output of a notebook's cell."""
    body = "\n".join(map(_html, flat(document, full=False)))
    return f'<div class="wavemma">\n<style>\n{CELL_STYLE}</style>\n{body}\n</div>\n'


@singledispatch
def _html(block: Block) -> str:
    """Write one block."""
    raise TypeError(f"{type(block).__name__} has no HTML.")


@_html.register
def _heading(block: Heading) -> str:
    return f"<h{block.level}>{escape(block.text)}</h{block.level}>"


@_html.register
def _text(block: Text) -> str:
    return f"<p>{escape(block.text)}</p>"


@_html.register
def _code(block: Code) -> str:
    return f"<pre><code>{escape(block.text)}</code></pre>"


@_html.register
def _picture(block: Picture) -> str:
    return f'<div class="wide">{block.svg}</div>'


@_html.register
def _facts(block: Facts) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>'
        for name, value in block.rows
    )
    return f"<table>{rows}</table>"


@_html.register
def _table(block: Table) -> str:
    return _rows(block.title, block.head, block.rows, block.right, "")


@_html.register
def _grid(block: Grid) -> str:
    return f'<div class="wide">{_rows(block.title, block.head, block.rows, (), "grid")}</div>'


def _rows(
    title: str,
    head: Iterable[str],
    rows: Iterable[Iterable[str]],
    right: tuple[int, ...],
    kind: str,
) -> str:
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    lines = "".join(
        "<tr>"
        + "".join(
            f'<td class="right">{escape(cell)}</td>' if n in right else f"<td>{escape(cell)}</td>"
            for n, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    style = f' class="{kind}"' if kind else ""
    return f"<table{style}>{caption}<thead><tr>{names}</tr></thead><tbody>{lines}</tbody></table>"
