"""The matrix of an operand as cells of SVG, each with its registers, bits and lanes.

Readable without colour: every cell says its register, bits and lane, and the groups of lanes
differ in lightness and in the pattern of a stripe at the cell's left edge.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple
from xml.sax.saxutils import escape

from wavemma.explain.layout import PlacedElement, RegisterLayout
from wavemma.explain.spots import Spot
from wavemma.render.register_map import element_axes, matrix_indices, matrix_sizes
from wavemma.render.spots import bits_text, lanes_text, spot_text

LANE_GROUP = 16
NARROWEST = 44
LETTER = 6
LETTER_SIZE = 10
STRIPE = 6
CELL_HEIGHT = 34
MARGIN = 40
CORNER = 7
# Okabe and Ito's colours, lightened so that black words stand on them, from light to dark.
FILLS = ("#ffffff", "#f0e442", "#9ad4f5", "#e69f00")
UNKNOWN_FILL = "#dddddd"
# Of each group of lanes: plain, slanted, dotted, upright.
_MARKS = (
    "",
    '<path d="M-1 4L4 -1M2 7L7 2" stroke="#000000" stroke-width="1.2"/>',
    '<circle cx="3" cy="3" r="1.6" fill="#000000"/>',
    '<path d="M1.5 0V6M4.5 0V6" stroke="#000000" stroke-width="1.5"/>',
)

Indices = tuple[int, ...]


class Panel(NamedTuple):
    """Where a matrix is drawn; columns that do not fit side by side follow below in bands.

    Attributes:
        answer: The layout.
        left: Where its first cell starts.
        top: Where its first band starts.
        cell_width: Width of a cell.
        columns: Columns of a band.
        across: Blocks side by side; one where a block has several bands.
        marked: Elements that get a mark in the corner.

    """

    answer: RegisterLayout
    left: int
    top: int
    cell_width: int
    columns: int
    across: int
    marked: Collection[Indices] = ()

    @property
    def width(self) -> int:
        """Give the width of its blocks with the room between them."""
        return min(self._blocks, self.across) * (self._block_width + MARGIN) - MARGIN

    @property
    def height(self) -> int:
        """Give the height of all blocks and bands with the room below them."""
        return -(-self._blocks // self.across) * self._bands * self._band_height

    def spot(self, block: int, row: int, column: int) -> tuple[int, int]:
        """Give the corner of a cell."""
        band, inside = divmod(column, self.columns)
        line, place = divmod(block, self.across)
        return (
            self.left + place * (self._block_width + MARGIN) + inside * self.cell_width,
            self.top + (line * self._bands + band) * self._band_height + row * CELL_HEIGHT,
        )

    @property
    def _blocks(self) -> int:
        *blocks, _, _ = matrix_sizes(self.answer)
        return blocks[0] if blocks else 1

    @property
    def _bands(self) -> int:
        return -(-matrix_sizes(self.answer)[-1] // self.columns)

    @property
    def _block_width(self) -> int:
        return min(matrix_sizes(self.answer)[-1], self.columns) * self.cell_width

    @property
    def _band_height(self) -> int:
        return matrix_sizes(self.answer)[-2] * CELL_HEIGHT + MARGIN


def panel_within(
    answer: RegisterLayout, left: int, top: int, width: int, marked: Collection[Indices] | None
) -> Panel:
    """Choose cells, columns and blocks for a matrix that is to be no wider than a width.

    Args:
        answer: The layout.
        left: Where its first cell starts.
        top: Where its first band starts.
        width: The width; one column may be wider.
        marked: Elements that get a mark in the corner; None if the picture has no marks.

    """
    every = matrix_sizes(answer)[-1]
    cell_width = _cell_width(answer) + (CORNER if marked is not None else 0)
    room = width // cell_width
    columns = every if every <= room else _power_of_two(room)
    across = _power_of_two((width + MARGIN) // (every * cell_width + MARGIN))
    return Panel(answer, left, top, cell_width, columns, across, marked or ())


def _power_of_two(room: int) -> int:
    """Give the largest power of two that is no larger than a count, at least one."""
    return 1 << max(0, room.bit_length() - 1)


def patterns() -> list[str]:
    """Define the stripe of each group of lanes."""
    lines = ["<defs>"]
    for number, (fill, mark) in enumerate(zip(FILLS, _MARKS, strict=True)):
        lines.append(
            f'<pattern id="lanes{number}" width="6" height="6" patternUnits="userSpaceOnUse">'
            f'<rect width="6" height="6" fill="{fill}"/>{mark}</pattern>'
        )
    return [*lines, "</defs>"]


def group_of(lane: int) -> int:
    """Give the number of a lane's fill and stripe."""
    return lane // LANE_GROUP % len(FILLS)


def swatch(group: int, x: int, y: int) -> str:
    """Draw the sample of a group of lanes for a legend."""
    return (
        f'<rect x="{x}" y="{y}" width="20" height="16" fill="{FILLS[group]}" stroke="#000000"'
        f' stroke-width="0.5"/>{_stripe(group, x, y, 16)}'
    )


def corner(x: int, y: int) -> str:
    """Draw the mark of an element that lies elsewhere, its right angle at a point."""
    return f'<path d="M{x} {y}h-{CORNER}l{CORNER} {CORNER}z"/>'


def panel_lines(panel: Panel) -> Iterator[str]:
    """Draw a panel."""
    yield from _numbers(panel)
    if panel.answer.unknown:
        yield from _unknown_cells(panel)
        return
    for element in panel.answer.elements:
        yield _cell(panel, element)


def _numbers(panel: Panel) -> Iterator[str]:
    """Write the axes' names and the numbers of rows and columns, at each band."""
    *blocks, rows, columns = matrix_sizes(panel.answer)
    axes = " \\ ".join(element_axes(panel.answer)[-2:])
    for block in range(blocks[0] if blocks else 1):
        name = f"block {block}: {axes}" if blocks else axes
        for column in range(columns):
            x, y = panel.spot(block, 0, column)
            if column % panel.columns == 0:
                yield _text(x + 4 - MARGIN, y - 18, 11, "start", name)
                for row in range(rows):
                    middle = y + row * CELL_HEIGHT + CELL_HEIGHT // 2 + 4
                    yield _text(x - 6, middle, 11, "end", str(row))
            yield _text(x + panel.cell_width // 2, y - 4, 11, "middle", str(column))


def _cell_width(answer: RegisterLayout) -> int:
    """Give the width that the longest words of a cell need."""
    letters = [len(word) for each in answer.elements for word in _words(each.places)]
    return max(NARROWEST, STRIPE + LETTER * (max(letters, default=0) + 1))


def _unknown_cells(panel: Panel) -> Iterator[str]:
    """Draw every element as unknown."""
    *_, rows, columns = matrix_sizes(panel.answer)
    for row in range(rows):
        for column in range(columns):
            x, y = panel.spot(0, row, column)
            box = _box(x, y, panel.cell_width, UNKNOWN_FILL)
            words = _lines(x, y, panel, ("?",))
            yield f"<g><title>{escape(panel.answer.unknown)}</title>{box}{words}</g>"


def _cell(panel: Panel, element: PlacedElement) -> str:
    """Draw one element with the words that a pointer sees over it."""
    *block, row, column = matrix_indices(panel.answer, element.indices)
    x, y = panel.spot(block[0] if block else 0, row, column)
    group = group_of(element.places[0].lane)
    mark = corner(x + panel.cell_width, y) if element.indices in panel.marked else ""
    return (
        f"<g><title>{escape(_tip(panel.answer, element))}</title>"
        f"{_box(x, y, panel.cell_width, FILLS[group])}"
        f"{_stripe(group, x, y, CELL_HEIGHT)}{mark}"
        f"{_lines(x, y, panel, _words(element.places))}</g>"
    )


def _box(x: int, y: int, width: int, fill: str) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{CELL_HEIGHT}" fill="{fill}"'
        f' stroke="#000000" stroke-width="0.5"/>'
    )


def _stripe(group: int, x: int, y: int, height: int) -> str:
    """Draw the pattern of a group along a left edge; the first group has none."""
    if not _MARKS[group]:
        return ""
    return f'<path d="M{x} {y}h{STRIPE}v{height}h-{STRIPE}z" fill="url(#lanes{group})"/>'


def _lines(x: int, y: int, panel: Panel, words: tuple[str, ...]) -> str:
    """Write words below each other in the middle of a cell, beside its stripe."""
    step = CELL_HEIGHT // (len(words) + 1)
    middle = x + (panel.cell_width + STRIPE) // 2
    return "".join(
        _text(middle, y + step * line + 3, LETTER_SIZE, "middle", word)
        for line, word in enumerate(words, 1)
    )


def _text(x: int, y: int, size: int, anchor: str, words: str) -> str:
    start = f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}">'
    return f"{start}{escape(words)}</text>"


def _words(places: tuple[Spot, ...]) -> tuple[str, ...]:
    """Write register and bits, and the lanes of all copies."""
    first = places[0]
    lanes = ",".join(str(spot.lane) for spot in places)
    register = "+".join(bits_text(bits) for bits in first.bits[::-1])
    return (register, f"L{lanes}")


def _tip(answer: RegisterLayout, element: PlacedElement) -> str:
    axes = "".join(f"[{index}]" for index in matrix_indices(answer, element.indices))
    place = f"{spot_text(element.places[0])}, {lanes_text(element.places)}"
    return f"{answer.asked.operand}{axes}: {place}"
