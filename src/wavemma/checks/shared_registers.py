"""Matrix instructions whose result takes registers of their own inputs."""

from collections.abc import Iterator

from wavemma.checks.finding import Finding, where
from wavemma.checks.program import Item, Program
from wavemma.isa.decoded import Decoded
from wavemma.tables.hazard_rows import ReuseRow
from wavemma.tables.hazards import hazards


def shared_registers(program: Program) -> Iterator[Finding]:
    """Yield one finding an instruction whose result shares registers with inputs as none should."""
    for item in program.items:
        decoded = item.decoded
        if not isinstance(decoded, Decoded) or not decoded.instruction.is_matrix or decoded.faults:
            continue
        for row in hazards().reuses.values():
            if decoded.instruction.kind in row.kinds:
                found = [role for role in row.roles if _is_shared(decoded, row, role)]
                if found:
                    yield _finding(program, item, decoded, row, found)


def _is_shared(decoded: Decoded, row: ReuseRow, role: str) -> bool:
    if role not in decoded.instruction.roles:
        return False
    result, other = decoded.operand("d"), decoded.operand(role)
    if not other.is_register or result.count <= row.registers_over:
        return False
    ends = result.first + result.count, other.first + other.count
    apart = ends[0] <= other.first or ends[1] <= result.first
    return result.kind == other.kind and not apart


def _finding(
    program: Program, item: Item, decoded: Decoded, row: ReuseRow, roles: list[str]
) -> Finding:
    named = " and ".join(
        f"{role.upper() if len(role) == 1 else role} {decoded.operand(role).text}" for role in roles
    )
    return Finding(
        severity="suspect",
        what="registers",
        rule=row.name,
        at=where(item, program.unit),
        message=f"D {decoded.operand('d').text} shares registers with {named}: {row.why}.",
        sources=(row.source,),
        grade=row.grade,
    )
