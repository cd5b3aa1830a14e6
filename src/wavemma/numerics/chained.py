"""The chain: one product after the other, each added with one rounding."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from wavemma.engines.engine import Engine, Lane
from wavemma.formats.format import Format
from wavemma.formats.rounding import narrow_bits, round_to_nearest, widen_bits
from wavemma.numerics.parameters import check_formats, parameters
from wavemma.numerics.path import Extents, Lanes, Path, Setting
from wavemma.numerics.powers import with_sign
from wavemma.tables.models import ModelRow

V = TypeVar("V")
_INTEGER = {Lane.F32: Lane.I32, Lane.F64: Lane.I64}
_NARROWED = ("f16", "bf16")
_PRECISION = {Lane.F32: 24, Lane.F64: 53}
_QUIET = {Lane.F32: 1 << 22, Lane.F64: 1 << 51}


def chain_lane(setting: Setting) -> Lane:
    """Give the type of the accumulator of a setting's chains."""
    return Lane.F64 if setting.d.bits == Lane.F64.bits else Lane.F32


def prepare_bits(e: Engine[V], form: Format, code: V) -> V:
    """Turn codes (I64 lanes) into f32 or f64 with NaN payloads kept."""
    if form.bits == Lane.F64.bits:
        return e.bitcast(code, Lane.F64)
    return e.bitcast(widen_bits(e, form, e.convert(code, Lane.I32)), Lane.F32)


@dataclass(frozen=True)
class Chain(Path):
    """A chain for inputs whose NaN, if any, all read as one; overflow gives infinities.

    Args:
        setting: Formats and options.
        nan: Bits for any NaN, in D's format.
        whole: NaN may occur.
        operand: Type of A and B.
        state: Type of the accumulator.

    """

    setting: Setting
    nan: int
    whole: bool
    operand: tuple[Lane, ...]
    state: tuple[Lane, ...]
    length: int = 1
    rows: int = 8
    vectors: int = 2
    seamless: bool = True

    def covers(self, extents: Extents) -> bool:
        """Tell whether no input is special, or this path looks after those."""
        return self.whole or extents.finite

    def prepare(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Give the value."""
        return (prepare_bits(e, form, code),)

    def begin(self, e: Engine[V], code: V) -> Lanes[V]:
        """Read C."""
        if self.state[0] is Lane.F64:
            return (e.bitcast(code, Lane.F64),)
        return (e.bitcast(widen_bits(e, self.setting.c, code), Lane.F32),)

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add one product."""
        return (e.fma(a[0][0], b[0][0], state[0]),)

    def finish(self, e: Engine[V], state: Lanes[V]) -> V:
        """Give the code of the accumulator, one pattern for all NaN."""
        lane = _INTEGER[self.state[0]]
        bits = e.bitcast(state[0], lane)
        if not self.whole:
            return bits
        return e.select(e.is_nan(state[0]), e.constant(lane, self.nan), bits)


@dataclass(frozen=True)
class FirstNanChain(Chain):
    """A chain that passes on the first NaN of A, B and C, quieted, and narrows D once.

    `nan` is the bits of an invalid operation, in the accumulator's type.
    """

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add one product."""
        made = e.fma(a[0][0], b[0][0], state[0])
        if not self.whole:
            return (made,)
        lane = _INTEGER[self.state[0]]
        bits = e.select(e.is_nan(made), e.constant(lane, self.nan), e.bitcast(made, lane))
        for value in (state[0], b[0][0], a[0][0]):
            quiet = e.or_(e.bitcast(value, lane), _QUIET[self.state[0]])
            bits = e.select(e.is_nan(value), quiet, bits)
        return (e.bitcast(bits, self.state[0]),)

    def finish(self, e: Engine[V], state: Lanes[V]) -> V:
        """Round the accumulator to D's format once."""
        form = self.setting.d
        bits = e.bitcast(state[0], _INTEGER[self.state[0]])
        if form.bits >= Lane.F32.bits:
            return bits
        value = e.convert(state[0], Lane.F64)
        rounded = round_to_nearest(e, form, value)
        limit = form.max_value if self.setting.keep_finite else float("inf")
        size = e.abs(rounded)
        size = e.select(e.le(size, form.max_value), size, e.constant(Lane.F64, limit))
        narrow = e.convert(with_sign(e, size, value), Lane.F32)
        kept = e.select(e.is_nan(state[0]), bits, e.bitcast(narrow, Lane.I32))
        return narrow_bits(e, form, kept)


class _Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nan: dict[str, int]
    first_nan: bool


def chain_paths(row: ModelRow, setting: Setting) -> tuple[Path, ...]:
    """Build the rule "chain": bits of NaN by accumulator, and whether an input's NaN stays."""
    given = parameters(row, _Parameters)
    lane = chain_lane(setting)
    results = ["f64"] if lane is Lane.F64 else ["f32", *(_NARROWED if given.first_nan else [])]
    check_formats(row, setting, results, precision=_PRECISION[lane])
    kind = FirstNanChain if given.first_nan else Chain
    nan = given.nan[lane.value]
    narrows = setting.d.bits < lane.bits
    # Without NaN of its own to pass on, the chain for every input is as fast as any.
    coverage = (False, True) if given.first_nan else (True,)
    return tuple(
        kind(setting, nan, whole, (lane,), (lane,), seamless=not narrows) for whole in coverage
    )
