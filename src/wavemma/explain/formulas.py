"""Where the elements of an instruction's matrices lie, as formulas and as tables."""

from collections.abc import Iterator, Sequence
from functools import cache

import msgspec

from wavemma.errors import Unsupported
from wavemma.explain.answer import Conflict, Evidence
from wavemma.explain.citation import citation, cited
from wavemma.explain.operand_fields import formats_alike, roles_of
from wavemma.isa.instruction import Instruction
from wavemma.layouts import Layout, Role
from wavemma.layouts.formula import element_formulas, place_formulas, register_formulas
from wavemma.tables.layout_evidence import layout_evidence
from wavemma.tables.targets import Wave

LANE_NOTE = (
    "lane is a thread's number modulo the wave size, not its number in the workgroup; v is the"
    " register of the operand, n numbers the elements in a register from the low bits."
)
BLOCK_NOTE = (
    "b is the block: the instruction computes several products, each with its own matrices."
)
SPARSE_NOTE = (
    "A keeps two elements of each four along k: g is k // 4, s = 0 or 1 tells the two apart, and"
    " the index holds their place in the group."
)
SCALE_NOTE = "q numbers the scales along k."
HALF_NOTE = (
    "A register holds one 16-bit element of C and D, in its low half; op_sel[2] chooses the high"
    " half, and the other half of D keeps what it holds."
)
COPY_NOTE = "Where several lanes are named for an element, it must be present in each of them."
_INDEXED: dict[Role, str] = {
    "a": "A[i][k]",
    "b": "B[k][j]",
    "c": "C[i][j]",
    "d": "D[i][j]",
    "index": "index[i][g]",
    "scale_a": "scale_a[i][q]",
    "scale_b": "scale_b[q][j]",
}
_SCALES = frozenset(("scale_a", "scale_b"))
_OUTER = {"a": "i", "index": "i", "scale_a": "i", "b": "j", "scale_b": "j"}


class LayoutFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Where the elements of one role lie.

    Attributes:
        role: a, b, c, d, index, scale_a or scale_b.
        wave: Lanes of the wave.
        formats: The formats with this layout; for the index, those of A.
        extents: Indices and their sizes, such as ("i", 16).
        registers: Registers of each lane.
        element_bits: Bits of an element.
        stride_bits: Bits from one element of a lane to the next.
        copies: Offsets of the lane at which every element must be present.
        place: Formulas of lane, slot, vgpr and bit by the indices.
        element: Formulas of the indices by lane, v and n; by lane and slot where elements run over
            the borders of registers.

    """

    role: str
    wave: Wave
    formats: tuple[str, ...]
    extents: tuple[tuple[str, int], ...]
    registers: int
    element_bits: int
    stride_bits: int
    copies: tuple[int, ...]
    place: tuple[tuple[str, str], ...]
    element: tuple[tuple[str, str], ...]


class OuterRow(msgspec.Struct, frozen=True, kw_only=True):
    """Lanes and registers that hold one row of A, C or D, or one column of B, of one block."""

    block: int
    number: int
    lanes: tuple[int, ...]
    registers: tuple[int, ...]


class AlongRow(msgspec.Struct, frozen=True, kw_only=True):
    """What one register holds along k in the lanes of row or column 0 of block 0.

    Each entry of `elements` is one element's indices along k, in the order of the slots: k, or
    g and s of a sparse A.
    """

    lanes: tuple[int, ...]
    register: int
    elements: tuple[tuple[tuple[str, int], ...], ...]


def layout_facts(instruction: Instruction, wave: Wave) -> tuple[LayoutFacts, ...]:
    """Describe the layout of every role at one wave size; empty for a scale load."""
    if not instruction.is_matrix:
        return ()
    return tuple(
        _facts(instruction.layout(role, wave, _first(role, names)), role, names)
        for role in roles_of(instruction)
        for names in formats_alike(instruction, role)
    )


def layout_notes(instruction: Instruction, role: Role | None = None) -> Iterator[str]:
    """Say what a reader of the formulas must know.

    Args:
        instruction: Whose formulas they are.
        role: Whose they are if only one operand is shown; all of them if None.

    """
    if not instruction.is_matrix:
        return
    roles = roles_of(instruction) if role is None else (role,)
    yield LANE_NOTE
    yield index_note(roles)
    if instruction.blocks > 1:
        yield BLOCK_NOTE
    if instruction.is_sparse and not {"a", "index"}.isdisjoint(roles):
        yield SPARSE_NOTE
    if not _SCALES.isdisjoint(roles):
        yield SCALE_NOTE
    if any(len(instruction.layout(each).copies) > 1 for each in roles):
        yield COPY_NOTE
    result = instruction.layout("d")
    if result.stride_bits > result.element_bits and not {"c", "d"}.isdisjoint(roles):
        yield HALF_NOTE


def index_note(roles: Sequence[Role]) -> str:
    """Say which indices the elements of some operands have."""
    return f"Indices: {', '.join(_INDEXED[each] for each in roles)}."


def layouts_cited(instruction: Instruction) -> Evidence:
    """Say what the layouts of an instruction rest on."""
    row = layout_evidence(instruction.architecture, instruction.name)
    return cited(f"layouts ({instruction.architecture})", row.source, row.grade, row.note)


def layout_conflicts(instruction: Instruction) -> tuple[Conflict, ...]:
    """Say where sources disagree about the layouts of an instruction."""
    row = layout_evidence(instruction.architecture, instruction.name)
    if not row.rival_roles:
        return ()
    what = f"layout of {', '.join(row.rival_roles)} of {instruction.name}"
    return (Conflict(what, "the layout shown", row.rival, citation(row.rival_source)),)


@cache
def outer_rows(layout: Layout, role: str) -> tuple[OuterRow, ...]:
    """List the lanes and registers of each row (of B: column), block by block."""
    outer = _OUTER.get(role, "i")
    found: dict[tuple[int, int], tuple[set[int], set[int]]] = {}
    for lane, slot, indices in _places(layout):
        lanes, registers = found.setdefault((indices.get("b", 0), indices[outer]), (set(), set()))
        lanes.add(lane)
        registers.update(_touched(layout, slot))
    return tuple(
        OuterRow(
            block=block,
            number=number,
            lanes=tuple(sorted(lanes)),
            registers=tuple(sorted(registers)),
        )
        for (block, number), (lanes, registers) in sorted(found.items())
    )


@cache
def along_rows(layout: Layout, role: str) -> tuple[AlongRow, ...]:
    """List what each register holds along k, in the lanes of row or column 0 of block 0."""
    outer = _OUTER[role]
    held: dict[tuple[int, int], list[tuple[tuple[str, int], ...]]] = {}
    for lane, slot, indices in _places(layout):
        if indices[outer] == 0 and indices.get("b", 0) == 0:
            along = tuple((k, v) for k, v in indices.items() if k not in ("b", outer))
            for register in _touched(layout, slot):
                held.setdefault((lane, register), []).append(along)
    groups: dict[tuple[int, tuple[tuple[tuple[str, int], ...], ...]], list[int]] = {}
    for (lane, register), elements in sorted(held.items()):
        groups.setdefault((register, tuple(elements)), []).append(lane)
    return tuple(
        AlongRow(lanes=tuple(lanes), register=register, elements=elements)
        for (register, elements), lanes in groups.items()
    )


def _first(role: str, names: tuple[str, ...]) -> str | None:
    """Choose the format by which a layout is asked for."""
    return names[0] if names else None


def _facts(layout: Layout, role: str, formats: tuple[str, ...]) -> LayoutFacts:
    try:
        element = register_formulas(layout)
    except Unsupported:
        element = element_formulas(layout)
    return LayoutFacts(
        role=role,
        wave=64 if layout.wave == 64 else 32,
        formats=formats,
        extents=layout.extents,
        registers=layout.registers,
        element_bits=layout.element_bits,
        stride_bits=layout.stride_bits,
        copies=layout.copies,
        place=tuple(place_formulas(layout).items()),
        element=tuple(element.items()),
    )


def _places(layout: Layout) -> Iterator[tuple[int, int, dict[str, int]]]:
    """Yield lane, slot and indices of everything that a wave holds."""
    for slot in range(layout.slots):
        for lane in range(layout.wave):
            indices = layout.element(lane, slot)
            if indices is not None:
                yield lane, slot, indices


def _touched(layout: Layout, slot: int) -> range:
    """List the registers that an element of a slot lies in."""
    register, bit = layout.position(slot)
    return range(register, register + (bit + layout.element_bits - 1) // 32 + 1)
