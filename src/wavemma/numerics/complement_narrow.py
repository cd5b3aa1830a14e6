"""The complement step in f32 and i32, for finite inputs within bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.numerics.narrow import F32_BIAS, F32_EXPONENT, F32_SIGN, F32_SIZE, Narrow, inverse
from wavemma.numerics.path import Lanes
from wavemma.numerics.powers import largest, total
from wavemma.numerics.results import F32_FRACTION

V = TypeVar("V")
PRODUCT_BITS = 24
ACCUMULATOR_BITS = 26


@dataclass(frozen=True)
class NarrowComplement(Narrow):
    """The step of `complement.Complement`."""

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add two products."""
        (c,) = state
        powers = [e.bitcast(e.mul(x[1], y[1]), Lane.I32) for x, y in zip(a, b, strict=True)]
        bits = e.bitcast(c, Lane.I32)
        top = e.max(largest(e, powers), e.and_(bits, F32_SIZE))
        lead = top
        if self.is_short:
            lead = e.max(top, (F32_BIAS + self.setting.d.min_exponent) << F32_FRACTION)
        # Exponents subtract with the sign on top, which passes through as it is.
        signed = e.or_(e.and_(lead, F32_EXPONENT), e.and_(bits, F32_SIGN))
        frame = inverse(e, ACCUMULATOR_BITS, signed)
        grid = inverse(e, 0, e.bitcast(frame, Lane.I32))
        terms = [e.convert(e.mul(c, frame), Lane.I32)]
        for x, y in zip(a, b, strict=True):
            unit = e.mul(e.mul(x[0], y[0]), frame)
            terms.append(e.convert(unit, Lane.I32))
            terms.append(e.ashr(e.bitcast(unit, Lane.I32), 31))
        units = e.select(e.eq(top, 0), e.constant(Lane.I32, 0), total(e, terms))
        return (self.from_units(e, units, grid),)
