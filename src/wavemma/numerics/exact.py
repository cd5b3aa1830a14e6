"""The exact step: the accumulator and a few products are added exactly and rounded once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from wavemma.engines.engine import Engine, Lane
from wavemma.engines.fused import add_to_odd
from wavemma.formats.decode import decode_lanes
from wavemma.formats.format import Format
from wavemma.numerics.parameters import FACTOR_PRECISION, check_formats, parameters
from wavemma.numerics.path import Extents, Lanes, Path, Setting
from wavemma.numerics.powers import total
from wavemma.numerics.special import special_sum
from wavemma.tables.models import ModelRow

V = TypeVar("V")
_F64_PRECISION = 53
_PAIR_BITS = 100
_F32_HIGHEST = 127


@dataclass(frozen=True)
class Exact(Path):
    """The step in f64, with as many f64 as it takes to hold a sum.

    Args:
        setting: Formats and options.
        length: Products of a step.
        nan: f32 bits for any NaN.

    """

    setting: Setting
    length: int
    nan: int
    operand: tuple[Lane, ...] = (Lane.F64,)
    state: tuple[Lane, ...] = (Lane.F32,)
    rows: int = 2
    vectors: int = 1

    def prepare(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Give the value."""
        return (decode_lanes(e, form, code),)

    def begin(self, e: Engine[V], code: V) -> Lanes[V]:
        """Read C as f32."""
        return (e.bitcast(code, Lane.F32),)

    def finish(self, e: Engine[V], state: Lanes[V]) -> V:
        """Give the bits of f32, one pattern for all NaN."""
        bits = e.bitcast(state[0], Lane.I32)
        return e.select(e.is_nan(state[0]), e.constant(Lane.I32, self.nan), bits)

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add the products of one step."""
        c = e.convert(state[0], Lane.F64)
        products = [e.mul(x[0], y[0]) for x, y in zip(a, b, strict=True)]
        finite = e.convert(exact_sum(e, [c, *products]), Lane.F32)
        is_special, value = special_sum(e, products, c, float("inf"))
        return (e.select(is_special, value, finite),)


@dataclass(frozen=True)
class SpannedExact(Exact):
    """The step for finite inputs whose sums fit f64 exactly."""

    def covers(self, extents: Extents) -> bool:
        """Tell whether every bit of every term and of their sum lies inside one f64."""
        return extents.finite and extents.high - lowest_bit(self.setting, extents) <= _F64_PRECISION

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add the products of one step."""
        c = e.convert(state[0], Lane.F64)
        products = [e.mul(x[0], y[0]) for x, y in zip(a, b, strict=True)]
        return (e.convert(e.add(total(e, [c, *products]), 0.0), Lane.F32),)


@dataclass(frozen=True)
class PairedExact(Exact):
    """The step for finite inputs whose sums fit two f64 exactly."""

    def covers(self, extents: Extents) -> bool:
        """Tell whether every bit of every term and of their sum lies inside two f64.

        A sum that overflows to an infinity would give a NaN, as an error of it has no value.
        """
        bits = extents.high - lowest_bit(self.setting, extents)
        return extents.finite and bits <= _PAIR_BITS and extents.high <= _F32_HIGHEST

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add the products of one step."""
        high = e.convert(state[0], Lane.F64)
        low = None
        for x, y in zip(a, b, strict=True):
            high, error = e.two_sum(high, e.mul(x[0], y[0]))
            low = error if low is None else e.add(low, error)
        exact = high if low is None else add_to_odd(e, high, low)
        return (e.convert(e.add(exact, 0.0), Lane.F32),)


def lowest_bit(setting: Setting, extents: Extents) -> int:
    """Give the exponent of the least bit that a term, or a rounded sum of them, can have."""
    products = 0
    for form, known in ((setting.a, extents.a), (setting.b, extents.b)):
        least = form.min_exponent - form.fraction
        products += max(known.low + 1 - form.precision, least)
    return min(products, extents.c.low + 1 - setting.c.precision)


def exact_sum(e: Engine[V], terms: Sequence[V]) -> V:
    """Add f64 terms of at most 24 bits so that rounding to f32 rounds the exact sum.

    Terms are taken by falling size into three f64. What three cannot hold lies below a gap of
    more than 50 bits, where nothing can cancel any more and only its sign counts; rounding to
    odd keeps that. A sum of zero is +0.
    """
    high, *rest = _falling(e, terms)
    middle = low = e.constant(Lane.F64, 0.0)
    for term in rest:
        high, error = e.two_sum(high, term)
        middle, error = e.two_sum(middle, error)
        low = add_to_odd(e, low, error)
    high, middle = e.two_sum(high, middle)
    return e.add(add_to_odd(e, high, add_to_odd(e, middle, low)), 0.0)


def _falling(e: Engine[V], terms: Sequence[V]) -> list[V]:
    """Sort terms by falling size."""
    ordered = list(terms)
    for last in range(len(ordered) - 1, 0, -1):
        for place in range(last):
            first, second = ordered[place], ordered[place + 1]
            swap = e.lt(e.abs(first), e.abs(second))
            ordered[place] = e.select(swap, second, first)
            ordered[place + 1] = e.select(swap, first, second)
    return ordered


class _Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    length: int
    nan: int


def exact_paths(row: ModelRow, setting: Setting) -> tuple[Path, ...]:
    """Build the rule "exact": products of a step, and the bits of NaN."""
    given = parameters(row, _Parameters)
    check_formats(row, setting, ["f32"], precision=FACTOR_PRECISION)
    whole = Exact(setting, given.length, given.nan)
    spanned = SpannedExact(setting, given.length, given.nan)
    return spanned, PairedExact(setting, given.length, given.nan), whole
