"""How long an instruction keeps a SIMD busy, by target, stepping and pair of formats."""

from collections.abc import Iterable, Iterator
from itertools import product

import msgspec

from wavemma.explain.answer import Conflict, Evidence
from wavemma.explain.citation import citation, cited
from wavemma.isa.instruction import Instruction
from wavemma.tables.keys import Grade
from wavemma.tables.targets import target, units
from wavemma.throughput.cost import Cost, cost

Pair = tuple[str, str]


class Speed(msgspec.Struct, frozen=True, kw_only=True):
    """The cost of one instruction on one target, for the pairs of formats that cost the same.

    Attributes:
        target: Name of the target.
        stepping: Silicon stepping; empty: the final one.
        formats: Pairs of formats of A and B; empty for a scale load.
        case: Which pairs these are, in words; empty if there is only one.
        ops: Multiplications and additions, sparse ones counted as if dense.
        cycles: Cycles that one SIMD is busy; None: unknown.
        passes: The same in passes; None: unknown, or the vendor does not count so.
        coexec_cycles: Of these, cycles in which other vector instructions run; None: unknown.
        pipe: "matrix", "valu" or "unknown".
        unit: Word for what `ops_per_cu_per_cycle` counts for, CU or WGP.
        ops_per_cu_per_cycle: Operations of a unit in a cycle; None: unknown.
        block: Word for what shares one LDS.
        ops_per_block_per_cycle: Operations of a block in a cycle; None: unknown.
        source: Key of the citation of the cycles.
        grade: Grade of the cycles.
        also: Sources that give the same.

    """

    target: str
    stepping: str
    formats: tuple[Pair, ...]
    case: str
    ops: int
    cycles: int | None
    passes: int | None
    coexec_cycles: int | None
    pipe: str
    unit: str
    ops_per_cu_per_cycle: float | None
    block: str
    ops_per_block_per_cycle: float | None
    source: str
    grade: Grade
    also: tuple[str, ...]


def speeds(instruction: Instruction, target_name: str, stepping: str = "") -> tuple[Speed, ...]:
    """Give the cost on one target, a row for all pairs of formats that cost the same.

    Args:
        instruction: One that the target has.
        target_name: Such as "gfx942".
        stepping: Silicon stepping such as "A0"; empty: the final one.

    """
    pairs = format_pairs(instruction)
    groups: dict[Cost, list[Pair]] = {}
    for a, b in pairs or [("", "")]:
        found = cost(target_name, instruction.name, a or None, b or None, stepping)
        groups.setdefault(msgspec.structs.replace(found, a="", b=""), []).append((a, b))
    return tuple(
        _speed(found, tuple(group) if pairs else (), _case(group, pairs))
        for found, group in groups.items()
    )


def format_pairs(instruction: Instruction) -> list[Pair]:
    """List the pairs of formats that A and B may have; empty for a scale load."""
    formats = instruction.formats
    return list(product(formats["a"], formats["b"])) if formats else []


def speed_evidence(found: Iterable[Speed]) -> Iterator[Evidence]:
    """Say what cycles rest on, agreeing sources included."""
    for speed in found:
        what = f"cycles ({speed.target}{' ' + speed.stepping if speed.stepping else ''})"
        yield cited(what, speed.source, speed.grade)
        yield from (cited(what, key, speed.grade, "agrees") for key in speed.also)


def speed_conflicts(instruction: Instruction, target_name: str) -> Iterator[Conflict]:
    """List the sources that give other cycles."""
    for a, b in format_pairs(instruction) or [("", "")]:
        found = cost(target_name, instruction.name, a or None, b or None)
        for other in found.against:
            yield Conflict(
                what=f"cycles of {instruction.name} ({target_name})",
                taken=f"{found.cycles} ({citation(found.source)})",
                other=str(other.cycles),
                source=citation(other.source),
            )


def _speed(found: Cost, formats: tuple[Pair, ...], case: str) -> Speed:
    unit = units()[target(found.target).unit]
    return Speed(
        target=found.target,
        stepping=found.stepping,
        formats=formats,
        case=case,
        ops=found.ops,
        cycles=found.cycles,
        passes=found.passes,
        coexec_cycles=found.coexec_cycles,
        pipe=found.pipe,
        unit=unit.title,
        ops_per_cu_per_cycle=found.ops_per_cu_per_cycle,
        block=unit.block,
        ops_per_block_per_cycle=found.ops_per_block_per_cycle,
        source=found.source,
        grade=found.grade,
        also=found.also,
    )


def _case(group: list[Pair], every: list[Pair]) -> str:
    """Say in words which pairs of formats a group holds."""
    if len(every) < 2:
        return ""
    if len(group) == len(every):
        return "any formats"
    if sides := _sides(group):
        return _joined("and", *sides)
    if _sides([pair for pair in every if pair not in group]):
        inside = {pair for pair in every if pair not in group}
        a = [name for name in _firsts(every) if name not in {one for one, _ in inside}]
        b = [name for name in _seconds(every) if name not in {two for _, two in inside}]
        return _joined("or", a, b)
    return "otherwise"


def _sides(group: list[Pair]) -> tuple[list[str], list[str]] | None:
    """Give the formats of A and of B if a group is all their pairs."""
    a, b = _firsts(group), _seconds(group)
    return (a, b) if len(a) * len(b) == len(group) else None


def _firsts(group: Iterable[Pair]) -> list[str]:
    return list(dict.fromkeys(a for a, _ in group))


def _seconds(group: Iterable[Pair]) -> list[str]:
    return list(dict.fromkeys(b for _, b in group))


def _joined(word: str, a: list[str], b: list[str]) -> str:
    if a == b:
        return f"A {word} B of {', '.join(a)}"
    return f"A of {', '.join(a)} {word} B of {', '.join(b)}"
