"""How rules see matrix instructions."""

from functools import cache

from wavemma.errors import EncodingMistake
from wavemma.hazards.ordinary import VALU
from wavemma.hazards.reading import AGPRS, EXEC, IN_PLACE, ISSUE, Reading, Shifts, Span, moved
from wavemma.isa.decoded import Decoded
from wavemma.isa.instruction import Instruction
from wavemma.isa.operand import Operand
from wavemma.tables.hazard_classes import MatrixClassRow, hazard_classes
from wavemma.tables.hazard_rows import MemberRow
from wavemma.tables.hazards import hazards
from wavemma.tables.instructions import InstructionRow
from wavemma.tables.targets import architectures
from wavemma.tables.throughput import timings

WORDS = {"cd": ("c", "d"), "scale_a": ("scale",), "scale_b": ("scale",)}
"""The words of the rules for roles that are called otherwise."""


def matrix_reading(decoded: Decoded, target: str, shifts: Shifts = IN_PLACE) -> Reading:
    """Read a matrix instruction, or one that loads scales.

    Args:
        decoded: The instruction.
        target: Whose categories of co-execution hold.
        shifts: What is added to the numbers of registers, by role.

    """
    instruction = decoded.instruction
    found: dict[str, tuple[Span, ...]] = {}
    for field in instruction.operands:
        span = moved(span_of(decoded.operands[field.field.name]), shifts.get(field.role, 0))
        for word in WORDS.get(field.role, (field.role,)):
            found[word] = (*found.get(word, ()), *span)
    label = class_of(instruction)
    if label == VALU:
        read = tuple(span for spans in found.values() for span in spans)
        return Reading(instruction.name, {label: {"source": read, "read": read}}, slots=1)
    category, doubted = _category(decoded, target)
    return Reading(
        name=instruction.name,
        operands={label: {**found, "exec": (EXEC,), "issue": (ISSUE,)}},
        writes=found["d"],
        slots=1,
        passes=_passes(decoded),
        category=category,
        doubted=doubted,
    )


def span_of(operand: Operand) -> tuple[Span, ...]:
    """Give the vector registers of an operand."""
    if not operand.is_register:
        return ()
    first = operand.first + (AGPRS if operand.kind == "agpr" else 0)
    return ((first, first + operand.count),)


@cache
def class_of(instruction: Instruction) -> str:
    """Give the class of a matrix instruction: that of the first row that fits."""
    return next(row.name for row in hazard_classes().matrix if _fits(row, instruction))


def _fits(row: MatrixClassRow, instruction: Instruction) -> bool:
    return (
        instruction.kind in row.kinds
        and (not row.architectures or instruction.architecture in row.architectures)
        and (not row.a or instruction.formats["a"][0] in row.a)
        and (not row.shapes or instruction.shape in row.shapes)
    )


def _passes(decoded: Decoded) -> int:
    """Count the passes that it takes; 0 where vendors do not count in passes."""
    instruction = decoded.instruction
    cycles = architectures()[instruction.architecture].pass_cycles
    if not cycles or not isinstance(instruction.row, InstructionRow):
        return 0
    a, b = _formats(decoded)
    return next(
        row.cycles // cycles
        for row in timings(instruction.architecture)[instruction.name]
        if (not row.a or a in row.a) and (not row.b or b in row.b) and row.cycles != "unknown"
    )


def _formats(decoded: Decoded) -> tuple[str, str]:
    """Name the formats of A and B; of a code without a format the first one."""
    try:
        return decoded.formats["a"], decoded.formats["b"]
    except EncodingMistake:
        return decoded.instruction.formats["a"][0], decoded.instruction.formats["b"][0]


def _category(decoded: Decoded, target: str) -> tuple[str, tuple[str, str]]:
    """Find the category of co-execution, and another that a conflict advises."""
    rows = _members(target)
    if not rows:
        return "", ("", "")
    a, b = _formats(decoded)
    for row in rows.get(decoded.instruction.name, ()):
        if (not row.a or a in row.a) and (not row.b or b in row.b):
            return row.category, (row.doubted, row.doubt)
    return list(hazards().categories)[-1], ("", "")


@cache
def _members(target: str) -> dict[str, tuple[MemberRow, ...]]:
    found: dict[str, tuple[MemberRow, ...]] = {}
    for row in hazards().members:
        if row.target == target:
            found[row.name] = (*found.get(row.name, ()), row)
    return found
