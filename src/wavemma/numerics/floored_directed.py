"""The paired floor step on machines whose instructions round as they are told.

One product of a pair is a multiple of the pair's own grid, and that grid is no coarser than the
common one, so the sum of a pair, floored once, is what floors on both grids give.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.numerics.directed import PLACES, Directed, is_exact
from wavemma.numerics.floored_narrow import NarrowFloored, in_groups
from wavemma.numerics.narrow import largest_bytes
from wavemma.numerics.path import Path, Setting
from wavemma.numerics.results import F32_FRACTION

V = TypeVar("V")
_PAIR = 2
# A number with f32's exponent where f64 has its own, and a last bit of 2^-26 of what that stands
# for: it is so much too small, as A's numbers are, so that a shift makes it.
_SCALE = 2.0 ** (127 + 26 - 1023 - 52)


@dataclass(frozen=True)
class DirectedFloored(Directed, NarrowFloored):
    """The step for pairs; results have f32's range."""

    # The upper half of the fraction, which the number that takes products in has, too.
    below: ClassVar[int] = 1 << F32_FRACTION - 1

    def widen_left(self, e: Engine[V], value: V) -> V:
        """Scale A's numbers as f32 becomes f64."""
        return e.mul(e.convert(value, Lane.F64), _SCALE)

    def largest(self, e: Engine[V], exponents: Sequence[V]) -> list[V]:
        """Give the largest exponent of all products."""
        return [largest_bytes(e, exponents)]

    def added(self, e: Engine[V], factors: Sequence[tuple[V, V]], c: V, tops: Sequence[V]) -> V:
        """Add the products of one step."""
        lead = self.lead(e, c, tops[0])
        total = e.join_words(self.accumulator(e, c, lead), e.lshr(lead, PLACES))
        for (first, partner), (second, other) in in_groups(factors, _PAIR):
            pair = e.fma_down(second, other, e.mul(first, partner))
            total = e.add_down(total, pair)
        return self.from_units(e, e.low_word(total), self.grid(e, lead))


def directed_paths(setting: Setting, length: int, group: int) -> tuple[Path, ...]:
    """Give the path where it is right."""
    if group != _PAIR or not is_exact(setting):
        return ()
    return (DirectedFloored(setting, False, length, group=group),)
