"""How the layout of an operand reads."""

from wavemma.explain.formulas import AlongRow
from wavemma.explain.layout import KOrder, RegisterLayout
from wavemma.render.document import Block, Code, Detail, Document, Facts, Grid, Heading, Table, Text
from wavemma.render.lane_runs import lane_runs
from wavemma.render.pages import document_of
from wavemma.render.register_map import EMPTY, cell_text, element_axes, held_by_register
from wavemma.render.spots import asked_facts, formula_blocks, runs
from wavemma.render.words import plural, ranges

_COLUMN_ROLES = ("B", "scale_b")
_PLACE = ("lane", "slot")


@document_of.register
def _layout(answer: RegisterLayout) -> Document:
    blocks: list[Block] = [Heading(f"{answer.asked.operand} of {answer.asked}", 1)]
    blocks.append(Facts((*asked_facts(answer.asked), *_facts(answer))))
    if answer.unknown:
        return (*blocks, Text(f"Unknown: {answer.unknown}."))
    blocks += formula_blocks(answer.formulas)
    if answer.rows:
        blocks.append(Detail((_rows(answer),)))
    if answer.along:
        blocks.append(_along(answer.along))
    if answer.k_order:
        blocks += _k_order(answer.k_order)
    blocks.append(Detail((_grid(answer),), (_short_grid(answer),)))
    return tuple(blocks)


def _facts(answer: RegisterLayout) -> tuple[tuple[str, str], ...]:
    matrix = " x ".join(f"{size} ({letter})" for letter, size in answer.extents)
    lanes = ranges(answer.lanes) if answer.lanes else "unknown"
    return (
        ("matrix", f"{matrix}, {plural(answer.element_bits, 'bit')} an element"),
        ("registers", f"{answer.registers} in each lane, {answer.slots} elements in them"),
        ("lanes", lanes),
    )


def _rows(answer: RegisterLayout) -> Table:
    """Write the lanes and registers of each row, or column of B."""
    line = "column" if answer.asked.operand in _COLUMN_ROLES else "row"
    blocks = len({row.block for row in answer.rows}) > 1
    return Table(
        (*(("block",) if blocks else ()), line, "lanes", "registers"),
        tuple(
            (
                *((str(row.block),) if blocks else ()),
                str(row.number),
                ranges(row.lanes),
                ranges(row.registers),
            )
            for row in answer.rows
        ),
        title=f"Lanes and registers of each {line}",
    )


def _along(rows: tuple[AlongRow, ...]) -> Table:
    """Write what lies along k in each register of the lanes of row or column 0."""
    lanes = list(dict.fromkeys(row.lanes for row in rows))
    registers = sorted({row.register for row in rows})
    cells = {(row.register, row.lanes): _held(row) for row in rows}
    return Table(
        ("register", *(f"lane {ranges(each)}" for each in lanes)),
        tuple(
            (f"v{number}", *(cells.get((number, each), EMPTY) for each in lanes))
            for number in registers
        ),
        title="Along k, in the lanes of row or column 0 of block 0",
    )


def _held(row: AlongRow) -> str:
    letters = [letter for letter, _ in row.elements[0]]
    held = [tuple(value for _, value in element) for element in row.elements]
    parts = [ranges(sorted({each[n] for each in held})) for n in range(len(letters))]
    return " ".join(f"{letter} {part}" for letter, part in zip(letters, parts, strict=True))


def _k_order(order: KOrder) -> list[Block]:
    """Say how else k may be numbered."""
    blocks: list[Block] = [
        Heading("Order of k", 3),
        Text(
            "k is numbered as the source named below numbers it. One permutation of k applied to A"
            " and B (and the index) alike gives the same products: all such layouts are equivalent"
            " for exact sums, but rounded sums may differ, since k is summed in another order."
        ),
    ]
    if not order.contiguous:
        return [*blocks, Text("No one order of k is contiguous in the lanes of both A and B.")]
    if order.contiguous == tuple(range(len(order.contiguous))):
        return [*blocks, Text("Lanes hold neighbouring k: kernels that load so number k alike.")]
    lines = [f"{each.name} = {each.python}" for each in order.place if each.name in _PLACE]
    text = "Kernels whose lanes load neighbouring k number it otherwise; their k = 0, 1, 2 ... is"
    return [
        *blocks,
        Text(f"{text} here k = {runs(order.contiguous)}. In their numbering:"),
        Code("\n".join(lines), "python"),
    ]


def _grid(answer: RegisterLayout) -> Grid:
    """Write every register of every lane."""
    held = held_by_register(answer)
    axes = ",".join(element_axes(answer))
    return Grid(
        ("lane", *(f"v{register}" for register in range(answer.registers))),
        tuple(
            (
                str(lane),
                *(
                    cell_text(held[lane, register]) if (lane, register) in held else EMPTY
                    for register in range(answer.registers)
                ),
            )
            for lane in range(answer.asked.wave)
        ),
        title=f"Elements {axes} in each register, low bits first",
    )


def _short_grid(answer: RegisterLayout) -> Grid:
    """Write every register of each run of lanes that differ in one index only."""
    axes = ",".join(element_axes(answer))
    return Grid(
        ("lanes", *(f"v{register}" for register in range(answer.registers))),
        tuple((run.lanes, *run.cells) for run in lane_runs(answer)),
        title=f"Elements {axes} in each register, low bits first; 0..15 counts along the lanes",
    )
