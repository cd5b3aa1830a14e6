"""Sums on a grid by f64 instructions that round as they are told.

A number with a significand of 1.5 whose last bit is worth a unit of a grid takes in what is added
to it, rounded down or toward zero, in whole units. The units so far are the lower half of its
bits, where those of the accumulator are put at first.
"""

from dataclasses import dataclass
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.engines.machine import Machine
from wavemma.formats.format import Format
from wavemma.numerics.narrow import Narrow
from wavemma.numerics.path import Lanes, Setting
from wavemma.numerics.results import has_short_range

V = TypeVar("V")
# A product has so many bits at most down to the grid of its own exponent.
_EXACT_BITS = 26
# f32's exponent, moved to where f64 has its own, with f64's upper bits and half a unit above it.
_PLACES = 3
_SIGNED_EXPONENT = 0x8FF00000
_ABOVE = 0x30080000
# So a grid's number is 2^-154 of what it should be; each factor takes half of that.
_SCALE = 2.0**-77


def is_exact(setting: Setting) -> bool:
    """Tell whether products are multiples of their own grids and results have f32's range."""
    exact = setting.a.precision + setting.b.precision <= _EXACT_BITS
    return exact and not has_short_range(setting.d)


def grid_number(e: Engine[V], units: V, lead: V) -> V:
    """Give the number that takes products in, with units in it.

    Args:
        e: The engine.
        units: I32 lanes.
        lead: 2^26 units as bits of f32 without a fraction, I32 lanes; the sign is the number's.

    """
    above = e.or_(e.and_(e.ashr(lead, _PLACES), _SIGNED_EXPONENT), _ABOVE)
    return e.join_words(units, above)


@dataclass(frozen=True)
class Directed(Narrow):
    """A step with products in f64, and alignments in f32."""

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


def _scaled(e: Engine[V], parts: Lanes[V]) -> Lanes[V]:
    value, exponent = parts
    return e.mul(e.convert(value, Lane.F64), _SCALE), exponent
