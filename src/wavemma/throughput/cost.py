"""What one matrix instruction costs: cycles of a SIMD, and operations a cycle of a unit."""

import msgspec

from wavemma.errors import UnknownFormat, UnknownName
from wavemma.isa.catalog import instruction as find
from wavemma.isa.instruction import Instruction
from wavemma.tables.format_names import format_among
from wavemma.tables.keys import Grade
from wavemma.tables.targets import TargetRow, architectures, target, units
from wavemma.tables.throughput import OtherCycles, TimingRow, steppings, timings


class Cost(msgspec.Struct, frozen=True):
    """The cost of one instruction on one target for one pair of formats.

    Attributes:
        target: Name of the target.
        instruction: Mnemonic.
        a: Format of A, empty for a scale load.
        b: Format of B, empty for a scale load.
        stepping: Silicon stepping asked for.
        ops: Multiplications and additions, sparse ones counted as if dense; 0 for a scale load.
        cycles: Cycles that one SIMD is busy; None: unknown.
        passes: The same in passes; None: unknown, or vendors do not count so.
        coexec_cycles: Of these, cycles in which other vector instructions run; None: unknown.
        pipe: "matrix", "valu" or "unknown".
        ops_per_cu_per_cycle: Operations of a unit in a cycle with all SIMDs busy; None: unknown.
        ops_per_block_per_cycle: The same of a block that shares one LDS (a WGP on RDNA).
        source: Citation of the cycles.
        grade: Evidence of the cycles.
        also: Sources that agree.
        against: Sources that do not, with their cycles.

    """

    target: str
    instruction: str
    a: str
    b: str
    stepping: str
    ops: int
    cycles: int | None
    passes: int | None
    coexec_cycles: int | None
    pipe: str
    ops_per_cu_per_cycle: float | None
    ops_per_block_per_cycle: float | None
    source: str
    grade: Grade
    also: tuple[str, ...]
    against: tuple[OtherCycles, ...]


def cost(
    target_name: str,
    instruction: str,
    a: str | None = None,
    b: str | None = None,
    stepping: str = "",
) -> Cost:
    """Give the cost of an instruction.

    Args:
        target_name: Such as "gfx942".
        instruction: Mnemonic or one of its aliases.
        a: Format of A; needed only where the instruction takes several.
        b: Format of B; needed only where the instruction takes several.
        stepping: Silicon stepping such as "A0"; empty: the final one.

    Raises:
        UnknownTarget: If no target has that name.
        UnknownInstruction: If the target has no such instruction.
        UnknownFormat: If a format is missing or is not one that the instruction takes.
        UnknownName: If the stepping has no rows of its own.

    """
    where = target(target_name)
    _check_stepping(where, stepping)
    found = find(instruction, where.name)
    pair = (_format(found, "a", a), _format(found, "b", b))
    return _cost(where, found, pair, stepping)


def cycles(
    target_name: str,
    instruction: str,
    a: str | None = None,
    b: str | None = None,
    stepping: str = "",
) -> int | None:
    """Give the cycles that one SIMD is busy, None if unknown; arguments as for `cost`."""
    return cost(target_name, instruction, a, b, stepping).cycles


def ops_per_cu_per_cycle(
    target_name: str,
    instruction: str,
    a: str | None = None,
    b: str | None = None,
    stepping: str = "",
) -> float | None:
    """Give operations a unit a cycle, None if unknown; arguments as for `cost`."""
    return cost(target_name, instruction, a, b, stepping).ops_per_cu_per_cycle


def _check_stepping(where: TargetRow, stepping: str) -> None:
    known = steppings(where.name)
    if stepping and stepping not in known:
        raise UnknownName(
            f"{stepping!r} is not a stepping of {where.name} with cycles of its own.",
            subject=stepping,
            allowed=known,
            hint="Leave it out for the final stepping.",
        )


def _format(found: Instruction, role: str, given: str | None) -> str:
    """Choose the format of an operand: the only one, or the one that was given."""
    choices = found.formats.get(role, ("",))
    if given is None and len(choices) == 1:
        return choices[0]
    what = f"{role.upper()} of {found.name}"
    if given is None:
        raise UnknownFormat(f"{what} must have one of its formats, it is None.", allowed=choices)
    return format_among(given, choices, what)


def _timing(where: TargetRow, name: str, pair: tuple[str, str], stepping: str) -> TimingRow:
    """Find the first row that fits; a house test proves that there always is one."""
    return next(
        row
        for row in timings(where.architecture)[name]
        if (not row.targets or where.name in row.targets)
        and row.stepping in ("", stepping)
        and (not row.a or pair[0] in row.a)
        and (not row.b or pair[1] in row.b)
    )


def _cost(where: TargetRow, found: Instruction, pair: tuple[str, str], stepping: str) -> Cost:
    row = _timing(where, found.name, pair, stepping)
    busy = None if row.cycles == "unknown" else row.cycles
    per_pass = architectures()[where.architecture].pass_cycles
    unit = units()[where.unit]
    rate = found.ops * unit.simds / busy if busy and found.ops else None
    return Cost(
        target=where.name,
        instruction=found.name,
        a=pair[0],
        b=pair[1],
        stepping=stepping,
        ops=found.ops,
        cycles=busy,
        passes=busy // per_pass if busy and per_pass else None,
        coexec_cycles=None if row.coexec == "unknown" else row.coexec,
        pipe=row.pipe,
        ops_per_cu_per_cycle=rate,
        ops_per_block_per_cycle=rate * unit.units_per_block if rate else None,
        source=row.source,
        grade=row.grade,
        also=row.also,
        against=row.against,
    )
