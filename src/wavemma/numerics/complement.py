"""The complement step: terms are cut to a grid in the frame of the accumulator's sign.

A term with the frame's sign is truncated; one against it becomes the one's complement of its
truncated size, so it costs one unit more, and a zero against the frame costs a unit too. The
grid follows the largest of the products' exponents and the leading bit of the accumulator.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from wavemma.engines.engine import Engine, Lane
from wavemma.formats.format import Format
from wavemma.formats.rounding import narrow_bits, widen_bits
from wavemma.numerics.parameters import parameters
from wavemma.numerics.path import Extents, Lanes, Path, Setting
from wavemma.numerics.powers import (
    inverse_power,
    is_negative,
    largest,
    leading_power,
    total,
    value_and_power,
    with_sign,
)
from wavemma.numerics.results import F32_FRACTION, cut_bits, has_short_range, round_short
from wavemma.numerics.special import NanBits, made_nans, special_step
from wavemma.tables.models import ModelRow

V = TypeVar("V")
_F32_SIGN = 0x80000000
_F32_SIZE = 0x7FFFFFFF
_F32_EXPONENT = 0x7F800000
_PRODUCT_BITS = 24
_ACCUMULATOR_BITS = 26
# The fast path works in f32 and keeps every exponent, grids included, inside f32's normal range.
_NARROW_LOWEST = -100
_NARROW_HIGHEST = 126


@dataclass(frozen=True)
class Complement(Path):
    """The step for every input, in f64."""

    setting: Setting
    flush_inputs: bool
    nans: NanBits
    length: int = 2
    operand: tuple[Lane, ...] = (Lane.F64, Lane.F64)
    state: tuple[Lane, ...] = (Lane.I32,)
    rows: int = 2
    vectors: int = 2

    def prepare(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Give value and power."""
        return value_and_power(e, form, code, flush=self.flush_inputs)

    def begin(self, e: Engine[V], code: V) -> Lanes[V]:
        """Widen C to f32 bits."""
        return (widen_bits(e, self.setting.c, code),)

    def finish(self, e: Engine[V], state: Lanes[V]) -> V:
        """Narrow f32 bits that are in D's format already."""
        return narrow_bits(e, self.setting.d, state[0])

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add two products."""
        (bits,) = state
        products = [e.mul(x[0], y[0]) for x, y in zip(a, b, strict=True)]
        powers = [e.mul(x[1], y[1]) for x, y in zip(a, b, strict=True)]
        finite = self._finite(e, products, largest(e, powers), bits)
        factors = [x[0] for x in (*a, *b)]
        is_special, special = special_step(e, self.nans, factors, products, bits)
        special = cut_bits(e, self.setting.d, special)
        return (e.select(is_special, special, finite),)

    def _finite(self, e: Engine[V], products: Sequence[V], power: V, bits: V) -> V:
        c = e.convert(e.bitcast(bits, Lane.F32), Lane.F64)
        size = e.abs(c)
        size = e.select(e.lt(size, 2.0**-126), e.constant(Lane.F64, 0.0), size)
        lead = leading_power(e, size)
        if has_short_range(self.setting.d):
            lead = e.max(lead, self.setting.d.min_normal)
        grid = e.max(e.mul(power, 2.0**-_PRODUCT_BITS), e.mul(lead, 2.0**-_ACCUMULATOR_BITS))
        frame = with_sign(e, inverse_power(e, grid), c)
        terms = [e.trunc(e.mul(size, inverse_power(e, grid)))]
        for product in products:
            unit = e.mul(product, frame)
            cost = e.select(is_negative(e, unit), e.constant(Lane.F64, 1.0), 0.0)
            terms.append(e.sub(e.trunc(unit), cost))
        result = self._round(e, total(e, terms), with_sign(e, grid, c))
        nothing = e.eq(e.max(power, size), 0.0)
        return e.select(nothing, e.constant(Lane.I32, 0), result)

    def _round(self, e: Engine[V], units: V, grid: V) -> V:
        """Turn a sum in units of the signed grid into f32 bits of a number of D's format."""
        form = self.setting.d
        zero = e.constant(Lane.F64, 0.0)
        if has_short_range(form):
            value = e.mul(units, grid)
            return round_short(e, form, value, keep_finite=self.setting.keep_finite)
        rounded = e.convert(e.convert(units, Lane.F32), Lane.F64)
        value = e.mul(rounded, grid)
        value = e.select(e.lt(e.abs(value), 2.0**-126), zero, value)
        bits = e.bitcast(e.convert(value, Lane.F32), Lane.I32)
        return cut_bits(e, form, bits)


@dataclass(frozen=True)
class NarrowComplement(Path):
    """The step for finite inputs within f32's range and results in f32 or bf16, in f32."""

    setting: Setting
    flush_inputs: bool
    length: int = 2
    operand: tuple[Lane, ...] = (Lane.F32, Lane.F32)
    state: tuple[Lane, ...] = (Lane.F32,)

    def covers(self, extents: Extents) -> bool:
        """Tell whether no exponent leaves the range that f32 arithmetic needs here."""
        products = extents.a.low + extents.b.low - _PRODUCT_BITS
        low = min(products, extents.c.low) >= _NARROW_LOWEST
        return extents.finite and low and extents.high < _NARROW_HIGHEST

    def prepare(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Give value and power; A's and B's powers together are 4 times the alignment's."""
        value, power = value_and_power(e, form, code, flush=self.flush_inputs)
        return e.convert(value, Lane.F32), e.convert(e.mul(power, 2.0), Lane.F32)

    def begin(self, e: Engine[V], code: V) -> Lanes[V]:
        """Widen C to f32."""
        return (e.bitcast(widen_bits(e, self.setting.c, code), Lane.F32),)

    def finish(self, e: Engine[V], state: Lanes[V]) -> V:
        """Narrow a number that is in D's format already."""
        return narrow_bits(e, self.setting.d, e.bitcast(state[0], Lane.I32))

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add two products."""
        (c,) = state
        powers = [e.bitcast(e.mul(x[1], y[1]), Lane.I32) for x, y in zip(a, b, strict=True)]
        bits = e.bitcast(c, Lane.I32)
        top = e.max(largest(e, powers), e.and_(bits, _F32_SIZE))
        lead = e.and_(e.max(top, (127 + _NARROW_LOWEST) << F32_FRACTION), _F32_EXPONENT)
        sign = e.and_(bits, _F32_SIGN)
        inverse = e.sub(e.constant(Lane.I32, (2 * 127 + _ACCUMULATOR_BITS) << F32_FRACTION), lead)
        frame = e.bitcast(e.or_(inverse, sign), Lane.F32)
        terms = [e.convert(e.mul(c, frame), Lane.I32)]
        for x, y in zip(a, b, strict=True):
            unit = e.mul(e.mul(x[0], y[0]), frame)
            terms.append(e.convert(unit, Lane.I32))
            terms.append(e.ashr(e.bitcast(unit, Lane.I32), 31))
        units = e.select(e.eq(top, 0), e.constant(Lane.I32, 0), total(e, terms))
        grid = e.or_(e.sub(lead, _ACCUMULATOR_BITS << F32_FRACTION), sign)
        value = e.mul(e.convert(units, Lane.F32), e.bitcast(grid, Lane.F32))
        value = e.select(e.eq(units, 0), e.constant(Lane.F32, 0.0), value)
        if self.setting.d.bits < Lane.F32.bits:
            value = e.bitcast(cut_bits(e, self.setting.d, e.bitcast(value, Lane.I32)), Lane.F32)
        return (value,)


class _Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    flush_inputs: bool
    invalid: int
    factor: dict[str, int]


def complement_paths(row: ModelRow, setting: Setting) -> tuple[Path, ...]:
    """Build the rule "complement": `flush_inputs`, and the bits of made NaNs."""
    given = parameters(row, _Parameters)
    nans = made_nans(given.factor, given.invalid, setting.d)
    whole = Complement(setting, given.flush_inputs, nans)
    if has_short_range(setting.d):
        return (whole,)
    return NarrowComplement(setting, given.flush_inputs), whole
