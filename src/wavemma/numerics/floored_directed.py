"""The paired floor step on machines whose instructions round as they are told.

A number with a significand of 1.5 whose last bit is worth a unit of the common grid takes in what
is added to it, rounded down, as the floor to that grid. One product of a pair is a multiple of the
pair's own grid, and that grid is no coarser than the common one, so the sum of a pair, floored
once, is what floors on both grids give. The units so far are the lower half of such a number's
bits, where those of the accumulator are put at first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.engines.machine import Machine
from wavemma.formats.format import Format
from wavemma.numerics.floored_narrow import NarrowFloored, in_groups
from wavemma.numerics.narrow import largest_bytes
from wavemma.numerics.path import Lanes, Path, Setting
from wavemma.numerics.results import has_short_range

V = TypeVar("V")
_PAIR = 2
# A product has this many bits at most down to the grid of its own exponent.
_EXACT_BITS = 26
# f32's exponent, moved to where f64 has its own, with f64's upper bits and half a unit above it.
_MOVED = 3
_ABOVE = 0x30080000
# So a grid's number is 2^-154 of what it should be; each factor takes half of that.
_SCALE = 2.0**-77


@dataclass(frozen=True)
class DirectedFloored(NarrowFloored):
    """The step for pairs, with products in f64; results have f32's range."""

    operand: tuple[Lane, ...] = (Lane.F64, Lane.I32)
    vectors: int = 2

    def suits(self, machine: Machine) -> bool:
        """Tell whether the machine rounds single instructions as they say."""
        return machine.is_wide_x86

    def prepare(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Give the value and the bytes."""
        return _scaled(e, super().prepare(e, form, code, signed=signed, scale=scale))

    def prepare_left(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Give the value and the exponent."""
        return _scaled(e, super().prepare_left(e, form, code, signed=signed, scale=scale))

    def largest(self, e: Engine[V], exponents: Sequence[V]) -> list[V]:
        """Give the largest exponent of all products."""
        return [largest_bytes(e, exponents)]

    def added(self, e: Engine[V], factors: Sequence[tuple[V, V]], c: V, tops: Sequence[V]) -> V:
        """Add the products of one step."""
        lead = self.lead(e, c, tops[0])
        above = e.or_(e.lshr(lead, _MOVED), _ABOVE)
        total = e.join_words(self.accumulator(e, c, lead), above)
        for (first, partner), (second, other) in in_groups(factors, _PAIR):
            pair = e.fma_down(second, other, e.mul(first, partner))
            total = e.add_down(total, pair)
        return self.from_units(e, e.low_word(total), self.grid(e, lead))


def directed_paths(setting: Setting, length: int, group: int) -> tuple[Path, ...]:
    """Give the path where it is right: each product of a pair is a multiple of its own grid."""
    exact = setting.a.precision + setting.b.precision <= _EXACT_BITS
    if group != _PAIR or not exact or has_short_range(setting.d):
        return ()
    return (DirectedFloored(setting, False, length, group=group),)


def _scaled(e: Engine[V], parts: Lanes[V]) -> Lanes[V]:
    value, exponent = parts
    return e.mul(e.convert(value, Lane.F64), _SCALE), exponent
