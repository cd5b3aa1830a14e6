"""The complement step in f32 and i32, for finite inputs within bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.numerics.narrow import F32_EXPONENT, F32_SIGN, Narrow, inverse
from wavemma.numerics.path import Lanes
from wavemma.numerics.powers import largest, total

V = TypeVar("V")
PRODUCT_BITS = 24
ACCUMULATOR_BITS = 26


@dataclass(frozen=True)
class NarrowComplement(Narrow):
    """The step of `complement.Complement`."""

    vectors: int = 2

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add two products."""
        (c,) = state
        powers = [e.mul(x[1], y[1]) for x, y in zip(a, b, strict=True)]
        reach = e.larger_size(c, largest(e, powers))
        lead = reach
        if self.is_short:
            lead = e.larger_size(reach, e.constant(Lane.F32, self.setting.d.min_normal))
        # Exponents subtract with the sign on top, which passes through as it is.
        signed = e.and_(e.bitcast(lead, Lane.I32), F32_SIGN | F32_EXPONENT)
        frame = inverse(e, ACCUMULATOR_BITS, signed)
        grid = inverse(e, 0, e.bitcast(frame, Lane.I32))
        terms = [e.convert(e.mul(c, frame), Lane.I32)]
        for x, y in zip(a, b, strict=True):
            unit = e.mul(e.mul(x[0], y[0]), frame)
            terms.append(e.convert(unit, Lane.I32))
            terms.append(e.ashr(e.bitcast(unit, Lane.I32), 31))
        units = e.select(e.eq(reach, 0.0), e.constant(Lane.I32, 0), total(e, terms))
        return (self.from_units(e, units, grid),)
