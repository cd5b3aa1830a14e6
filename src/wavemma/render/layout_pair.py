"""How the layouts of two targets read side by side."""

from itertools import zip_longest

from wavemma.explain.formula_pairs import Formula
from wavemma.explain.formulas import OuterRow
from wavemma.explain.layout import RegisterLayout
from wavemma.explain.layout_pair import LayoutPair
from wavemma.render.document import Block, Document, Facts, Heading, Table
from wavemma.render.pages import document_of
from wavemma.render.register_map import EMPTY
from wavemma.render.spots import moved
from wavemma.render.words import plural, ranges


@document_of.register
def _pair(answer: LayoutPair) -> Document:
    left, right = answer.left, answer.right
    blocks: list[Block] = [Heading(f"{left.asked.operand}, side by side", 1)]
    blocks.append(Facts((("left", _side(left)), ("right", _side(right)), *_verdict(answer))))
    names = (f"{left.asked.target} w{left.asked.wave}", f"{right.asked.target} w{right.asked.wave}")
    places = _formulas(left.formulas.place, right.formulas.place)
    if places:
        blocks.append(Table(("", *names), places, title="Place of an element"))
    elements = _formulas(left.formulas.register_element, right.formulas.register_element)
    if elements:
        title = "Element in register v (number n from the low bits)"
        blocks.append(Table(("", *names), elements, title=title))
    if left.rows and right.rows and answer.compared:
        blocks.append(_rows(answer, names))
    return tuple(blocks)


def _side(answer: RegisterLayout) -> str:
    copies = len(answer.elements[0].places) if answer.elements else 1
    held = f", each element in {copies} lanes" if copies > 1 else ""
    known = f"; unknown: {answer.unknown}" if answer.unknown else ""
    registers = plural(answer.registers, "register")
    return f"{moved(answer.asked)}, {registers} in each lane{held}{known}"


def _verdict(answer: LayoutPair) -> tuple[tuple[str, str], ...]:
    if not answer.compared:
        return ()
    count = len(answer.elsewhere)
    words = f"{count} of {plural(answer.compared, 'element')} that both have"
    return (("elsewhere", words if count else f"none of {plural(answer.compared, 'element')}"),)


def _formulas(
    left: tuple[Formula, ...], right: tuple[Formula, ...]
) -> tuple[tuple[str, str, str], ...]:
    """Put the formulas of the same name side by side."""
    here, there = ({each.name: each.python for each in formulas} for formulas in (left, right))
    names = dict.fromkeys((*here, *there))
    return tuple((name, here.get(name, EMPTY), there.get(name, EMPTY)) for name in names)


def _rows(answer: LayoutPair, names: tuple[str, str]) -> Table:
    """Write lanes and registers of each row, or column of B, on both sides."""
    line = "column" if answer.left.asked.operand in ("B", "scale_b") else "row"
    blocks = len({row.block for row in answer.left.rows}) > 1
    lines = []
    for left, right in zip_longest(answer.left.rows, answer.right.rows):
        name = left or right
        label = f"{name.block}: {name.number}" if blocks else str(name.number)
        lines.append((label, *_held(left), *_held(right)))
    head = (f"block: {line}" if blocks else line, names[0], "registers", names[1], "registers")
    return Table(head, tuple(lines), title=f"Lanes and registers of each {line}")


def _held(row: OuterRow | None) -> tuple[str, str]:
    return (ranges(row.lanes), ranges(row.registers)) if row else (EMPTY, EMPTY)
