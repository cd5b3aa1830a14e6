"""The peak matrix rate of a product, or of the units of a target, beside what was published."""

from collections.abc import Iterator

import msgspec

from wavemma.errors import OutOfRange, UnknownName, Unsupported
from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.citation import citation, cited, distinct, product_conflicts
from wavemma.explain.peak_types import type_called, types_of_target
from wavemma.explain.speeds import format_pairs
from wavemma.isa.catalog import instruction
from wavemma.tables.keys import Grade, weakest
from wavemma.tables.products import product, products
from wavemma.tables.rates import rate_types
from wavemma.tables.targets import target, targets, units, without_settings
from wavemma.throughput.roofline import Comparison, Peak, peak, peak_of_target

FORMULA_NOTE = (
    "tera-operations a second = units * operations of a unit in a cycle * MHz / 1,000,000;"
    " a multiplication and an addition are two operations, sparse ones count as if dense."
)
BOUND_NOTE = "It is a bound: memory, hazards and the clock under load keep kernels below it."
NO_CLOCK_NOTE = "The clock is unknown, so only operations in a cycle are given; name one with it."
CIRCULAR_NOTE = "The clock of this product was computed from its published {} figure."


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """A published figure beside ours.

    Attributes:
        tera: Tera-operations a second as published.
        ratio: Published divided by ours, both at the product's own clock.
        agreement: Whether ours gives the published digits.
        circular: Whether our clock was computed from this very figure.
        reason: Why the two differ, where that is known.
        source: Key of the citation.
        document: The citation in words.
        grade: Grade of the figure.

    """

    tera: float
    ratio: float
    agreement: str
    circular: bool
    reason: str
    source: str
    document: str
    grade: Grade


class TypePeak(msgspec.Struct, frozen=True, kw_only=True):
    """The peak of one type.

    Attributes:
        type: Published type name.
        formats: Formats of A and B that it stands for.
        sparse: Whether 2:4 sparsity is used, counted as if dense.
        tera: Tera-operations a second; None: cycles or clock are unknown.
        ops_per_cu_per_cycle: Operations of a unit in a cycle; None: unknown.
        instruction: The fastest instruction of the type.
        a: Format of its A.
        b: Format of its B.
        several: Whether it takes other formats too.
        ops: Operations of the instruction.
        cycles: Cycles that one SIMD is busy with it; None: unknown.
        cycles_grade: Grade of the cycles.
        grade: Grade of the rate: the weakest of cycles, units and clock.
        alternatives: Other instructions that are as fast.
        published: Published figures of the type.

    """

    type: str
    formats: tuple[str, ...]
    sparse: bool
    tera: float | None
    ops_per_cu_per_cycle: float | None
    instruction: str
    a: str
    b: str
    several: bool
    ops: int
    cycles: int | None
    cycles_grade: Grade
    grade: Grade
    alternatives: tuple[str, ...]
    published: tuple[Published, ...]


class PeakFacts(Answer, frozen=True, kw_only=True, tag=True):
    """Peak matrix rates.

    Attributes:
        product: Name of the product; empty for the units of a target.
        target: Name of the target.
        unit: Word for a unit, CU or WGP.
        units: Units that work.
        simds_per_unit: SIMDs that work at once in a unit.
        clock_mhz: Clock; None: unknown.
        clock_given: Whether the clock was asked for; otherwise it is the product's own.
        peaks: One row a type, dense ones and sparse ones.
        products: Products of the target, where none was named.

    """

    product: str
    target: str
    unit: str
    units: int
    simds_per_unit: int
    clock_mhz: float | None
    clock_given: bool
    peaks: tuple[TypePeak, ...]
    products: tuple[str, ...]


def explain_peak(
    name: str,
    *,
    type: str | None = None,
    sparse: bool | None = None,
    clock_mhz: float | None = None,
    units_count: int | None = None,
    stepping: str = "",
) -> PeakFacts:
    """Say how fast a product, or a number of units of a target, can multiply matrices.

    Args:
        name: A product, such as "RX 7900 XTX", or a target, such as "gfx942".
        type: Published type or format, such as "f16"; all types if None.
        sparse: Only with or only without 2:4 sparsity; both if None and `type` is None, else dense.
        clock_mhz: Clock instead of the product's own.
        units_count: Units of a target, 1 if None; a product has its own.
        stepping: Silicon stepping; empty: the final one.

    Raises:
        UnknownName: No product and no target has the name, or no type has it.
        Unsupported: There is no instruction of the type, or units are given for a product.
        OutOfRange: Clock or units are not positive.

    """
    if units_count is not None and units_count <= 0:
        raise OutOfRange(
            f"The number of units must be positive; it is {units_count}.", subject=units_count
        )
    bare = without_settings(name.lower())
    is_target = bare in targets()
    if units_count is not None and not is_target:
        raise Unsupported(
            f"Units can be chosen of a target only; {_product(name)} has its own number.",
            subject=units_count,
            hint=f"wavemma peak {target_of(name)} --units {units_count}",
        )
    found = tuple(
        _of_target(bare, kind, each, units_count or 1, clock_mhz, stepping)
        if is_target
        else peak(_product(name), kind, sparse=each, clock_mhz=clock_mhz, stepping=stepping)
        for kind, each in _wanted(name, type, sparse)
    )
    return _answer(found, is_target, clock_mhz)


def target_of(name: str) -> str:
    """Give the target of a product, or the target itself, in any case.

    Raises:
        UnknownName: Neither a product nor a target has the name.

    """
    bare = without_settings(name.lower())
    return bare if bare in targets() else product(_product(name)).target


def _product(name: str) -> str:
    """Find a product; a name that looks like neither offers both."""
    try:
        return product(name).name
    except UnknownName as error:
        if set(error.allowed) <= set(products()):
            raise
        raise UnknownName(
            f"{name!r} must name a product or a target.",
            subject=name.lower(),
            allowed=(*(each for each in error.allowed if isinstance(each, str)), *targets()),
            hint="All: wavemma list products; wavemma list targets",
        ) from None


def _wanted(name: str, type: str | None, sparse: bool | None) -> Iterator[tuple[str, bool]]:
    """List the types to give, dense and sparse; without a type only those that there are."""
    if type is not None:
        yield type_called(type, target_of(name)), bool(sparse)
        return
    for each in (False, True) if sparse is None else (sparse,):
        yield from ((kind, each) for kind in types_of_target(target_of(name), sparse=each))


def _of_target(
    name: str, kind: str, sparse: bool, count: int, clock_mhz: float | None, stepping: str
) -> Peak:
    found = peak_of_target(
        name,
        kind,
        units=count,
        clock_mhz=1.0 if clock_mhz is None else clock_mhz,
        sparse=sparse,
        stepping=stepping,
    )
    if clock_mhz is not None:
        return found
    return msgspec.structs.replace(found, tera=None, clock_mhz=None)


def _answer(found: tuple[Peak, ...], is_target: bool, clock_mhz: float | None) -> PeakFacts:
    first = found[0]
    unit = units()[target(first.target).unit]
    notes = [FORMULA_NOTE, BOUND_NOTE]
    if first.clock_mhz is None:
        notes.append(NO_CLOCK_NOTE)
    circular = [c.published.type for each in found for c in each.comparisons if c.circular]
    notes += [CIRCULAR_NOTE.format(kind) for kind in dict.fromkeys(circular)]
    if first.note:
        notes.append(f"Of the product: {first.note}.")
    return PeakFacts(
        product=first.product,
        target=first.target,
        unit=unit.title,
        units=first.units,
        simds_per_unit=unit.simds,
        clock_mhz=first.clock_mhz,
        clock_given=clock_mhz is not None,
        peaks=tuple(_type_peak(each) for each in found),
        products=_products(first.target) if is_target else (),
        evidence=distinct(evidence for each in found for evidence in _evidence(each)),
        conflicts=product_conflicts(first.conflicts),
        notes=tuple(notes),
    )


def _type_peak(found: Peak) -> TypePeak:
    return TypePeak(
        type=found.type,
        formats=rate_types()[found.type].formats,
        sparse=found.sparse,
        tera=found.tera,
        ops_per_cu_per_cycle=found.ops_per_cu_per_cycle,
        instruction=found.cost.instruction,
        a=found.cost.a,
        b=found.cost.b,
        several=len(format_pairs(instruction(found.cost.instruction, found.target))) > 1,
        ops=found.cost.ops,
        cycles=found.cost.cycles,
        cycles_grade=found.cost.grade,
        grade=_grade(found),
        alternatives=found.alternatives,
        published=tuple(_published(each) for each in found.comparisons),
    )


def _grade(found: Peak) -> Grade:
    """Grade a rate; a clock that was given is the caller's own."""
    rests_on = [found.cost.grade]
    if found.product:
        rests_on.append(product(found.product).grade)
    if found.clock_source != "given":
        rests_on.append(found.clock_grade)
    return weakest(*rests_on)


def _published(found: Comparison) -> Published:
    return Published(
        tera=found.published.tera,
        ratio=found.ratio,
        agreement=found.agreement,
        circular=found.circular,
        reason=found.published.reason,
        source=found.published.source,
        document=citation(found.published.source),
        grade=found.published.grade,
    )


def _evidence(found: Peak) -> Iterator[Evidence]:
    yield cited("cycles", found.cost.source, found.cost.grade)
    if found.product:
        row = product(found.product)
        yield cited("units", row.source, row.grade)
    if found.clock_source != "given":
        yield cited("clock", found.clock_source, found.clock_grade)
    for each in found.comparisons:
        yield cited("published figures", each.published.source, each.published.grade)


def _products(name: str) -> tuple[str, ...]:
    return tuple(row.name for row in products().values() if row.target == name)
