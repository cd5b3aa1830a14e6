"""The flushing pairwise step: f32 products and sums, each with subnormals flushed to zero."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from wavemma.engines.engine import Engine, Lane
from wavemma.formats.decode import decode_lanes
from wavemma.formats.format import Format
from wavemma.numerics.parameters import FACTOR_PRECISION, check_formats, parameters
from wavemma.numerics.path import Lanes, Path, Setting
from wavemma.tables.models import ModelRow

V = TypeVar("V")
_F32_LEAST = 2.0**-126
_F32_SIGN = 0x80000000


@dataclass(frozen=True)
class FlushedPairwise(Path):
    """The step, special values included: they follow IEEE arithmetic.

    Args:
        setting: Formats and options.
        length: Products of a step, a power of two.
        nan: f32 bits for any NaN.

    """

    setting: Setting
    length: int
    nan: int
    operand: tuple[Lane, ...] = (Lane.F32,)
    state: tuple[Lane, ...] = (Lane.F32,)

    def prepare(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Give the value as f32; subnormals and zeros of either sign become +0."""
        value = decode_lanes(e, form, code)
        small = e.lt(e.abs(value), form.min_normal)
        return (e.convert(e.select(small, e.constant(Lane.F64, 0.0), value), Lane.F32),)

    def begin(self, e: Engine[V], code: V) -> Lanes[V]:
        """Read C as f32; subnormals and zeros of either sign become +0."""
        value = e.bitcast(code, Lane.F32)
        small = e.lt(e.abs(value), _F32_LEAST)
        return (e.select(small, e.constant(Lane.F32, 0.0), value),)

    def finish(self, e: Engine[V], state: Lanes[V]) -> V:
        """Give the bits of f32, one pattern for all NaN."""
        bits = e.bitcast(state[0], Lane.I32)
        return e.select(e.is_nan(state[0]), e.constant(Lane.I32, self.nan), bits)

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add the products of one step in a tree, then to the accumulator."""
        terms = [_flush(e, e.mul(x[0], y[0])) for x, y in zip(a, b, strict=True)]
        while len(terms) > 1:
            terms = [
                _flush(e, e.add(left, right))
                for left, right in zip(terms[::2], terms[1::2], strict=True)
            ]
        return (_flush(e, e.add(state[0], terms[0])),)


def _flush(e: Engine[V], value: V) -> V:
    """Replace f32 subnormals by zeros of their sign."""
    small = e.lt(e.abs(value), _F32_LEAST)
    zero = e.bitcast(e.and_(e.bitcast(value, Lane.I32), _F32_SIGN), Lane.F32)
    return e.select(small, zero, value)


class _Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    length: int
    nan: int


def pairwise_paths(row: ModelRow, setting: Setting) -> tuple[Path, ...]:
    """Build the rule "flushed_pairwise": products of a step, and the bits of NaN."""
    given = parameters(row, _Parameters)
    check_formats(row, setting, ["f32"], precision=FACTOR_PRECISION)
    return (FlushedPairwise(setting, given.length, given.nan),)
