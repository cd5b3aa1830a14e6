"""The truncated step: products are cut to one grid, joined to the accumulator, rounded once.

Products are truncated to a grid of their largest exponent (or even and odd k each to their
own, then floored to the larger grid); the accumulator is floored to the grid of the larger of
its exponent and theirs; what lies 32 bits below the leading bit of the sum is floored away.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from wavemma.engines.engine import Engine, Lane
from wavemma.formats.format import Format
from wavemma.numerics.parameters import FACTOR_PRECISION, check_formats, parameters
from wavemma.numerics.path import Extents, Lanes, Path, Setting
from wavemma.numerics.powers import (
    inverse_power,
    largest,
    leading_power,
    total,
    value_and_power,
)
from wavemma.numerics.special import special_sum
from wavemma.numerics.truncated_narrow import (
    CUT_OFF_BITS,
    PRODUCT_BITS,
    RESULT_BITS,
    SUM_BITS,
    NarrowTruncated,
)
from wavemma.tables.models import ModelRow

V = TypeVar("V")
_F32_LEAST = 2.0**-126
_F32_BEYOND = 2.0**128
_F32_HIGHEST = 127
# Units of this many products and of an accumulator fit i32.
_NARROW_LENGTH = 16
# Below every power of a product, scaled ones included, and with an inverse inside f64.
_NOTHING = 2.0**-900


@dataclass(frozen=True)
class Truncated(Path):
    """The step in f64.

    Args:
        setting: Formats and options.
        length: Products of a step.
        parity: Even and odd k are summed apart.
        cut_off: An accumulator far below the products' grid counts as zero.
        nan: f32 bits for any NaN.
        special: Infinities and NaN, and sums that may leave f32's range, are looked after.

    """

    setting: Setting
    length: int
    parity: bool
    cut_off: bool
    nan: int
    special: bool
    operand: tuple[Lane, ...] = (Lane.F64, Lane.F64)
    state: tuple[Lane, ...] = (Lane.F32,)
    rows: int = 2
    vectors: int = 2

    def covers(self, extents: Extents) -> bool:
        """Tell whether the inputs need no look at special values, or this path looks."""
        return self.special or (extents.finite and extents.high < _F32_HIGHEST)

    def prepare(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Give value and power, both multiplied by the scale if there is one."""
        value, power = value_and_power(e, form, code, flush=False)
        if scale is None:
            return value, power
        return e.mul(value, scale), e.mul(power, scale)

    def begin(self, e: Engine[V], code: V) -> Lanes[V]:
        """Read C as f32."""
        return (e.bitcast(code, Lane.F32),)

    def finish(self, e: Engine[V], state: Lanes[V]) -> V:
        """Give the bits of f32, one pattern for all NaN."""
        bits = e.bitcast(state[0], Lane.I32)
        if not self.special:
            return bits
        return e.select(e.is_nan(state[0]), e.constant(Lane.I32, self.nan), bits)

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add the products of one step."""
        c = e.convert(state[0], Lane.F64)
        products = [e.mul(x[0], y[0]) for x, y in zip(a, b, strict=True)]
        powers = [e.mul(x[1], y[1]) for x, y in zip(a, b, strict=True)]
        finite = e.convert(self._finite(e, products, powers, c), Lane.F32)
        if not self.special:
            return (finite,)
        is_special, value = special_sum(e, products, c, _F32_BEYOND)
        return (e.select(is_special, value, finite),)

    def _finite(self, e: Engine[V], products: Sequence[V], powers: Sequence[V], c: V) -> V:
        top = largest(e, powers)
        lead = e.max(leading_power(e, e.abs(c)), _F32_LEAST)
        grid = e.max(top, lead)
        inverse = inverse_power(e, grid)
        summed = self._products(e, products, powers, top)
        units = e.floor(e.mul(summed, e.mul(inverse, 2.0**SUM_BITS)))
        own = e.floor(e.mul(c, e.mul(inverse, 2.0**PRODUCT_BITS)))
        if self.cut_off:
            far = e.lt(lead, e.mul(grid, 2.0**-CUT_OFF_BITS))
            own = e.select(far, e.constant(Lane.F64, 0.0), own)
        both = e.add(units, e.mul(own, 2.0 ** (SUM_BITS - PRODUCT_BITS)))
        value = e.mul(e.add(both, 0.0), e.mul(grid, 2.0**-SUM_BITS))
        last = e.max(leading_power(e, e.abs(value)), _F32_LEAST)
        unit = e.mul(last, 2.0**-RESULT_BITS)
        kept = e.floor(e.mul(value, e.mul(inverse_power(e, last), 2.0**RESULT_BITS)))
        return e.mul(kept, unit)

    def _products(self, e: Engine[V], products: Sequence[V], powers: Sequence[V], top: V) -> V:
        """Give the sum of the products on their grid."""
        if not self.parity:
            return self._cut(e, products, top)
        inverse = self._units(e, top)
        parts = []
        for first in (0, 1):
            part = self._cut(e, products[first::2], largest(e, powers[first::2]))
            parts.append(e.floor(e.mul(part, inverse)))
        return e.mul(total(e, parts), e.mul(top, 2.0**-PRODUCT_BITS))

    def _units(self, e: Engine[V], top: V) -> V:
        """Give what turns numbers into units of the grid of a power; finite for no power."""
        return e.mul(inverse_power(e, e.max(top, _NOTHING)), 2.0**PRODUCT_BITS)

    def _cut(self, e: Engine[V], products: Sequence[V], top: V) -> V:
        """Truncate products to the grid of a power and add them."""
        inverse = self._units(e, top)
        units = total(e, [e.trunc(e.mul(product, inverse)) for product in products])
        return e.mul(units, e.mul(top, 2.0**-PRODUCT_BITS))


class _Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    length: int
    parity: bool
    cut_off: bool
    nan: int


def truncated_paths(row: ModelRow, setting: Setting) -> tuple[Path, ...]:
    """Build the rule "truncated": see `Truncated` for the parameters."""
    given = parameters(row, _Parameters)
    check_formats(row, setting, ["f32"], precision=FACTOR_PRECISION)
    paths: list[Path] = [
        Truncated(setting, given.length, given.parity, given.cut_off, given.nan, special)
        for special in (False, True)
    ]
    if given.length <= _NARROW_LENGTH:
        fast = NarrowTruncated(
            setting, False, given.length, parity=given.parity, cut_off=given.cut_off
        )
        paths.insert(0, fast)
    return tuple(paths)
