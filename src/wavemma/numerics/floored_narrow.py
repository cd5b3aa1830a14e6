"""The grouped floor step in f32 and i32, for finite inputs within bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.numerics.narrow import F32_BIAS, F32_EXPONENT, Narrow, inverse
from wavemma.numerics.path import Lanes
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

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add the products of one step."""
        (c,) = state
        products = [e.mul(x[0], y[0]) for x, y in zip(a, b, strict=True)]
        powers = [e.mul(x[1], y[1]) for x, y in zip(a, b, strict=True)]
        tops = [largest(e, group) for group in in_groups(powers, self.group)]
        reach = e.larger_size(c, largest(e, tops))
        if self.is_short:
            reach = e.larger_size(reach, e.constant(Lane.F32, self.setting.d.min_normal))
        lead = e.and_(e.bitcast(reach, Lane.I32), F32_EXPONENT)
        terms = [self._accumulator(e, e.mul(c, inverse(e, ACCUMULATOR_BITS, lead)), lead)]
        for group, power in zip(in_groups(products, self.group), tops, strict=True):
            top = e.bitcast(power, Lane.I32)
            scale = inverse(e, ACCUMULATOR_BITS, top)
            units = [e.floor_to_integer(e.mul(product, scale)) for product in group]
            shift = e.lshr(e.sub(lead, top), F32_FRACTION)
            terms.append(e.ashr_out(total(e, units), shift))
        grid = e.bitcast(e.sub(lead, ACCUMULATOR_BITS << F32_FRACTION), Lane.F32)
        return (self.from_units(e, total(e, terms), grid),)

    def _accumulator(self, e: Engine[V], unit: V, lead: V) -> V:
        """Floor C to units; on a coarse grid a negative C of less than a unit vanishes."""
        # As integers, bits of numbers from -0 to just above -1 lie lowest.
        vanishes = e.lt(e.bitcast(unit, Lane.I32), F32_MINUS_ONE)
        if self.is_short:
            least = F32_BIAS + self.setting.d.min_exponent + ACCUMULATOR_BITS
            vanishes = e.and_(vanishes, e.lt(e.constant(Lane.I32, least << F32_FRACTION), lead))
        return e.select(vanishes, e.constant(Lane.I32, 0), e.floor_to_integer(unit))
