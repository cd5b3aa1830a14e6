"""The complement step on machines whose instructions round as they are told.

In the frame of the accumulator's sign a term with the frame's sign is truncated, and one against
it costs a unit more than its truncated size, also if nothing is truncated or it is zero. So the
sum, rounded toward zero after each term, is right if terms lie a hair further from zero: A's
numbers are moved by that, and zeros stand for numbers far below every unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.numerics.complement_narrow import NarrowComplement
from wavemma.numerics.directed import PLACES, Directed
from wavemma.numerics.powers import with_sign

V = TypeVar("V")
# A product of 26 bits moves by less than its last bit, and one of 2^26 units by less than one.
_HAIR = 1 + 2.0**-28
# The sign and f32's exponent at f64's place, f64's upper bits and half a unit above it: a number
# that is 2^-154 of what it should be, as A's numbers are, so that one operation makes it.
_SIGNED_EXPONENT = 0x8FF00000
_ABOVE = 0x30080000
_SCALE = 2.0**-154
_NOTHING = 2.0**-300


@dataclass(frozen=True)
class DirectedComplement(Directed, NarrowComplement):
    """The step of `complement.Complement`; results have f32's range."""

    rows: int = 8

    def widen(self, e: Engine[V], value: V) -> V:
        """Put a number of its sign in a zero's place; others it does not change."""
        wide = e.convert(value, Lane.F64)
        return e.add(wide, with_sign(e, e.constant(Lane.F64, _NOTHING), wide))

    def widen_left(self, e: Engine[V], value: V) -> V:
        """Move the value away from zero, too."""
        wide = e.convert(value, Lane.F64)
        nothing = with_sign(e, e.constant(Lane.F64, _NOTHING), wide)
        return e.fma(wide, e.constant(Lane.F64, _HAIR * _SCALE), nothing)

    def units(self, e: Engine[V], factors: Sequence[tuple[V, V]], own: V, signed: V, frame: V) -> V:
        """Give the sum in the frame of the accumulator's sign."""
        above = e.or_(e.and_(e.ashr(signed, PLACES), _SIGNED_EXPONENT), _ABOVE)
        total = e.join_words(own, above)
        for x, y in factors:
            total = e.fma_to_zero(x, y, total)
        return e.low_word(total)
