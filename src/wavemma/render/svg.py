"""The register map of an operand as SVG: the matrix, each cell with its registers and lanes.

Readable without colour: every cell says its register, bits and lane, and the groups of lanes
differ in lightness and in the pattern behind the words.
"""

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from wavemma.explain.layout import PlacedElement, RegisterLayout
from wavemma.explain.spots import Spot
from wavemma.render.register_map import element_axes, matrix_indices, matrix_sizes
from wavemma.render.spots import bits_text, lanes_text, spot_text
from wavemma.render.words import ranges

LANE_GROUP = 16
NARROWEST = 40
CELL_LETTER = 6
CELL_HEIGHT = 34
MARGIN = 40
HEAD = 64
LEGEND = 30
SWATCH = 44
LETTER = 7
TITLE_LETTER = 10
# Okabe and Ito's colours, lightened so that black words stand on them, from light to dark.
FILLS = ("#ffffff", "#f0e442", "#9ad4f5", "#e69f00")
UNKNOWN_FILL = "#dddddd"


def as_svg(answer: RegisterLayout) -> str:
    """Draw the matrix of an operand, blocks below each other.

    Args:
        answer: A layout; if it is unknown, every cell says so.

    Returns:
        SVG text, the same bytes for the same answer.

    """
    *blocks, rows, columns = matrix_sizes(answer)
    count = blocks[0] if blocks else 1
    cell_width = _cell_width(answer)
    words = [f"lanes {ranges(lanes)}" for lanes in _groups(answer).values()]
    words.append(f"v: register[bits], L: lane (thread modulo {answer.asked.wave})")
    height = HEAD + count * (rows * CELL_HEIGHT + MARGIN) + LEGEND
    title = f"{answer.asked.operand} of {answer.asked}, format {answer.asked.format}"
    width = 2 * MARGIN + max(
        columns * cell_width,
        TITLE_LETTER * len(title),
        sum(SWATCH + LETTER * len(each) for each in words),
    )
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="monospace" role="img">',
        f"<title>{escape(title)}</title>",
        *_patterns(),
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{MARGIN}" y="24" font-size="16">{escape(title)}</text>',
    ]
    for block in range(count):
        top = HEAD + block * (rows * CELL_HEIGHT + MARGIN)
        lines += _numbers(answer, block if blocks else None, top, cell_width)
    lines += _cells(answer, rows, cell_width)
    lines += _legend(words, tuple(_groups(answer)), height - LEGEND)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _patterns() -> list[str]:
    """Draw the pattern of each group of lanes: plain, slanted, dotted, upright."""
    # Solid colours a little darker than their ground: some viewers draw no transparency here.
    marks = (
        "",
        '<path d="M0 8L8 0" stroke="#d8cb2e"/>',
        '<circle cx="2" cy="2" r="1" fill="#5fa8d3"/>',
        '<path d="M4 0V8" stroke="#cf8c00"/>',
    )
    lines = ["<defs>"]
    for number, (fill, mark) in enumerate(zip(FILLS, marks, strict=True)):
        lines.append(
            f'<pattern id="lanes{number}" width="8" height="8" patternUnits="userSpaceOnUse">'
            f'<rect width="8" height="8" fill="{fill}"/>{mark}</pattern>'
        )
    return [*lines, "</defs>"]


def _cell_width(answer: RegisterLayout) -> int:
    """Give the width that the longest words of a cell need."""
    letters = [len(word) for each in answer.elements for word in _words(each.places)]
    return max(NARROWEST, CELL_LETTER * (max(letters, default=0) + 1))


def _numbers(answer: RegisterLayout, block: int | None, top: int, cell_width: int) -> Iterator[str]:
    """Write the axes' names and the numbers of rows and columns."""
    *_, rows, columns = matrix_sizes(answer)
    row_axis, column_axis = element_axes(answer)[-2:]
    name = (
        f"{row_axis} \\ {column_axis}"
        if block is None
        else f"block {block}: {row_axis} \\ {column_axis}"
    )
    yield f'<text x="4" y="{top - 18}" font-size="11">{escape(name)}</text>'
    for column in range(columns):
        x = MARGIN + column * cell_width + cell_width // 2
        yield f'<text x="{x}" y="{top - 4}" font-size="11" text-anchor="middle">{column}</text>'
    for row in range(rows):
        y = top + row * CELL_HEIGHT + CELL_HEIGHT // 2 + 4
        yield f'<text x="{MARGIN - 6}" y="{y}" font-size="11" text-anchor="end">{row}</text>'


def _cells(answer: RegisterLayout, rows: int, cell_width: int) -> Iterator[str]:
    """Draw every element; unknown ones as such."""
    sizes = matrix_sizes(answer)
    if answer.unknown:
        for row in range(sizes[-2]):
            for column in range(sizes[-1]):
                x, y = MARGIN + column * cell_width, HEAD + row * CELL_HEIGHT
                yield _cell(x, y, cell_width, UNKNOWN_FILL, ("?",), answer.unknown)
        return
    for element in answer.elements:
        *block, row, column = matrix_indices(answer, element.indices)
        top = HEAD + (block[0] if block else 0) * (rows * CELL_HEIGHT + MARGIN)
        group = element.places[0].lane // LANE_GROUP % len(FILLS)
        yield _cell(
            MARGIN + column * cell_width,
            top + row * CELL_HEIGHT,
            cell_width,
            f"url(#lanes{group})",
            _words(element.places),
            _tip(answer, element),
        )


def _cell(x: int, y: int, width: int, fill: str, words: tuple[str, ...], tip: str) -> str:
    step = CELL_HEIGHT // (len(words) + 1)
    texts = "".join(
        f'<text x="{x + width // 2}" y="{y + step * (line + 1) + 3}" font-size="9"'
        f' text-anchor="middle">{escape(text)}</text>'
        for line, text in enumerate(words)
    )
    return (
        f'<g><title>{escape(tip)}</title><rect x="{x}" y="{y}" width="{width}"'
        f' height="{CELL_HEIGHT}" fill="{fill}" stroke="#000000" stroke-width="0.5"/>{texts}</g>'
    )


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


def _legend(words: Sequence[str], groups: Sequence[int], y: int) -> Iterator[str]:
    """Say which group of lanes has which pattern, and what the letters in cells mean."""
    x = MARGIN
    for number, text in enumerate(words):
        if number < len(groups):
            fill = groups[number] % len(FILLS)
            yield (
                f'<rect x="{x}" y="{y}" width="16" height="16" fill="url(#lanes{fill})"'
                f' stroke="#000000" stroke-width="0.5"/>'
            )
        yield f'<text x="{x + 22}" y="{y + 12}" font-size="11">{escape(text)}</text>'
        x += SWATCH + LETTER * len(text)


def _groups(answer: RegisterLayout) -> dict[int, list[int]]:
    """List the lanes of each group, with those of its copies."""
    groups: dict[int, list[int]] = {}
    for each in answer.elements:
        lanes = [spot.lane for spot in each.places]
        groups.setdefault(lanes[0] // LANE_GROUP, []).extend(lanes)
    return dict(sorted(groups.items()))
