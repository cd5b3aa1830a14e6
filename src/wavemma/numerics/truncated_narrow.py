"""The truncated step in f32 and i32, for finite inputs within bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.numerics.narrow import F32_BIAS, F32_EXPONENT, Narrow, inverse, largest_bytes
from wavemma.numerics.path import Extents
from wavemma.numerics.powers import largest, total
from wavemma.numerics.results import F32_FRACTION

V = TypeVar("V")
PRODUCT_BITS = 24
SUM_BITS = 32
RESULT_BITS = 31
CUT_OFF_BITS = 25
_F32_PRECISION = 24
_SPAN = 150
# Bits of a sum below the units of products and accumulators.
_REST_BITS = SUM_BITS - PRODUCT_BITS
_REST = (1 << _REST_BITS) - 1
# The longest shift that leaves the last bits of units that were moved up by as many right.
_LONGEST = Lane.I32.bits - _REST_BITS


@dataclass(frozen=True)
class NarrowTruncated(Narrow):
    """The step of `truncated.Truncated`; units of all products fit 31 bits.

    Args:
        parity: Even and odd k are summed apart.
        cut_off: An accumulator far below the products' grid counts as zero.

    """

    moved: int = 0
    lowest: int = -90
    parity: bool = False
    cut_off: bool = False

    def covers(self, extents: Extents) -> bool:
        """Tell whether no exponent leaves the range that f32 arithmetic needs here."""
        exact = self.setting.a.precision + self.setting.b.precision <= _F32_PRECISION
        # A negative accumulator must not vanish when it is scaled to the largest product.
        lowest = min(extents.a.low + extents.b.low, extents.c.low) - SUM_BITS
        return exact and super().covers(extents) and extents.high - lowest <= _SPAN

    def largest(self, e: Engine[V], exponents: Sequence[V]) -> list[V]:
        """Give the largest exponent of the products, or of those at even and at odd k."""
        parts = [exponents[first::2] for first in (0, 1)] if self.parity else [exponents]
        return [largest_bytes(e, part) for part in parts]

    def added(self, e: Engine[V], factors: Sequence[tuple[V, V]], c: V, tops: Sequence[V]) -> V:
        """Add the products of one step."""
        products = [e.mul(x, y) for x, y in factors]
        units, top = self._products(e, products, [e.and_(each, F32_EXPONENT) for each in tops])
        lead = e.and_(e.bitcast(c, Lane.I32), F32_EXPONENT)
        grid = e.max(e.max(top, lead), (F32_BIAS + self.lowest) << F32_FRACTION)
        own = e.floor_to_integer(e.mul(c, inverse(e, PRODUCT_BITS, grid)))
        if self.cut_off:
            # The least grid is above the cut-off, while an exponent plus it may leave i32.
            far = e.lt(lead, e.sub(grid, CUT_OFF_BITS << F32_FRACTION))
            own = e.select(far, e.constant(Lane.I32, 0), own)
        shift = e.lshr(e.sub(grid, top), F32_FRACTION)
        # Units that are far below the grid lose low bits first, so that no shift is too long.
        more = e.max(e.sub(shift, _LONGEST), 0)
        units, shift = e.ashr_out(units, more), e.sub(shift, more)
        whole = e.add(own, e.ashr(units, shift))
        rest = e.lshr(e.shl(units, _REST_BITS), shift)
        unit = e.bitcast(e.sub(grid, SUM_BITS << F32_FRACTION), Lane.F32)
        return e.mul(_rounded(e, whole, rest), unit)

    def _products(self, e: Engine[V], products: Sequence[V], tops: Sequence[V]) -> tuple[V, V]:
        """Give the sum of the products in units of their grid, and the power behind that."""
        top = largest(e, tops)
        if not self.parity:
            return self._cut(e, products, top), top
        parts = []
        for first, own in enumerate(tops):
            shift = e.lshr(e.sub(top, own), F32_FRACTION)
            parts.append(e.ashr_out(self._cut(e, products[first::2], own), shift))
        return total(e, parts), top

    def _cut(self, e: Engine[V], products: Sequence[V], top: V) -> V:
        """Truncate products to the grid of a power and add them."""
        scale = inverse(e, PRODUCT_BITS, top)
        return total(e, [e.convert(e.mul(product, scale), Lane.I32) for product in products])


def _rounded(e: Engine[V], whole: V, rest: V) -> V:
    """Round a sum to f32, as 2^32 units of its grid.

    A sum keeps as many bits below its leading one as there are in `RESULT_BITS`; lower ones are
    floored away first.

    Args:
        e: The engine.
        whole: The sum over 2^8, floored, I32 lanes of at most 31 bits.
        rest: The last 8 bits of the sum, with others above them.

    """
    size = e.xor(whole, e.ashr(whole, 31))
    most = e.constant(Lane.I32, Lane.I32.bits - 1 + _REST_BITS - RESULT_BITS)
    dropped = e.max(e.sub(most, e.leading_zeros(size)), 0)
    kept = e.and_(e.and_(rest, _REST), e.shl(e.constant(Lane.I32, _REST), dropped))
    low = e.or_(e.shl(e.and_(whole, _REST), _REST_BITS), kept)
    high = e.convert(e.ashr(whole, _REST_BITS), Lane.F32)
    return e.fma(high, e.constant(Lane.F32, 4.0**_REST_BITS), e.convert(low, Lane.F32))
