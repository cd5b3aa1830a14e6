"""Everything about a compile target, and about an architecture with all of its targets."""

from collections import Counter
from collections.abc import Iterator

import msgspec

from wavemma.errors import UnknownName
from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.citation import cited, distinct, product_conflicts, target_errata
from wavemma.isa.catalog import instructions
from wavemma.tables.builtins import available, builtins
from wavemma.tables.products import (
    BoardRow,
    boards,
    conflicts,
    products,
    without_product,
)
from wavemma.tables.targets import (
    ArchitectureRow,
    TargetRow,
    Wave,
    architectures,
    target,
    targets_of,
    units,
)
from wavemma.tables.throughput import steppings
from wavemma.throughput.roofline import rates

WAVE_NOTE = (
    "Registers and their granule are given for the default wave size; for waves of 64 lanes where"
    " 32 is the default, both are half as large."
)
RATE_NOTE = "Rates are those of the fastest instruction of a type; sparse ones count as if dense."

SETTINGS_NOTE = (
    "A target may be named with its settings, such as {name}:{setting}-: matrix instructions are"
    " the same with each of them."
)


class TypeRate(msgspec.Struct, frozen=True, kw_only=True):
    """The best rate of a type."""

    type: str
    sparse: bool
    ops_per_cu_per_cycle: float | None
    instruction: str


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """HIP device properties as a real board printed them."""

    compute_capability: str
    warp_size: int
    max_threads_per_block: int
    registers_per_block: int
    shared_memory_per_block: int


class TargetEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One compile target.

    Attributes:
        name: As given to the compiler.
        gcn_arch_name: The name that HIP reports.
        gcn_arch_name_alternatives: Other spellings that sources give.
        configurable: Features that a suffix switches.
        macro: Preprocessor macro that only this target defines.
        family_macro: Preprocessor macro of its family.
        oldest_llvm: The older of LLVM 22 and 24 that knows it.
        unit: Word for a compute unit.
        simds_per_unit: SIMDs of a unit.
        block: Word for what shares one LDS.
        units_per_block: Units of a block.
        vgprs: Registers of one lane in a SIMD.
        vgpr_granule: Registers are given to a wave in multiples of this.
        max_vgprs: Most registers of one wave.
        max_waves: Most waves of one SIMD.
        vgpr_file_kib: Vector registers of a block in KiB.
        lds_kib: LDS of a block in KiB.
        lds_kib_per_workgroup: Most LDS of one workgroup in KiB.
        steppings: Silicon steppings with cycles of their own.
        instructions: Count of its instructions by kind.
        builtins: How many builtins it has.
        formats: Formats of its instructions, by role.
        rates: Best rate of each type.
        products: Its products.
        no_product: Why there is none; empty if there is one.
        boards: What real boards printed.
        note: What is odd about it.

    """

    name: str
    gcn_arch_name: str
    gcn_arch_name_alternatives: tuple[str, ...]
    configurable: tuple[str, ...]
    macro: str
    family_macro: str
    oldest_llvm: int
    unit: str
    simds_per_unit: int
    block: str
    units_per_block: int
    vgprs: int
    vgpr_granule: int
    max_vgprs: int
    max_waves: int
    vgpr_file_kib: int
    lds_kib: int
    lds_kib_per_workgroup: int
    steppings: tuple[str, ...]
    instructions: dict[str, int]
    builtins: int
    formats: dict[str, tuple[str, ...]]
    rates: tuple[TypeRate, ...]
    products: tuple[str, ...]
    no_product: str
    boards: tuple[Board, ...]
    note: str


class TargetFacts(Answer, frozen=True, kw_only=True, tag=True):
    """Everything about a target, or about an architecture and its targets.

    Attributes:
        name: What was asked for.
        architecture: Key of the architecture.
        title: Its name as printed.
        waves: Lanes that a wave may have, the default first.
        alignment: The first register of a range is a multiple of this.
        fp8: Family of the 8-bit float formats.
        accumulators: Where C and D may be: vgpr, agpr or either.
        architecture_note: What is odd about the architecture.
        targets: The target, or all targets of the architecture.

    """

    name: str
    architecture: str
    title: str
    waves: tuple[Wave, ...]
    alignment: int
    fp8: str
    accumulators: str
    architecture_note: str
    targets: tuple[TargetEntry, ...]


def explain_target(name: str) -> TargetFacts:
    """Say everything about a compile target.

    Args:
        name: Such as "gfx1100", in any case.

    Raises:
        UnknownTarget: Offers the nearest names.

    """
    row = target(name.lower())
    return _answer(row.name, architectures()[row.architecture], (row,))


def explain_architecture(name: str) -> TargetFacts:
    """Say everything about an architecture and its targets.

    Args:
        name: Key or title, such as "rdna3.5" or "RDNA3.5".

    Raises:
        UnknownName: No architecture has that name.

    """
    if name.lower() not in architectures():
        raise UnknownName(
            f"{name!r} is not an architecture.", subject=name.lower(), allowed=architectures()
        )
    row = architectures()[name.lower()]
    return _answer(row.name, row, tuple(target(each) for each in targets_of(row.name)))


def _answer(name: str, row: ArchitectureRow, found: tuple[TargetRow, ...]) -> TargetFacts:
    named = {each.name for each in found}
    concerned = [
        entry
        for entry in conflicts()
        if {products()[each].target for each in entry.products} & named
    ]
    notes = [RATE_NOTE]
    if len(row.waves) > 1:
        notes.append(WAVE_NOTE)
    for each in [each for each in found if each.configurable][:1]:
        notes.append(SETTINGS_NOTE.format(name=each.name, setting=each.configurable[-1]))
    return TargetFacts(
        name=name,
        architecture=row.name,
        title=row.title,
        waves=row.waves,
        alignment=row.alignment,
        fp8=row.fp8,
        accumulators=row.accumulators,
        architecture_note=row.note,
        targets=tuple(_entry(each) for each in found),
        evidence=distinct(_evidence(row, found)),
        conflicts=(*target_errata(named), *product_conflicts(concerned)),
        notes=tuple(notes),
    )


def _entry(row: TargetRow) -> TargetEntry:
    unit = units()[row.unit]
    mine = instructions(row.name)
    absent = [each.reason for each in without_product() if row.name in each.targets]
    return TargetEntry(
        name=row.name,
        gcn_arch_name=row.gcn_arch_name,
        gcn_arch_name_alternatives=row.gcn_arch_name_alternatives,
        configurable=row.configurable,
        macro=row.macro,
        family_macro=row.family_macro,
        oldest_llvm=row.oldest_llvm,
        unit=unit.title,
        simds_per_unit=unit.simds,
        block=unit.block,
        units_per_block=unit.units_per_block,
        vgprs=row.vgprs,
        vgpr_granule=row.vgpr_granule,
        max_vgprs=row.max_vgprs,
        max_waves=row.max_waves,
        vgpr_file_kib=row.vgpr_file_kib,
        lds_kib=row.lds_kib,
        lds_kib_per_workgroup=row.lds_kib_per_workgroup,
        steppings=steppings(row.name),
        instructions=dict(Counter(each.kind for each in mine)),
        builtins=sum(row.name in available(each) for each in builtins().values()),
        formats=_formats(row.name),
        rates=tuple(_rates(row.name)),
        products=tuple(each.name for each in products().values() if each.target == row.name),
        no_product=absent[0] if absent else "",
        boards=tuple(_board(each) for each in boards() if each.target == row.name),
        note=row.note,
    )


def _formats(name: str) -> dict[str, tuple[str, ...]]:
    """List the formats of a target's instructions by role."""
    found: dict[str, dict[str, None]] = {}
    for each in instructions(name):
        for role, formats in each.formats.items():
            found.setdefault(role, {}).update(dict.fromkeys(formats))
    return {role: tuple(formats) for role, formats in found.items()}


def _rates(name: str) -> Iterator[TypeRate]:
    for (kind, sparse), cost in sorted(rates(name).items(), key=lambda pair: pair[0][1]):
        yield TypeRate(
            type=kind,
            sparse=sparse,
            ops_per_cu_per_cycle=cost.ops_per_cu_per_cycle,
            instruction=cost.instruction,
        )


def _board(row: BoardRow) -> Board:
    return Board(
        compute_capability=row.compute_capability,
        warp_size=row.warp_size,
        max_threads_per_block=row.max_threads_per_block,
        registers_per_block=row.registers_per_block,
        shared_memory_per_block=row.shared_memory_per_block,
    )


def _evidence(row: ArchitectureRow, found: tuple[TargetRow, ...]) -> Iterator[Evidence]:
    yield cited("architecture", row.source, row.grade, row.note)
    for each in found:
        unit = units()[each.unit]
        yield cited("units", unit.source, unit.grade, unit.note)
        yield cited(f"registers, waves and LDS ({each.name})", each.source, each.grade)
        yield cited(f"gcnArchName ({each.name})", each.source, each.gcn_arch_name_grade)
        yield cited(f"macros ({each.name})", each.source, each.macro_grade)
        yield from (
            cited(f"cycles ({each.name})", cost.source, cost.grade)
            for cost in rates(each.name).values()
        )
        yield from (
            cited(f"device properties ({each.name})", board.source, board.grade)
            for board in boards()
            if board.target == each.name
        )
