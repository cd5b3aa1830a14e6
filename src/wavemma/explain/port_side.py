"""One side of a port: an instruction as a program uses it, from its call to its last bit."""

from collections.abc import Iterator
from functools import cache

import msgspec

from wavemma.clang_builtins.names import available
from wavemma.explain.answer import Evidence
from wavemma.explain.arithmetic import ModelUse, model_cited
from wavemma.explain.builtin_guards import compile_lines, guard
from wavemma.explain.citation import cited
from wavemma.explain.formula_pairs import Formulas, formulas_of
from wavemma.explain.formulas import layouts_cited
from wavemma.explain.nearness import Setup
from wavemma.explain.operand import LETTERS
from wavemma.explain.operand_fields import matrix_size, roles_of
from wavemma.explain.prototype import TypeName, prototype, type_name, types_of
from wavemma.isa.instruction import format_role
from wavemma.layouts import Layout, Role
from wavemma.tables.builtins import BuiltinRow, arguments
from wavemma.tables.keys import Grade
from wavemma.tables.models import model_rows
from wavemma.tables.targets import Wave, architectures, target, targets, units
from wavemma.throughput.cost import Cost, cost

_K_LETTERS = ("k", "q")
_SCALE = "scale_"


class OperandUse(msgspec.Struct, frozen=True, kw_only=True):
    """One operand: its matrix, its C type, its registers and where they hold what.

    Attributes:
        role: a, b, c, d, index, scale_a or scale_b.
        name: A, B, C, D, index, scale_a or scale_b.
        format: Format of its elements; of the index, that of A.
        type: C type of the argument or result; empty without a builtin.
        matrix: Rows and columns of its matrix, such as "16x16".
        extents: Indices and their sizes, blocks first.
        registers: Registers of each lane.
        copies: Lanes that hold each element.
        neighbours: Elements along k that lie side by side in a lane; 0 for C and D.
        element_bits, stride_bits, offset_bits, slots: As in a register layout.
        lanes: Lanes that hold anything: first and last.
        formulas: Its layout in formulas.

    """

    role: Role
    name: str
    format: str
    type: str
    matrix: str
    extents: tuple[tuple[str, int], ...]
    registers: int
    copies: int
    neighbours: int
    element_bits: int
    stride_bits: int
    offset_bits: int
    slots: int
    lanes: tuple[int, int]
    formulas: Formulas


class PortSide(msgspec.Struct, frozen=True, kw_only=True):
    """An instruction on one target, as a program uses it.

    Attributes:
        target: Name of the target.
        title: Its architecture as printed.
        wave: Lanes of the wave.
        instruction: Mnemonic.
        shape: M, N and K.
        blocks: Products of that shape.
        sparse: Whether A keeps two of each four elements along k.
        scale_block: Elements along k that share a scale; 0 without scales.
        builtin: Its builtin; empty if the compiler has none.
        prototype: How that is declared.
        types: Vector types to declare.
        call: Its arguments in order; operands by role, constants as values.
        operands: Its operands, D last.
        cycles: Cycles that one SIMD is busy; None: unknown.
        ops_per_cu_per_cycle: Operations of a unit in a cycle; None: unknown.
        unit: Word for the unit.
        model: Name of its arithmetic model, its rule and other models that it may follow.
        model_title: The rule in one sentence.
        model_alternatives: Names of models that hardware may follow instead.
        model_grade: Grade of the model on this target.
        compile: Command that compiles for it.
        guard: Preprocessor condition for the call.
        oldest_llvm: The first LLVM release that has target and builtin, in words.

    """

    target: str
    title: str
    wave: Wave
    instruction: str
    shape: tuple[int, int, int]
    blocks: int
    sparse: bool
    scale_block: int
    builtin: str
    prototype: str
    types: tuple[TypeName, ...]
    call: tuple[str, ...]
    operands: tuple[OperandUse, ...]
    cycles: int | None
    ops_per_cu_per_cycle: float | None
    unit: str
    model: str
    model_title: str
    model_alternatives: tuple[str, ...]
    model_grade: Grade
    compile: str
    guard: str
    oldest_llvm: str

    def operand(self, role: str) -> OperandUse | None:
        """Find an operand by its role; None if the instruction has none."""
        return next((each for each in self.operands if each.role == role), None)


def side_of(setup: Setup, row: BuiltinRow | None) -> PortSide:
    """Describe how a program uses an instruction.

    Args:
        setup: Target, instruction, wave and formats.
        row: The builtin to call, None if the compiler has none.

    """
    instruction, where = setup.instruction, target(setup.target)
    paid, use = cost_of(setup), model_of(setup)
    return PortSide(
        target=where.name,
        title=architectures()[where.architecture].title,
        wave=setup.wave,
        instruction=instruction.name,
        shape=instruction.shape,
        blocks=instruction.blocks,
        sparse=instruction.is_sparse,
        scale_block=instruction.matrix.scale_block,
        builtin=row.name if row else "",
        prototype=prototype(row) if row else "",
        types=types_of(row) if row else (),
        call=tuple(_argument(role, text, setup) for text, role in row.args) if row else (),
        operands=tuple(_operands(setup, row)),
        cycles=paid.cycles,
        ops_per_cu_per_cycle=paid.ops_per_cu_per_cycle,
        unit=units()[where.unit].title,
        model=use.model,
        model_title=use.title,
        model_alternatives=use.alternatives,
        model_grade=use.grade,
        compile=compile_lines(row, (where.name,))[0] if row else "",
        guard=guard(row, available(row)) if row else "",
        oldest_llvm=first_llvm(row, where.name),
    )


def cost_of(setup: Setup) -> Cost:
    """Give the cost of an instruction with its formats."""
    return cost(setup.target, setup.instruction.name, setup.formats["a"], setup.formats["b"])


def model_of(setup: Setup) -> ModelUse:
    """Give the arithmetic model of an instruction in its wave on its target."""
    row = model_rows()[setup.instruction.model(setup.wave)]
    return ModelUse(
        target=setup.target,
        model=row.name,
        title=row.title,
        alternatives=row.alternatives_on(setup.target),
        source=row.source_on(setup.target),
        grade=row.grade_on(setup.target),
    )


def first_llvm(row: BuiltinRow | None, target_name: str) -> str:
    """Say in words which LLVM release is the first that has target and builtin."""
    if row and row.since:
        return row.since
    compared = sorted({each.oldest_llvm for each in targets().values()})
    oldest = target(target_name).oldest_llvm
    if oldest == compared[0]:
        return f"{oldest} or an older one (older ones were not compared)"
    return f"one after {compared[0]}; {oldest} has it"


def side_evidence(setup: Setup, row: BuiltinRow | None) -> Iterator[Evidence]:
    """Say what the parts of a side rest on."""
    instruction, name = setup.instruction, setup.target
    yield cited(f"instruction ({name})", instruction.row.source, instruction.row.grade)
    if row:
        yield cited(f"builtin ({name})", row.source, row.grade)
    layouts = layouts_cited(instruction)
    yield msgspec.structs.replace(layouts, what=f"layouts ({name})")
    paid = cost_of(setup)
    yield cited(f"cycles ({name})", paid.source, paid.grade)
    yield model_cited(model_of(setup))


def _operands(setup: Setup, row: BuiltinRow | None) -> Iterator[OperandUse]:
    types = {arguments()[role].operand: type_name(text) for text, role in row.args} if row else {}
    if row:
        types["d"] = type_name(row.returns)
    for role in roles_of(setup.instruction):
        name = setup.formats[format_role(role)]
        placed = setup.instruction.layout(role, setup.wave, name)
        yield OperandUse(
            role=role,
            name=LETTERS.get(role, role),
            format=name,
            type=types.get(role, ""),
            matrix=matrix_size(setup.instruction, role),
            extents=placed.extents,
            registers=setup.instruction.registers(role, setup.wave, name),
            copies=len(placed.copies),
            neighbours=_neighbours(placed) if role not in ("c", "d") else 0,
            element_bits=placed.element_bits,
            stride_bits=placed.stride_bits,
            offset_bits=placed.offset_bits,
            slots=placed.slots,
            lanes=_lanes(placed),
            formulas=formulas_of(placed),
        )


def _argument(role: str, text: str, setup: Setup) -> str:
    """Write one argument of a plain call: operands by role, constants that change nothing."""
    row = arguments()[role]
    boolean = "bool" in text
    if row.operand:
        return row.operand if row.operand in setup.instruction.roles else "0"
    for side in ("a", "b"):
        if row.effects == (f"signed_{side}",):
            return "true"
        if row.effects == (f"format_{side}",):
            return str(setup.instruction.formats[side].index(setup.formats[side]))
    return "false" if boolean else "0"


def _neighbours(layout: Layout) -> int:
    """Count the elements along k that follow one another in the first slots of lane 0."""
    sizes = layout.size
    first, _ = _lanes(layout)
    count = 0
    for slot in range(layout.slots):
        indices = layout.element(first, slot) or {}
        if "g" in indices:
            along = indices["g"] * sizes.get("s", 1) + indices.get("s", 0)
        else:
            along = next(indices[letter] for letter in _K_LETTERS if letter in indices)
        if along != slot:
            return max(count, 1)
        count += 1
    return max(count, 1)


@cache
def _lanes(layout: Layout) -> tuple[int, int]:
    used = [lane for lane in range(layout.wave) if layout.element(lane, 0) is not None]
    return used[0], used[-1]
