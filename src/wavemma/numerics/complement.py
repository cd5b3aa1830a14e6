"""The complement step: terms are cut to a grid in the frame of the accumulator's sign.

A term with the frame's sign is truncated; one against it becomes the one's complement of its
truncated size, so it costs one unit more, and a zero against the frame costs a unit too. The
grid follows the largest of the products' exponents and the leading bit of the accumulator.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from wavemma.engines.engine import Engine, Lane
from wavemma.formats.format import Format
from wavemma.numerics.complement_directed import DirectedComplement
from wavemma.numerics.complement_narrow import (
    ACCUMULATOR_BITS,
    PRODUCT_BITS,
    NarrowComplement,
)
from wavemma.numerics.directed import is_exact
from wavemma.numerics.parameters import FACTOR_PRECISION, check_formats, parameters
from wavemma.numerics.path import Lanes, Path, Setting
from wavemma.numerics.powers import (
    inverse_power,
    is_negative,
    largest,
    leading_power,
    total,
    value_and_power,
    with_sign,
)
from wavemma.numerics.results import cut_bits, has_short_range, round_short
from wavemma.numerics.special import SpecialStep, made_nans
from wavemma.tables.models import ModelRow

V = TypeVar("V")


@dataclass(frozen=True, kw_only=True)
class Complement(SpecialStep):
    """The step for every input, in f64."""

    flush_inputs: bool
    length: int = 2

    def prepare(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Give value and power."""
        return value_and_power(e, form, code, flush=self.flush_inputs)

    def finite(self, e: Engine[V], products: Sequence[V], powers: Sequence[V], bits: V) -> V:
        """Add the terms in the frame of C's sign."""
        power = largest(e, powers)
        c = e.convert(e.bitcast(bits, Lane.F32), Lane.F64)
        size = e.abs(c)
        size = e.select(e.lt(size, 2.0**-126), e.constant(Lane.F64, 0.0), size)
        lead = leading_power(e, size)
        if has_short_range(self.setting.d):
            lead = e.max(lead, self.setting.d.min_normal)
        grid = e.max(e.mul(power, 2.0**-PRODUCT_BITS), e.mul(lead, 2.0**-ACCUMULATOR_BITS))
        frame = with_sign(e, inverse_power(e, grid), c)
        terms = [e.trunc(e.mul(size, inverse_power(e, grid)))]
        for product in products:
            unit = e.mul(product, frame)
            cost = e.select(is_negative(e, unit), e.constant(Lane.F64, 1.0), 0.0)
            terms.append(e.sub(e.trunc(unit), cost))
        result = self._round(e, total(e, terms), with_sign(e, grid, c))
        nothing = e.eq(e.max(power, size), 0.0)
        return e.select(nothing, e.constant(Lane.I32, 0), result)

    def _round(self, e: Engine[V], units: V, grid: V) -> V:
        """Turn a sum in units of the signed grid into f32 bits of a number of D's format."""
        form = self.setting.d
        zero = e.constant(Lane.F64, 0.0)
        if has_short_range(form):
            value = e.mul(units, grid)
            return round_short(e, form, value, keep_finite=self.setting.keep_finite)
        rounded = e.convert(e.convert(units, Lane.F32), Lane.F64)
        value = e.mul(rounded, grid)
        value = e.select(e.lt(e.abs(value), 2.0**-126), zero, value)
        bits = e.bitcast(e.convert(value, Lane.F32), Lane.I32)
        return cut_bits(e, form, bits)


class _Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    flush_inputs: bool
    invalid: int
    factor: dict[str, int]


def complement_paths(row: ModelRow, setting: Setting) -> tuple[Path, ...]:
    """Build the rule "complement": `flush_inputs`, and the bits of made NaNs."""
    given = parameters(row, _Parameters)
    check_formats(row, setting, given.factor, precision=FACTOR_PRECISION)
    nans = made_nans(given.factor, given.invalid, setting.d)
    whole = Complement(setting=setting, nans=nans, flush_inputs=given.flush_inputs)
    fast = NarrowComplement(setting, given.flush_inputs, 2)
    if not is_exact(setting):
        return fast, whole
    return DirectedComplement(setting, given.flush_inputs, 2), fast, whole
