"""Peak rates: the best instruction of a type times units times clock, beside what was published."""

from fractions import Fraction
from functools import cache
from itertools import product as pairs
from typing import Literal

import msgspec

from wavemma.errors import OutOfRange, Unsupported
from wavemma.isa.catalog import instructions
from wavemma.isa.instruction import Instruction
from wavemma.tables.keys import Grade
from wavemma.tables.products import ProductConflict, ProductRow, conflicts, product
from wavemma.tables.rates import PublishedPeak, published_peaks, rate_type, rate_types
from wavemma.tables.targets import target
from wavemma.throughput.cost import Cost, cost

MOST_MHZ = 1_000_000
MOST_UNITS = 1_000_000
Agreement = Literal["equal after rounding", "equal within the last digit", "mismatch"]


class Comparison(msgspec.Struct, frozen=True):
    """A published peak beside the computed one.

    Attributes:
        published: The published figure.
        ratio: Published divided by computed.
        agreement: Whether the computed figure gives the published digits; "within the last digit"
            is what cutting digits off, or doubling a rounded figure, leaves.
        clock_from: Published type from which the clock was computed; empty: independent.
        circular: Whether this very figure gave the clock.

    """

    published: PublishedPeak
    ratio: float
    agreement: Agreement
    clock_from: str
    circular: bool


class Peak(msgspec.Struct, frozen=True):
    """A peak matrix rate and the pieces of its formula.

    tera = units * ops_per_cu_per_cycle * clock_mhz / 1e6.

    Attributes:
        product: Name of the product; empty for a target with a clock.
        target: Name of the target.
        type: Published type name.
        sparse: Whether 2:4 sparsity is counted as if dense.
        tera: Tera-operations a second; None: cycles or clock are unknown.
        units: Units that work.
        ops_per_cu_per_cycle: Operations of a unit in a cycle; None: unknown.
        clock_mhz: Clock; None: unknown.
        clock_source: Citation of the clock; "given" if it was an argument.
        clock_grade: Evidence of the clock.
        cost: The instruction used and what it costs.
        alternatives: Other instructions of the target that are as fast.
        comparisons: Published peaks of that type, compared at the product's own clock.
        conflicts: What sources disagree on about the product.
        note: What is special about the product.

    """

    product: str
    target: str
    type: str
    sparse: bool
    tera: float | None
    units: int
    ops_per_cu_per_cycle: float | None
    clock_mhz: float | None
    clock_source: str
    clock_grade: Grade
    cost: Cost
    alternatives: tuple[str, ...]
    comparisons: tuple[Comparison, ...]
    conflicts: tuple[ProductConflict, ...]
    note: str


def peak(
    product_name: str,
    type_name: str,
    *,
    sparse: bool = False,
    clock_mhz: float | None = None,
    stepping: str = "",
) -> Peak:
    """Give the peak rate of a product.

    Args:
        product_name: Full name or the end of it, such as "RX 7900 XTX".
        type_name: Published type or format, such as "fp16", "f16" or "int8".
        sparse: Whether to use 2:4 sparse instructions, counted as if dense.
        clock_mhz: Clock to use instead of the product's boost clock.
        stepping: Silicon stepping; empty: the final one.

    Raises:
        UnknownProduct: If no product has that name.
        UnknownName: If no type has that name.
        Unsupported: If the product's target has no instruction of that type.
        OutOfRange: If the clock is not positive, or beyond every chip's.

    """
    row = product(product_name)
    own = _peak(row.target, type_name, sparse, row.units, row.clock_mhz, stepping)
    given = own
    if clock_mhz is not None:
        given = _peak(row.target, type_name, sparse, row.units, clock_mhz, stepping)
    return msgspec.structs.replace(
        given,
        product=row.name,
        clock_source="given" if clock_mhz is not None else row.boost_source,
        clock_grade="unknown" if clock_mhz is not None else row.boost_grade,
        comparisons=_comparisons(row, own),
        conflicts=tuple(entry for entry in conflicts() if row.name in entry.products),
        note=row.note,
    )


def peak_of_target(
    target_name: str,
    type_name: str,
    *,
    units: int,
    clock_mhz: float,
    sparse: bool = False,
    stepping: str = "",
) -> Peak:
    """Give the peak rate of a number of units of a target at a clock; otherwise as `peak`.

    Raises:
        OutOfRange: If units or clock are not positive, or beyond every chip's.

    """
    if not 0 < units <= MOST_UNITS:
        raise OutOfRange(
            f"The number of units must lie within 1..{MOST_UNITS:,}, it is {units}.", subject=units
        )
    where = target(target_name).name
    return _peak(where, type_name, sparse, units, clock_mhz, stepping)


@cache
def rates(target_name: str, stepping: str = "") -> dict[tuple[str, bool], Cost]:
    """Give the fastest instruction of each type of a target, dense (False) and sparse (True).

    A type without an instruction, or without known cycles, is left out.

    Raises:
        UnknownTarget: If no target has that name.

    """
    target_name = target(target_name).name
    found: dict[tuple[str, bool], Cost] = {}
    for name in rate_types():
        for sparse in (False, True):
            costs = _costs(target_name, name, sparse, stepping)
            if costs and costs[0].ops_per_cu_per_cycle is not None:
                found[name, sparse] = costs[0]
    return found


def _peak(
    target_name: str,
    type_name: str,
    sparse: bool,
    units: int,
    clock_mhz: float | None,
    stepping: str,
) -> Peak:
    if clock_mhz is not None and not 0 < clock_mhz <= MOST_MHZ:
        raise OutOfRange(
            f"The clock must be positive and at most {MOST_MHZ:,} MHz, it is {clock_mhz}.",
            subject=clock_mhz,
        )
    kind = rate_type(type_name).name
    costs = _costs(target_name, kind, sparse, stepping)
    if not costs:
        raise _no_instruction(target_name, kind, sparse)
    best = costs[0]
    return Peak(
        product="",
        target=target_name,
        type=kind,
        sparse=sparse,
        tera=_tera(units, best, clock_mhz),
        units=units,
        ops_per_cu_per_cycle=best.ops_per_cu_per_cycle,
        clock_mhz=clock_mhz,
        clock_source="given",
        clock_grade="unknown",
        cost=best,
        alternatives=_alternatives(costs),
        comparisons=(),
        conflicts=(),
        note="",
    )


def _tera(units: int, best: Cost, clock_mhz: float | None) -> float | None:
    if best.ops_per_cu_per_cycle is None or clock_mhz is None:
        return None
    return float(units * Fraction(best.ops_per_cu_per_cycle) * Fraction(clock_mhz) / 10**6)


@cache
def _costs(target_name: str, kind: str, sparse: bool, stepping: str) -> tuple[Cost, ...]:
    """List the costs of a type, the fastest first, equal ones in the order of the table."""
    formats = rate_types()[kind].formats
    found = [
        cost(target_name, one.name, a, b, stepping)
        for one in instructions(target_name, sparse=sparse)
        for a, b in _pairs(one, formats)
    ]
    return tuple(sorted(found, key=lambda one: -(one.ops_per_cu_per_cycle or 0)))


def _pairs(found: Instruction, formats: tuple[str, ...]) -> list[tuple[str, str]]:
    """List the pairs of formats of A and B that an instruction takes and a type allows."""
    both = (found.formats.get("a", ()), found.formats.get("b", ()))
    return [(a, b) for a, b in pairs(*both) if a in formats and b in formats]


def _alternatives(costs: tuple[Cost, ...]) -> tuple[str, ...]:
    """List the names, other than the first, that are as fast as the first."""
    best = costs[0]
    names = [
        one.instruction for one in costs if one.ops_per_cu_per_cycle == best.ops_per_cu_per_cycle
    ]
    return tuple(name for name in dict.fromkeys(names) if name != best.instruction)


def _no_instruction(target_name: str, kind: str, sparse: bool) -> Unsupported:
    have = [name for name in rate_types() if _costs(target_name, name, sparse, "")]
    word = "sparse" if sparse else "dense"
    return Unsupported(
        f"{target_name} has no {word} matrix instruction of type {kind}.",
        subject=kind,
        allowed=have,
        hint="" if have else f"It has no {word} ones at all.",
    )


def _comparisons(row: ProductRow, own: Peak) -> tuple[Comparison, ...]:
    """Compare with the published peaks of that type, if the own clock gives one."""
    if own.tera is None:
        return ()
    return tuple(
        Comparison(
            published=published,
            ratio=published.tera / own.tera,
            agreement=agreement(published, own.tera),
            clock_from=row.clock_from or "",
            circular=row.clock_from == published.type,
        )
        for published in published_peaks().get(row.name, ())
        if (published.type, published.sparse) == (own.type, own.sparse)
    )


def agreement(published: PublishedPeak, computed: float) -> Agreement:
    """Tell whether a computed rate gives the published digits.

    Args:
        published: The published rate and the worth of its last digit.
        computed: Tera-operations a second.

    """
    resolution = Fraction(str(published.resolution))
    distance = abs(Fraction(computed) - Fraction(str(published.tera)))
    if distance <= resolution / 2:
        return "equal after rounding"
    return "equal within the last digit" if distance <= resolution else "mismatch"
