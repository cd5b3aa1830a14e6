"""The block-scaled chain: a chain for each block from zero, scaled, added to the accumulator."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from wavemma.engines.engine import Engine, Lane
from wavemma.errors import Unsupported
from wavemma.formats.format import Format
from wavemma.numerics.chained import prepare_bits
from wavemma.numerics.parameters import FACTOR_PRECISION, check_formats, parameters
from wavemma.numerics.path import Lanes, Path, Setting
from wavemma.tables.models import ModelRow

V = TypeVar("V")


@dataclass(frozen=True)
class BlockScaled(Path):
    """One step is one block.

    Args:
        setting: Formats and options.
        length: Products of a block.
        at_once: Both scales are applied with one rounding; else A's, then B's.
        nan: f32 bits for any NaN.
        operand: Value, and the scale if there are scales.

    """

    setting: Setting
    length: int
    at_once: bool
    nan: int
    operand: tuple[Lane, ...]
    state: tuple[Lane, ...] = (Lane.F32,)
    rows: int = 4

    def prepare(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Give the value and the scale."""
        value = prepare_bits(e, form, code)
        if len(self.operand) == 1:
            return (value,)
        if scale is None:
            raise Unsupported("This setting has scales, so both operands need them.")
        return value, e.convert(scale, Lane.F32)

    def begin(self, e: Engine[V], code: V) -> Lanes[V]:
        """Read C as f32."""
        return (e.bitcast(code, Lane.F32),)

    def finish(self, e: Engine[V], state: Lanes[V]) -> V:
        """Give the bits of f32, one pattern for all NaN."""
        bits = e.bitcast(state[0], Lane.I32)
        return e.select(e.is_nan(state[0]), e.constant(Lane.I32, self.nan), bits)

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add one block."""
        block = e.constant(Lane.F32, 0.0)
        for x, y in zip(a, b, strict=True):
            block = e.fma(x[0], y[0], block)
        if len(self.operand) > 1:
            block = self._scaled(e, block, a[0][1], b[0][1])
        return (e.add(state[0], block),)

    def _scaled(self, e: Engine[V], block: V, scale_a: V, scale_b: V) -> V:
        if not self.at_once:
            return e.mul(e.mul(block, scale_a), scale_b)
        both = e.mul(e.convert(scale_a, Lane.F64), e.convert(scale_b, Lane.F64))
        return e.convert(e.mul(e.convert(block, Lane.F64), both), Lane.F32)


class _Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    length: int
    at_once: bool
    nan: int


def scaled_paths(row: ModelRow, setting: Setting) -> tuple[Path, ...]:
    """Build the rule "block_scaled": products of an unscaled block, how scales are applied."""
    given = parameters(row, _Parameters)
    check_formats(row, setting, ["f32"], precision=FACTOR_PRECISION)
    has_scales = setting.scale_block > 0
    operand = (Lane.F32, Lane.F32) if has_scales else (Lane.F32,)
    length = setting.scale_block if has_scales else given.length
    return (BlockScaled(setting, length, given.at_once, given.nan, operand),)
