"""What the fast paths share: finite numbers in f32, aligned units in i32.

An accumulator of a format with a short range is kept as an f32 number of that format. One that
has overflowed is kept as 2^60 with its sign: no product reaches its last bit, so it stays, as an
infinity would.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.formats.format import Format
from wavemma.formats.rounding import narrow_bits, widen_bits
from wavemma.numerics.path import Extents, Lanes, Path, Setting
from wavemma.numerics.results import F32_FRACTION, cut_bits, has_short_range

V = TypeVar("V")
F32_SIGN = 0x80000000
F32_SIZE = 0x7FFFFFFF
F32_EXPONENT = 0x7F800000
F32_BIAS = 127
_F32_PRECISION = 24
# Exponents of A and B, with what they are moved by, must each fit a byte.
_HIGHEST_FACTOR = 63
_NO_FACTOR = 255
_HALF = "f16"
_BEYOND = 2.0**60
_BEYOND_PRODUCTS = 33
# Units have at most 30 bits; what is below the last 24 of them becomes one sticky bit.
_STICKY = 64


@dataclass(frozen=True)
class Narrow(Path):
    """A step for finite inputs within f32's range, in f32 and i32.

    Args:
        setting: Formats and options.
        flush_inputs: Subnormal factors are read as zeros of their sign.
        length: Products of a step.
        lowest: Least exponent that alignments, and numbers that matter, may have.
        highest: Exponent that no product and no sum may reach.
        moved: Exponents that alignments use for products are this much more than theirs.

    """

    setting: Setting
    flush_inputs: bool
    length: int
    lowest: int = -96
    highest: int = 120
    moved: int = 2
    operand: tuple[Lane, ...] = (Lane.F32, Lane.I32)
    state: tuple[Lane, ...] = (Lane.F32,)

    @property
    def is_short(self) -> bool:
        """True if results have a short range, so that sums may overflow on the way."""
        return has_short_range(self.setting.d)

    def covers(self, extents: Extents) -> bool:
        """Tell whether no exponent leaves the range that f32 arithmetic needs here."""
        products = extents.a.high + extents.b.high + 2
        least = extents.a.low + extents.b.low
        # A product must not vanish when it is scaled to the largest one.
        inside = products - least <= self.highest
        inside = inside and max(extents.a.high, extents.b.high) <= _HIGHEST_FACTOR
        if self.is_short:
            inside = inside and products <= _BEYOND_PRODUCTS
        else:
            inside = inside and extents.high < self.highest
        low = min(least - _F32_PRECISION, extents.c.low)
        return extents.finite and inside and low >= self.lowest

    def prepare(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Give the value, and in each byte what the exponent lacks to the highest one."""
        exponent, nothing = self._exponent(e, form, code)
        byte = e.sub(e.constant(Lane.I16, F32_BIAS + _HIGHEST_FACTOR), exponent)
        byte = e.select(nothing, e.constant(Lane.I16, _NO_FACTOR), byte)
        return self._value(e, form, code), e.twice(e.or_(byte, e.shl(byte, 8)))

    def prepare_left(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Give the value and the exponent; less what B's lacks, that is a product's in f32."""
        exponent, nothing = self._exponent(e, form, code)
        byte = e.add(exponent, self.moved + _HIGHEST_FACTOR)
        byte = e.select(nothing, e.constant(Lane.I16, 0), byte)
        return self._value(e, form, code), e.convert(byte, Lane.I32)

    def _value(self, e: Engine[V], form: Format, code: V) -> V:
        """Give the value as f32."""
        word = e.convert(code, Lane.I32)
        if form.name == _HALF:
            value = e.half_to_f32(word)
        else:
            value = e.bitcast(widen_bits(e, form, word), Lane.F32)
        if self.flush_inputs:
            value = e.select(e.lt(e.abs(value), form.min_normal), e.mul(value, 0.0), value)
        return value

    def _exponent(self, e: Engine[V], form: Format, code: V) -> tuple[V, V]:
        """Give the exponent as f32 has it, and which numbers are zeros.

        The exponents, of a subnormal the least normal one, are I16 lanes, more of which fit into
        a machine vector; they lie in the upper half of what has more bits.
        """
        half = form.bits // 2 if form.bits > Lane.I16.bits else 0
        upper = e.convert(e.lshr(code, half) if half else code, Lane.I16)
        place = form.fraction - half
        field = e.lshr(e.and_(upper, (1 << (place + form.exponent)) - (1 << place)), place)
        if self.flush_inputs:
            nothing = e.eq(field, 0)
        elif half:
            nothing = e.eq(e.and_(code, form.sign_bit - (1 << form.ignored)), 0)
        else:
            nothing = e.eq(e.and_(upper, form.sign_bit - 1), 0)
        least = form.min_exponent + form.bias
        return e.add(e.max(field, least), F32_BIAS - form.bias), nothing

    @property
    def left(self) -> tuple[Lane, ...]:
        """Lane types of a prepared element of A."""
        return self.operand[0], Lane.I8

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add the products of one step."""
        return self.steps(e, [a], b, [state])[0]

    def steps(
        self,
        e: Engine[V],
        rows: Sequence[Sequence[Lanes[V]]],
        b: Sequence[Lanes[V]],
        states: Sequence[Lanes[V]],
    ) -> list[Lanes[V]]:
        """Add the products of one step of up to four rows, whose exponents lie in one i32."""
        exponents = [e.sub_bytes(x[1], y[1]) for x, y in zip(rows[0], b, strict=True)]
        largest = self.largest(e, exponents)
        results: list[Lanes[V]] = []
        for row, (a, state) in enumerate(zip(rows, states, strict=True)):
            tops = [_in_place(e, each, row) for each in largest]
            factors = [(x[0], y[0]) for x, y in zip(a, b, strict=True)]
            results.append((self.added(e, factors, state[0], tops),))
        return results

    @abstractmethod
    def largest(self, e: Engine[V], exponents: Sequence[V]) -> list[V]:
        """Give the largest exponents that a step needs, four rows in one i32.

        Args:
            e: The engine.
            exponents: Of each product, as bytes; 0 where a product is zero.

        """

    @abstractmethod
    def added(self, e: Engine[V], factors: Sequence[tuple[V, V]], c: V, tops: Sequence[V]) -> V:
        """Add the products of one row to its accumulator.

        Args:
            e: The engine.
            factors: Values of A and B.
            c: The accumulator.
            tops: What `largest` gave, as exponents of f32, I32 lanes. The sign, and what lies
                below the exponent, are of other rows.

        """

    def begin(self, e: Engine[V], code: V) -> Lanes[V]:
        """Widen C to f32; an infinity has come from a sum of an instruction before."""
        value = e.bitcast(widen_bits(e, self.setting.c, code), Lane.F32)
        if self.is_short:
            value = self._overflown(e, value, _BEYOND)
        return (value,)

    def finish(self, e: Engine[V], state: Lanes[V]) -> V:
        """Narrow a number that is in D's format already."""
        bits = e.bitcast(state[0], Lane.I32)
        if self.is_short:
            over = e.lt(e.constant(Lane.F32, self.setting.d.max_value), e.abs(state[0]))
            infinity = e.or_(e.and_(bits, F32_SIGN), F32_EXPONENT)
            bits = e.select(over, infinity, bits)
        return narrow_bits(e, self.setting.d, bits)

    def from_units(self, e: Engine[V], units: V, grid: V) -> V:
        """Round units of a grid to D's format.

        Args:
            e: The engine.
            units: I32 lanes of at most 30 bits and a sign.
            grid: A power of two with or without a sign, F32 lanes.

        Returns:
            F32 lanes; +0 where no units are.

        """
        if self.is_short:
            return self._from_units_short(e, units, grid)
        # The sum with +0 turns the -0 of no units into +0, and costs nothing.
        value = e.fma(e.convert(units, Lane.F32), grid, e.constant(Lane.F32, 0.0))
        if self.setting.d.bits == Lane.F32.bits:
            return value
        return e.bitcast(cut_bits(e, self.setting.d, e.bitcast(value, Lane.I32)), Lane.F32)

    def _from_units_short(self, e: Engine[V], units: V, grid: V) -> V:
        form = self.setting.d
        low = e.and_(units, _STICKY - 1)
        limit = 1 << _F32_PRECISION
        long = e.unsigned_lt(e.constant(Lane.I32, 2 * limit), e.add(units, limit))
        sticky = e.or_(e.and_(units, -_STICKY), _STICKY)
        kept = e.select(e.and_(long, e.not_(e.eq(low, 0))), sticky, units)
        value = e.mul(e.convert(kept, Lane.F32), grid)
        lead = e.bitcast(e.and_(e.bitcast(value, Lane.I32), F32_EXPONENT), Lane.F32)
        spread = 1.5 * 2.0**F32_FRACTION
        shift = e.max(
            e.mul(lead, spread * 2.0 ** (1 - form.precision)), spread * form.min_subnormal
        )
        value = e.sub(e.add(value, shift), shift)
        beyond = form.max_value if self.setting.keep_finite else _BEYOND
        return self._overflown(e, value, beyond)

    def _overflown(self, e: Engine[V], value: V, beyond: float) -> V:
        """Replace what is larger than D's largest number."""
        over, limit = e.constant(Lane.F32, beyond), self.setting.d.max_value
        value = e.select(e.lt(e.constant(Lane.F32, limit), value), over, value)
        return e.select(e.lt(value, -limit), e.neg(over), value)


def largest_bytes(e: Engine[V], values: Sequence[V]) -> V:
    """Give the largest of several values, byte by byte."""
    best = values[0]
    for value in values[1:]:
        best = e.max_bytes(best, value)
    return best


def _in_place(e: Engine[V], word: V, row: int) -> V:
    """Move the byte of a row to where f32 has its exponent."""
    up = F32_FRACTION - 8 * row
    return e.shl(word, up) if up >= 0 else e.lshr(word, -up)


def inverse(e: Engine[V], exponent: int, top: V, below: int = 0) -> V:
    """Give 2^exponent divided by powers of two, from their f32 bits; some finite number for 0.

    Args:
        e: The engine.
        exponent: The exponent.
        top: The bits, I32 lanes.
        below: What they hold besides the exponent.

    """
    bits = ((2 * F32_BIAS + exponent) << F32_FRACTION) + below
    return e.bitcast(e.sub(e.constant(Lane.I32, bits), top), Lane.F32)
