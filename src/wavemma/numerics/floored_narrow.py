"""The grouped floor step in f32 and i32, for finite inputs within bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.numerics.narrow import F32_BIAS, F32_EXPONENT, Narrow, inverse, largest_bytes
from wavemma.numerics.powers import largest, total
from wavemma.numerics.results import F32_FRACTION

V = TypeVar("V")
PRODUCT_BITS = 24
ACCUMULATOR_BITS = 26
F32_MINUS_ONE = 0xBF800000


def in_groups(values: Sequence[V], size: int) -> list[Sequence[V]]:
    """Cut a sequence into runs of one size."""
    return [values[first : first + size] for first in range(0, len(values), size)]


@dataclass(frozen=True)
class NarrowFloored(Narrow):
    """The step of `floored.Floored`.

    Args:
        group: Products of a group.

    """

    group: int = 2
    # Bits of a lead besides its exponent.
    below: ClassVar[int] = 0

    def largest(self, e: Engine[V], exponents: Sequence[V]) -> list[V]:
        """Give the largest exponent of each group."""
        return [largest_bytes(e, group) for group in in_groups(exponents, self.group)]

    def added(self, e: Engine[V], factors: Sequence[tuple[V, V]], c: V, tops: Sequence[V]) -> V:
        """Add the products of one step."""
        own = [e.and_(top, F32_EXPONENT) for top in tops]
        lead = self.lead(e, c, largest(e, own))
        terms = [self.accumulator(e, c, lead)]
        products = [e.mul(x, y) for x, y in factors]
        for group, top in zip(in_groups(products, self.group), own, strict=True):
            scale = inverse(e, ACCUMULATOR_BITS, top)
            units = [e.floor_to_integer(e.mul(product, scale)) for product in group]
            shift = e.lshr(e.sub(lead, top), F32_FRACTION)
            terms.append(e.ashr_out(total(e, units), shift))
        return self.from_units(e, total(e, terms), self.grid(e, lead))

    def lead(self, e: Engine[V], c: V, top: V) -> V:
        """Give the exponent that the common grid follows, as f32 bits."""
        reach = e.larger_size(c, e.bitcast(top, Lane.F32))
        if self.is_short:
            reach = e.larger_size(reach, e.constant(Lane.F32, self.setting.d.min_normal))
        bits = e.bitcast(reach, Lane.I32)
        if not self.below:
            return e.and_(bits, F32_EXPONENT)
        return e.keep_and_set(bits, F32_EXPONENT, self.below)

    def grid(self, e: Engine[V], lead: V) -> V:
        """Give the unit of the common grid."""
        return e.bitcast(e.sub(lead, (ACCUMULATOR_BITS << F32_FRACTION) + self.below), Lane.F32)

    def accumulator(self, e: Engine[V], c: V, lead: V) -> V:
        """Floor C to units; on a coarse grid a negative C of less than a unit vanishes."""
        unit = e.mul(c, inverse(e, ACCUMULATOR_BITS, lead, self.below))
        # As integers, bits of numbers from -0 to just above -1 lie lowest.
        vanishes = e.lt(e.bitcast(unit, Lane.I32), F32_MINUS_ONE)
        if self.is_short:
            least = F32_BIAS + self.setting.d.min_exponent + ACCUMULATOR_BITS
            vanishes = e.and_(vanishes, e.lt(e.constant(Lane.I32, least << F32_FRACTION), lead))
        return e.select(vanishes, e.constant(Lane.I32, 0), e.floor_to_integer(unit))
