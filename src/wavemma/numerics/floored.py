"""The grouped floor step: products are floored to a grid of their group, groups to a common one.

Each group of products has the grid of its own largest exponent; the group sums and the
accumulator are floored to a grid that all of them share, added exactly and rounded once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from wavemma.engines.engine import Engine, Lane
from wavemma.formats.format import Format
from wavemma.numerics.floored_directed import directed_paths
from wavemma.numerics.floored_narrow import (
    ACCUMULATOR_BITS,
    PRODUCT_BITS,
    NarrowFloored,
    in_groups,
)
from wavemma.numerics.parameters import FACTOR_PRECISION, check_formats, parameters
from wavemma.numerics.path import Lanes, Path, Setting
from wavemma.numerics.powers import (
    inverse_power,
    largest,
    leading_power,
    total,
    value_and_power,
)
from wavemma.numerics.results import (
    cut_bits,
    has_short_range,
    round_f32,
    round_short,
)
from wavemma.numerics.special import SpecialStep, made_nans
from wavemma.tables.models import ModelRow

V = TypeVar("V")
_F32_LEAST = 2.0**-126


@dataclass(frozen=True, kw_only=True)
class Floored(SpecialStep):
    """The step for every input, in f64."""

    group: int

    def prepare(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Give value and power."""
        return value_and_power(e, form, code, flush=False)

    def finite(self, e: Engine[V], products: Sequence[V], powers: Sequence[V], bits: V) -> V:
        """Floor group sums and C to the common grid, and add them."""
        form = self.setting.d
        least = form.min_normal if has_short_range(form) else _F32_LEAST
        c = e.convert(e.bitcast(bits, Lane.F32), Lane.F64)
        tops = [largest(e, group) for group in in_groups(powers, self.group)]
        lead = e.max(leading_power(e, e.abs(c)), least)
        lead = e.mul(lead, 2.0**-ACCUMULATOR_BITS)
        grid = e.max(e.mul(largest(e, tops), 2.0**-PRODUCT_BITS), lead)
        scale = inverse_power(e, grid)
        terms = [self._accumulator(e, c, scale, e.lt(e.constant(Lane.F64, least), grid))]
        for group, top in zip(in_groups(products, self.group), tops, strict=True):
            own = e.mul(top, 2.0**-PRODUCT_BITS)
            inverse = inverse_power(e, own)
            units = total(e, [e.floor(e.mul(product, inverse)) for product in group])
            terms.append(e.floor(e.mul(e.mul(units, own), scale)))
        value = e.mul(total(e, terms), grid)
        if has_short_range(form):
            return round_short(e, form, value, keep_finite=self.setting.keep_finite)
        return cut_bits(e, form, round_f32(e, value))

    def _accumulator(self, e: Engine[V], c: V, scale: V, coarse: V) -> V:
        """Floor C to units; on a coarse grid a negative C of less than a unit vanishes."""
        unit = e.mul(c, scale)
        vanishes = e.and_(coarse, e.lt(e.constant(Lane.F64, -1.0), unit))
        floored = e.floor(unit)
        return e.select(vanishes, e.max(floored, 0.0), floored)


class _Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    group: int
    groups: int
    invalid: int
    factor: dict[str, int]


def floored_paths(row: ModelRow, setting: Setting) -> tuple[Path, ...]:
    """Build the rule "floored": `groups` of `group` products a step, and bits of made NaNs."""
    given = parameters(row, _Parameters)
    check_formats(row, setting, given.factor, precision=FACTOR_PRECISION)
    nans = made_nans(given.factor, given.invalid, setting.d)
    length = given.group * given.groups
    whole = Floored(setting=setting, nans=nans, length=length, group=given.group)
    fast = NarrowFloored(setting, flush_inputs=False, length=length, group=given.group)
    return *directed_paths(setting, length, given.group), fast, whole
