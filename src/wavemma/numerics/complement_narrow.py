"""The complement step in f32 and i32, for finite inputs within bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.numerics.narrow import F32_EXPONENT, F32_SIGN, Narrow, inverse, largest_bytes
from wavemma.numerics.powers import total

V = TypeVar("V")
PRODUCT_BITS = 24
ACCUMULATOR_BITS = 26


@dataclass(frozen=True)
class NarrowComplement(Narrow):
    """The step of `complement.Complement`."""

    vectors: int = 2

    def largest(self, e: Engine[V], exponents: Sequence[V]) -> list[V]:
        """Give the largest exponent of both products."""
        return [largest_bytes(e, exponents)]

    def added(self, e: Engine[V], factors: Sequence[tuple[V, V]], c: V, tops: Sequence[V]) -> V:
        """Add two products."""
        lead = e.larger_size(c, e.bitcast(tops[0], Lane.F32))
        nothing = None
        if self.is_short:
            # Where there is neither a product nor an accumulator, bits of other rows are left.
            nothing = e.eq(e.and_(e.bitcast(lead, Lane.I32), F32_EXPONENT), 0)
            lead = e.larger_size(lead, e.constant(Lane.F32, self.setting.d.min_normal))
        # Exponents subtract with the sign on top, which passes through as it is.
        signed = e.and_(e.bitcast(lead, Lane.I32), F32_SIGN | F32_EXPONENT)
        frame = inverse(e, ACCUMULATOR_BITS, signed)
        own = e.convert(e.mul(c, frame), Lane.I32)
        units = self.units(e, factors, own, signed, frame)
        if nothing is not None:
            units = e.select(nothing, e.constant(Lane.I32, 0), units)
        # Of nothing the grid is a zero, which makes a zero of what zeros against the frame cost.
        grid = e.mul(e.bitcast(signed, Lane.F32), 2.0**-ACCUMULATOR_BITS)
        return self.from_units(e, units, grid)

    def units(self, e: Engine[V], factors: Sequence[tuple[V, V]], own: V, signed: V, frame: V) -> V:
        """Give the sum in the frame of the accumulator's sign.

        Args:
            e: The engine.
            factors: Values of A and B.
            own: Units of the accumulator.
            signed: 2^26 units with the accumulator's sign, as f32 bits.
            frame: What turns products into units of that sign.

        """
        terms = [own]
        for x, y in factors:
            unit = e.mul(e.mul(x, y), frame)
            terms.append(e.convert(unit, Lane.I32))
            terms.append(e.ashr(e.bitcast(unit, Lane.I32), 31))
        return total(e, terms)
