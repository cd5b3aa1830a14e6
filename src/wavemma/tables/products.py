"""Records of data/products.toml: products, their boards, and what sources disagree on."""

from functools import cache
from typing import Literal

import msgspec

from wavemma.errors import UnknownProduct
from wavemma.tables.files import rows
from wavemma.tables.keys import Grade, by_name, check_known
from wavemma.tables.product_names import begun, called, endings, run_together
from wavemma.tables.rates import published_peaks, rate_types
from wavemma.tables.sources import sources
from wavemma.tables.targets import TargetRow, targets, units

Unknown = Literal["unknown"]
_FILE = "products.toml"


class ProductRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One product.

    Attributes:
        name: Full name.
        target: Key of its TargetRow.
        units: Units of the whole card, as vendor and drivers count them.
        boost_mhz: Peak engine or boost clock.
        memory_gb: Memory of the card; "shared" where it is the system's.
        apu: Whether it shares a package with a processor.
        source: Citation of the unit count.
        grade: Evidence for the unit count.
        boost_source: Citation of the clock.
        boost_grade: Evidence for the clock.
        devices: HIP devices that the card shows as.
        xcds: Compute dies.
        xcds_grade: Evidence for the compute dies.
        units_per_xcd_physical: Units a compute die has, the switched-off ones included.
        shader_engines: Shader engines.
        ai_accelerators: "AI accelerators" as marketed.
        bandwidth_gb_s: Memory bandwidth in GB/s.
        reported_memory_mib: Memory printed on a real board.
        logged_multiprocessors: HIP multiprocessor count printed on a real board.
        l2_mib: L2 cache printed on a real board.
        driver_clocks_mhz: Maximum clocks printed on real boards.
        driver_name: Name that the driver gives.
        clock_from: Published type from whose peak the clock was computed.

    """

    name: str
    target: str
    units: int
    boost_mhz: int | Unknown
    memory_gb: int | Literal["shared", "unknown"]
    apu: bool
    source: str
    grade: Grade
    boost_source: str
    boost_grade: Grade
    devices: int = 1
    xcds: int | None = None
    xcds_grade: Grade | None = None
    units_per_xcd_physical: int | None = None
    shader_engines: int | None = None
    ai_accelerators: int | None = None
    bandwidth_gb_s: int | float | None = None
    reported_memory_mib: int | None = None
    logged_multiprocessors: int | None = None
    l2_mib: int | None = None
    driver_clocks_mhz: tuple[int, ...] = ()
    driver_name: str | None = None
    clock_from: str | None = None
    note: str = ""

    @property
    def target_row(self) -> TargetRow:
        """The target it is compiled for."""
        return targets()[self.target]

    @property
    def clock_mhz(self) -> int | None:
        """The clock that peaks and modelled times are counted with; None: unknown."""
        return None if self.boost_mhz == "unknown" else self.boost_mhz

    @property
    def blocks(self) -> int:
        """Blocks that share one LDS, of the whole card."""
        return self.units // units()[self.target_row.unit].units_per_block

    @property
    def multiprocessors(self) -> int:
        """HIP multiprocessor count of one device."""
        return self.blocks // self.devices


class ProductConflict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sources that disagree about products.

    Attributes:
        name: Key.
        products: Products concerned; empty where it is a whole generation.
        about: The quantity.
        taken: What our rows hold.
        claims: What each source says.

    """

    name: str
    products: tuple[str, ...]
    about: str
    source: str
    grade: Grade
    taken: str
    claims: tuple[str, ...]


class BoardRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """HIP device properties as printed on a real board of a target."""

    target: str
    compute_capability: str
    warp_size: int
    max_threads_per_block: int
    registers_per_block: int
    shared_memory_per_block: int
    source: str
    grade: Grade


class WithoutProduct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Targets of which no product is known, and why."""

    targets: tuple[str, ...]
    reason: str


@cache
def products() -> dict[str, ProductRow]:
    """Give the products by name.

    Raises:
        DataMistake: If two rows have one name, or name a target, type or source that is not there.

    """
    table = by_name(_FILE, "product", rows(_FILE, "product", ProductRow))
    for row in table.values():
        place = f"data/{_FILE}, product {row.name}"
        check_known(place, "target", [row.target], targets())
        check_known(place, "source", [row.source, row.boost_source], sources())
        check_known(place, "clock_from", [row.clock_from] if row.clock_from else [], rate_types())
    check_known(f"data/{_FILE}, peak", "product", published_peaks(), table)
    return table


def product(name: str) -> ProductRow:
    """Find one product by its full name or the end of it, in any case.

    Args:
        name: Such as "AMD Radeon RX 7900 XTX", "rx 7900 xtx" or "MI300X".

    Raises:
        UnknownProduct: Offers the nearest names, or the several products that end so.

    """
    wanted = " ".join(name.lower().split())
    found = called(name)
    if len(found) == 1:
        return products()[found[0]]
    if found:
        sentence = f"{name!r} must name one product, it is the end of {len(found)} names."
        raise UnknownProduct(sentence, subject=name, allowed=found)
    if begun(name):
        raise UnknownProduct(
            f"{name!r} must name one product whole; it begins {', '.join(begun(name))}.",
            subject=name,
            hint="All: wavemma list products",
        )
    if wanted in targets():
        own = [each.name for each in products().values() if each.target == wanted]
        raise UnknownProduct(
            f"{name!r} is a target, which --target takes, no product; {_known(own)}.",
            subject=name,
            hint="All: wavemma list products",
        )
    raise UnknownProduct(
        f"{name!r} is not a product with matrix instructions that we know.",
        subject=wanted,
        allowed=endings() if " " in wanted else (*endings(), *run_together()),
        hint="All: wavemma list products",
    )


def _known(names: list[str]) -> str:
    """Name the products of a target."""
    return f"we know {', '.join(names)} of it" if names else "we know none of it"


@cache
def conflicts() -> tuple[ProductConflict, ...]:
    """List what sources disagree on.

    Raises:
        DataMistake: If a row names a product or source that is not there.

    """
    table = by_name(_FILE, "conflict", rows(_FILE, "conflict", ProductConflict))
    for row in table.values():
        check_known(f"data/{_FILE}, conflict {row.name}", "products", row.products, products())
        check_known(f"data/{_FILE}, conflict {row.name}", "source", [row.source], sources())
    return tuple(table.values())


@cache
def boards() -> tuple[BoardRow, ...]:
    """List the device properties that real boards printed.

    Raises:
        DataMistake: If a row names a target or source that is not there.

    """
    table = rows(_FILE, "board", BoardRow)
    for row in table:
        check_known(f"data/{_FILE}, board", "target", [row.target], targets())
        check_known(f"data/{_FILE}, board", "source", [row.source], sources())
    return table


@cache
def without_product() -> tuple[WithoutProduct, ...]:
    """List the targets without a product, with the reason.

    Raises:
        DataMistake: If a row names a target that is not there.

    """
    table = rows(_FILE, "without_product", WithoutProduct)
    for row in table:
        check_known(f"data/{_FILE}, without_product", "targets", row.targets, targets())
    return table
