"""The register map of an operand as SVG: its matrix, or those of two targets side by side."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from wavemma.explain.layout import RegisterLayout
from wavemma.explain.layout_pair import LayoutPair
from wavemma.render.panel import (
    LANE_GROUP,
    MARGIN,
    Panel,
    corner,
    group_of,
    panel_lines,
    panel_within,
    patterns,
    swatch,
)
from wavemma.render.spots import caption
from wavemma.render.words import ranges

WIDEST = 1500
HEAD = 64
LEGEND = 24
SWATCH = 44
LEGEND_LETTER = 7
TITLE_LETTER = 10
ELSEWHERE = "elsewhere on the other side"


class _Entry(NamedTuple):
    """A line of the legend: the number of a fill, the mark of a difference, or words alone."""

    words: str
    group: int | None = None
    is_mark: bool = False


def as_svg(answer: RegisterLayout) -> str:
    """Draw the matrix of an operand; blocks, and columns that do not fit, below each other.

    Args:
        answer: A layout; if it is unknown, every cell says so.

    Returns:
        SVG text, the same bytes for the same answer.

    """
    return _picture([panel_within(answer, MARGIN, HEAD, WIDEST, None)], ())


def as_svg_pair(pair: LayoutPair) -> str:
    """Draw two matrices side by side; elements that lie elsewhere have a mark in the corner.

    Returns:
        SVG text, the same bytes for the same pair.

    """
    sides = (pair.left, pair.right)
    marked = frozenset(pair.elsewhere)
    drawn = [panel_within(side, 0, HEAD, WIDEST // 2, marked) for side in sides]
    columns, across = min(each.columns for each in drawn), min(each.across for each in drawn)
    left, panels = MARGIN, []
    for side, chosen in zip(sides, drawn, strict=True):
        panel = chosen._replace(left=left, columns=columns, across=across)
        panels.append(panel)
        left += max(panel.width, TITLE_LETTER * len(caption(side.asked))) + 2 * MARGIN
    marks = (_Entry(ELSEWHERE, is_mark=True),) if pair.elsewhere else ()
    return _picture(panels, marks)


def _picture(panels: Sequence[Panel], marks: Sequence[_Entry]) -> str:
    """Draw panels with their titles and, below them, what stripes, letters and marks mean."""
    bottom = HEAD + max(panel.height for panel in panels)
    ends, legends = [], []
    for number, panel in enumerate(panels):
        entries = (*_entries(panel.answer), *(marks if number == 0 else ()))
        room = panels[1].left - panel.left if number == 0 and len(panels) > 1 else 0
        lines, end, low = _legend(entries, panel.left, bottom, room or WIDEST)
        legends += lines
        ends.append((max(end, panel.left + panel.width, _title_end(panel)), low))
    width, height = max(end for end, _ in ends) + MARGIN, max(low for _, low in ends)
    title = " beside ".join(caption(panel.answer.asked) for panel in panels)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}" font-family="monospace" role="img">',
            f"<title>{escape(title)}</title>",
            *patterns(),
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            *(line for panel in panels for line in (_heading(panel), *panel_lines(panel))),
            *legends,
            "</svg>\n",
        ]
    )


def _title_end(panel: Panel) -> int:
    return panel.left + TITLE_LETTER * len(caption(panel.answer.asked))


def _heading(panel: Panel) -> str:
    words = escape(caption(panel.answer.asked))
    return f'<text x="{panel.left}" y="24" font-size="16">{words}</text>'


def _entries(answer: RegisterLayout) -> Iterator[_Entry]:
    """List what the legend of a matrix says."""
    for group, lanes in _groups(answer).items():
        yield _Entry(f"lanes {ranges(lanes)}", group)
    yield _Entry(f"v: register[bits], L: lane (thread modulo {answer.asked.wave})")


def _legend(
    entries: Sequence[_Entry], left: int, top: int, room: int
) -> tuple[list[str], int, int]:
    """Write a legend in lines no wider than a room; give its right end and its bottom too."""
    x, y, end, lines = left, top, left, []
    for entry in entries:
        length = SWATCH + LEGEND_LETTER * len(entry.words)
        if x > left and x + length > left + room:
            x, y = left, y + LEGEND
        if entry.group is not None:
            lines.append(swatch(entry.group, x, y))
        elif entry.is_mark:
            lines.append(corner(x + 16, y + 4))
        words = escape(entry.words)
        lines.append(f'<text x="{x + 26}" y="{y + 12}" font-size="11">{words}</text>')
        x += length
        end = max(end, x)
    return lines, end, y + LEGEND


def _groups(answer: RegisterLayout) -> dict[int, list[int]]:
    """List the lanes of each group, with those of its copies."""
    groups: dict[int, list[int]] = {}
    for each in answer.elements:
        lanes = [spot.lane for spot in each.places]
        groups.setdefault(lanes[0] // LANE_GROUP, []).extend(lanes)
    return {group_of(number * LANE_GROUP): lanes for number, lanes in sorted(groups.items())}
