"""Everything about one product."""

from collections.abc import Iterator

from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.citation import cited, distinct, product_conflicts
from wavemma.explain.peaks import CIRCULAR_NOTE, FORMULA_NOTE, TypePeak, explain_peak
from wavemma.tables.products import ProductRow, conflicts, product
from wavemma.tables.targets import architectures, units

SHARED_NOTE = "It has no memory of its own: it shares that of the system."


class ProductFacts(Answer, frozen=True, kw_only=True, tag=True):
    """Everything about one product; None: unknown.

    Attributes:
        name: Full name.
        target: Its compile target.
        architecture: Title of the architecture.
        gcn_arch_name: The name that HIP reports.
        unit: Word for a unit.
        units: Units of the whole card.
        simds_per_unit: SIMDs of a unit.
        blocks: Blocks that share one LDS.
        multiprocessors: HIP multiprocessor count of one device.
        logged_multiprocessors: The same as printed on a real board.
        devices: HIP devices that the card shows as.
        default_wave: Lanes of a wave by default.
        boost_mhz: Peak engine or boost clock.
        driver_clocks_mhz: Highest clocks that drivers printed.
        driver_name: Name that the driver gives.
        memory_gb: Memory of the card; None also if it is the system's.
        shares_memory: Whether it uses the system's memory.
        reported_memory_mib: Memory as printed on a real board.
        bandwidth_gb_s: Memory bandwidth in GB/s.
        l2_mib: L2 cache as printed on a real board.
        lds_kib: LDS of a block in KiB.
        vgpr_file_kib: Vector registers of a block in KiB.
        xcds: Compute dies.
        units_per_xcd_physical: Units of a compute die, the switched-off ones included.
        shader_engines: Shader engines.
        ai_accelerators: "AI accelerators" as marketed.
        apu: Whether it shares a package with a processor.
        peaks: Peak rates of every type, beside what was published.
        note: What is odd about it.

    """

    name: str
    target: str
    architecture: str
    gcn_arch_name: str
    unit: str
    units: int
    simds_per_unit: int
    blocks: int
    multiprocessors: int
    logged_multiprocessors: int | None
    devices: int
    default_wave: int
    boost_mhz: int | None
    driver_clocks_mhz: tuple[int, ...]
    driver_name: str | None
    memory_gb: int | None
    shares_memory: bool
    reported_memory_mib: int | None
    bandwidth_gb_s: float | None
    l2_mib: int | None
    lds_kib: int
    vgpr_file_kib: int
    xcds: int | None
    units_per_xcd_physical: int | None
    shader_engines: int | None
    ai_accelerators: int | None
    apu: bool
    peaks: tuple[TypePeak, ...]
    note: str


def explain_product(name: str) -> ProductFacts:
    """Say everything about one product.

    Args:
        name: Full name or the end of it, in any case, such as "rx 7900 xtx".

    Raises:
        UnknownProduct: Offers the nearest names, or those that end so.

    """
    row = product(name)
    where = row.target_row
    unit = units()[where.unit]
    rates = explain_peak(row.name)
    return ProductFacts(
        name=row.name,
        target=row.target,
        architecture=architectures()[where.architecture].title,
        gcn_arch_name=where.gcn_arch_name,
        unit=unit.title,
        units=row.units,
        simds_per_unit=unit.simds,
        blocks=row.blocks,
        multiprocessors=row.multiprocessors,
        logged_multiprocessors=row.logged_multiprocessors,
        devices=row.devices,
        default_wave=where.default_wave,
        boost_mhz=row.clock_mhz,
        driver_clocks_mhz=row.driver_clocks_mhz,
        driver_name=row.driver_name,
        memory_gb=row.memory_gb if isinstance(row.memory_gb, int) else None,
        shares_memory=row.memory_gb == "shared",
        reported_memory_mib=row.reported_memory_mib,
        bandwidth_gb_s=row.bandwidth_gb_s,
        l2_mib=row.l2_mib,
        lds_kib=where.lds_kib,
        vgpr_file_kib=where.vgpr_file_kib,
        xcds=row.xcds,
        units_per_xcd_physical=row.units_per_xcd_physical,
        shader_engines=row.shader_engines,
        ai_accelerators=row.ai_accelerators,
        apu=row.apu,
        peaks=rates.peaks,
        note=row.note,
        evidence=distinct((*_evidence(row), *rates.evidence)),
        conflicts=product_conflicts(each for each in conflicts() if row.name in each.products),
        notes=tuple(_notes(row)),
    )


def _notes(row: ProductRow) -> Iterator[str]:
    yield FORMULA_NOTE
    if row.clock_from:
        yield CIRCULAR_NOTE.format(row.clock_from)
    if row.memory_gb == "shared":
        yield SHARED_NOTE


def _evidence(row: ProductRow) -> Iterator[Evidence]:
    yield cited("units", row.source, row.grade)
    yield cited("clock", row.boost_source, row.boost_grade)
    if row.xcds_grade:
        yield cited("compute dies", row.source, row.xcds_grade)
