"""The operand fields of an instruction: what may stand there, in which formats and registers."""

from collections.abc import Iterator

import msgspec

from wavemma.isa.instruction import Instruction
from wavemma.isa.operand import OperandField
from wavemma.layouts import MATRIX_ROLES, SCALE_ROLES, Role
from wavemma.tables.formats import format_row
from wavemma.tables.instructions import architecture_rows
from wavemma.tables.targets import Wave

INV_2PI = "1/(2*pi)"
_ROLES: tuple[Role, ...] = (*MATRIX_ROLES, *SCALE_ROLES)
_ACCESS = {"d": "written", "cd": "read and written"}
_SIDES: dict[str, tuple[Role, ...]] = {"cd": ("c", "d")}
_MATRICES = {
    "index": "places of the kept elements of A",
    "scale_a": "scales of A",
    "scale_b": "scales of B",
}


class RegisterCount(msgspec.Struct, frozen=True, kw_only=True):
    """Registers of 32 bits that each lane needs for one role."""

    role: str
    wave: Wave
    formats: tuple[str, ...]
    registers: int


class OperandFacts(msgspec.Struct, frozen=True, kw_only=True):
    """One operand field.

    Attributes:
        field: Name of the field.
        hi: Its highest bit.
        lo: Its lowest bit.
        roles: a, b, c, d, index, scale_a, scale_b; c and d where the field names both.
        access: "read", "written" or "read and written".
        kinds: What it may name: vgpr, agpr, sgpr, special_sgpr, inline_constant.
        accumulator: Name of the bit that tells AGPRs from VGPRs; empty if there is none.
        constants: Inline constants that it may be; whole numbers as one range.
        matrix: Which matrix it holds.
        size: Rows and columns of that matrix, such as "16x32"; empty for a scale load.
        formats: Formats that its elements may have.
        registers: Registers by wave and format.

    """

    field: str
    hi: int
    lo: int
    roles: tuple[str, ...]
    access: str
    kinds: tuple[str, ...]
    accumulator: str
    constants: tuple[str, ...]
    matrix: str
    size: str
    formats: tuple[str, ...]
    registers: tuple[RegisterCount, ...]


def operand_facts(instruction: Instruction) -> tuple[OperandFacts, ...]:
    """Describe every operand field, in the order of the assembly text."""
    return tuple(_operand(instruction, each) for each in instruction.operands)


def roles_of(instruction: Instruction) -> tuple[Role, ...]:
    """List the roles of an instruction's operands."""
    return tuple(role for role in _ROLES if role in instruction.roles)


def formats_alike(instruction: Instruction, role: str) -> tuple[tuple[str, ...], ...]:
    """Group the formats that a role may have by width; a group has one layout."""
    groups: dict[int, list[str]] = {}
    for name in instruction.formats_of(role):
        groups.setdefault(format_row(name).bits, []).append(name)
    return tuple(tuple(group) for group in groups.values())


def matrix_size(instruction: Instruction, role: str) -> str:
    """Write rows and columns of the matrix that a role holds, such as "16x32"."""
    m, n, k = instruction.shape
    kept = k // 2 if instruction.is_sparse else k
    per_block = k // max(instruction.matrix.scale_block, 1)
    sizes = {
        "a": (m, kept),
        "b": (k, n),
        "c": (m, n),
        "d": (m, n),
        "index": (m, kept),
        "scale_a": (m, per_block),
        "scale_b": (per_block, n),
    }
    rows, columns = sizes[role]
    return f"{rows}x{columns}"


def _operand(instruction: Instruction, operand: OperandField) -> OperandFacts:
    roles = tuple(role for role in _ROLES if role in _SIDES.get(operand.role, (operand.role,)))
    return OperandFacts(
        field=operand.field.name,
        hi=operand.field.hi,
        lo=operand.field.lo,
        roles=roles,
        access=_ACCESS.get(operand.role, "read"),
        kinds=operand.kinds,
        accumulator=operand.accumulator.name if operand.accumulator else "",
        constants=_constants(instruction, operand),
        matrix=" and ".join(_MATRICES.get(role, role.upper()) for role in roles),
        size=matrix_size(instruction, roles[0]) if instruction.is_matrix else "",
        formats=tuple(
            dict.fromkeys(name for role in roles for name in instruction.formats.get(role, ()))
        ),
        registers=tuple(_registers(instruction, roles)),
    )


def _registers(instruction: Instruction, roles: tuple[Role, ...]) -> Iterator[RegisterCount]:
    for role in roles:
        for wave in instruction.waves:
            for names in formats_alike(instruction, role) or ((),):
                count = instruction.registers(role, wave, names[0] if names else None)
                yield RegisterCount(role=role, wave=wave, formats=names, registers=count)


def _constants(instruction: Instruction, operand: OperandField) -> tuple[str, ...]:
    """List inline constants: whole numbers as a range, then those with a point."""
    if "inline_constant" not in operand.kinds:
        return ()
    found = []
    rows = architecture_rows(instruction.architecture).source_codes
    ends = [
        row.first + n * row.step
        for row in rows
        if row.kind == "inline_integer"
        for n in (0, row.count - 1)
    ]
    found.append(f"{min(ends)}..{max(ends)}")
    for row in rows:
        if row.kind == "inline_float" and (operand.has_inv_2pi or not row.inv_2pi):
            found.append(INV_2PI if row.inv_2pi else row.text)
    return tuple(found)
