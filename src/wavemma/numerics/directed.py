"""Sums on a grid by f64 instructions that round as they are told.

A number with a significand of 1.5 whose last bit is worth a unit of a grid takes in what is added
to it, rounded down or toward zero, in whole units. The units so far are the lower half of its
bits, where those of the accumulator are put at first.
"""

from dataclasses import dataclass

from wavemma.engines.engine import Lane
from wavemma.engines.machine import Machine
from wavemma.numerics.narrow import Narrow
from wavemma.numerics.path import Setting
from wavemma.numerics.results import has_short_range

# A product has so many bits at most down to the grid of its own exponent.
_EXACT_BITS = 26
# f32's exponent, moved to where f64 has its own.
PLACES = 3


def is_exact(setting: Setting) -> bool:
    """Tell whether products are multiples of their own grids and results have f32's range."""
    exact = setting.a.precision + setting.b.precision <= _EXACT_BITS
    return exact and not has_short_range(setting.d)


@dataclass(frozen=True)
class Directed(Narrow):
    """A step with products in f64, and alignments in f32."""

    operand: tuple[Lane, ...] = (Lane.F64, Lane.I32)
    vectors: int = 2

    def suits(self, machine: Machine) -> bool:
        """Tell whether the machine rounds single instructions as they say."""
        return machine.is_wide_x86
