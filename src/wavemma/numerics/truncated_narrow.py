"""The truncated step for finite inputs within bounds: products in f32 and i32, the sum in f64."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.numerics.narrow import F32_BIAS, F32_EXPONENT, Narrow, inverse
from wavemma.numerics.path import Extents, Lanes
from wavemma.numerics.powers import largest, total
from wavemma.numerics.results import F32_FRACTION

V = TypeVar("V")
PRODUCT_BITS = 24
SUM_BITS = 32
RESULT_BITS = 31
CUT_OFF_BITS = 25
_F32_PRECISION = 24
_F64_FRACTION = 52
_SPAN = 150
_FAR = 100


@dataclass(frozen=True)
class NarrowTruncated(Narrow):
    """The step of `truncated.Truncated`; units of all products fit 31 bits.

    Args:
        parity: Even and odd k are summed apart.
        cut_off: An accumulator far below the products' grid counts as zero.

    """

    power_scale: float = 1.0
    lowest: int = -90
    parity: bool = False
    cut_off: bool = False

    def covers(self, extents: Extents) -> bool:
        """Tell whether no exponent leaves the range that f32 arithmetic needs here."""
        exact = self.setting.a.precision + self.setting.b.precision <= _F32_PRECISION
        # A negative accumulator must not vanish when it is scaled to the largest product.
        lowest = min(extents.a.low + extents.b.low, extents.c.low) - SUM_BITS
        return exact and super().covers(extents) and extents.high - lowest <= _SPAN

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add the products of one step."""
        (c,) = state
        products = [e.mul(x[0], y[0]) for x, y in zip(a, b, strict=True)]
        powers = [e.bitcast(e.mul(x[1], y[1]), Lane.I32) for x, y in zip(a, b, strict=True)]
        units, top = self._products(e, products, powers)
        lead = e.and_(e.bitcast(c, Lane.I32), F32_EXPONENT)
        grid = e.max(e.max(top, lead), (F32_BIAS + self.lowest) << F32_FRACTION)
        own = e.floor(e.mul(c, inverse(e, PRODUCT_BITS, grid)))
        if self.cut_off:
            # The least grid is above the cut-off, while an exponent plus it may leave i32.
            far = e.lt(lead, e.sub(grid, CUT_OFF_BITS << F32_FRACTION))
            own = e.select(far, e.constant(Lane.F32, 0.0), own)
        # Beyond that the products' units are floored to 0 or -1 whatever the shift.
        below = e.min(e.sub(grid, top), _FAR << F32_FRACTION)
        bits = (F32_BIAS + SUM_BITS - PRODUCT_BITS) << F32_FRACTION
        ratio = e.bitcast(e.sub(e.constant(Lane.I32, bits), below), Lane.F32)
        scaled = e.mul(e.convert(units, Lane.F64), e.convert(ratio, Lane.F64))
        own = e.mul(own, 2.0 ** (SUM_BITS - PRODUCT_BITS))
        both = e.add(e.floor(scaled), e.convert(own, Lane.F64))
        rounded = e.convert(_floor_bits(e, both), Lane.F32)
        unit = e.bitcast(e.sub(grid, SUM_BITS << F32_FRACTION), Lane.F32)
        return (e.mul(rounded, unit),)

    def _products(self, e: Engine[V], products: Sequence[V], powers: Sequence[V]) -> tuple[V, V]:
        """Give the sum of the products in units of their grid, and the power behind that."""
        if not self.parity:
            top = largest(e, powers)
            return self._cut(e, products, top), top
        tops = [largest(e, powers[first::2]) for first in (0, 1)]
        top = largest(e, tops)
        parts = []
        for first, own in enumerate(tops):
            shift = e.min(e.lshr(e.sub(top, own), F32_FRACTION), 31)
            parts.append(e.ashr(self._cut(e, products[first::2], own), shift))
        return total(e, parts), top

    def _cut(self, e: Engine[V], products: Sequence[V], top: V) -> V:
        """Truncate products to the grid of a power and add them."""
        scale = inverse(e, PRODUCT_BITS, top)
        return total(e, [e.convert(e.mul(product, scale), Lane.I32) for product in products])


def _floor_bits(e: Engine[V], value: V) -> V:
    """Floor f64 to as many bits below their leading one as a sum keeps."""
    dropped = (1 << (_F64_FRACTION - RESULT_BITS)) - 1
    bits = e.bitcast(value, Lane.I64)
    more = e.and_(e.ashr(bits, 63), dropped)
    return e.bitcast(e.and_(e.add(bits, more), ~dropped), Lane.F64)
