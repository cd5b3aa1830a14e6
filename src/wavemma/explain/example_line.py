"""A right line of assembly for an instruction, with registers that do not clash."""

from collections.abc import Mapping

from wavemma.isa.instruction import Instruction
from wavemma.isa.operand import OperandField
from wavemma.isa.source import sources
from wavemma.layouts import MATRIX_ROLES, SCALE_ROLES
from wavemma.tables.targets import Wave

_NOTHING: Mapping[str, str] = {}


def example_line(
    instruction: Instruction, wave: Wave, formats: Mapping[str, str] = _NOTHING
) -> str:
    """Write a line whose operands have the right kinds, lengths and alignment.

    C is D's registers where it has as many; the others follow one another. Formats must be those
    of the default modifiers.

    Args:
        instruction: The instruction.
        wave: Lanes of the wave.
        formats: Names of formats by role; the first of each role if left out.

    """
    texts: list[str] = []
    taken: dict[tuple[str, int], str] = {}
    first = 0
    for operand in instruction.operands:
        count = _count(instruction, operand, wave, formats)
        key = ("d" if operand.role == "c" else operand.role, count)
        if key not in taken:
            step = instruction.alignment if count > 1 else 1
            first = -(-first // step) * step
            taken[key] = _text(instruction, operand, first, count)
            first += count
        texts.append(taken[key])
    return f"{instruction.name} {', '.join(texts)}"


def _count(
    instruction: Instruction, operand: OperandField, wave: Wave, formats: Mapping[str, str]
) -> int:
    """Count the registers of an operand."""
    if operand.registers:
        return operand.registers
    if not instruction.is_matrix:
        return 1
    return max(
        instruction.registers(role, wave, formats.get(role))
        for role in (*MATRIX_ROLES, *SCALE_ROLES)
        if role == operand.role or (operand.role == "cd" and role in ("c", "d"))
    )


def _text(instruction: Instruction, operand: OperandField, first: int, count: int) -> str:
    """Write a range in the first file of vector registers that the field may name."""
    files = sources(instruction.architecture).files
    names = {row.kind: text for text, row in files.items()}
    kind = next(kind for kind in operand.kinds if kind in ("vgpr", "agpr"))
    return f"{names[kind]}{first}" if count == 1 else f"{names[kind]}[{first}:{first + count - 1}]"
