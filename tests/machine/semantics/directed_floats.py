"""Sums and products of floats in every direction, as fractions that are rounded once."""

import math
from fractions import Fraction

from tests.machine.semantics.exact_floats import Float

NEAREST, UP, DOWN, ZERO = range(4)
NAN = "nan"


def rounded(form: Float, exact: Fraction, direction: int) -> int:
    """Round a number other than zero to the bits of a format."""
    negative, size = exact < 0, abs(exact)
    power = size.numerator.bit_length() - size.denominator.bit_length()
    power -= size < Fraction(2) ** power
    unit = Fraction(2) ** (max(power, 1 - form.bias) - form.fraction)
    units, rest = divmod(size / unit, 1)
    away = {
        NEAREST: rest > Fraction(1, 2) or (rest == Fraction(1, 2) and units % 2 == 1),
        UP: rest > 0 and not negative,
        DOWN: rest > 0 and negative,
        ZERO: False,
    }[direction]
    size = (units + away) * unit
    sign = form.sign if negative else 0
    if size > Fraction(form.value(form.largest)):
        outward = direction == NEAREST or direction == (DOWN if negative else UP)
        return sign | (form.infinity if outward else form.largest)
    # What is on the grid now is a double, too.
    return sign | form.code(float(size)) if size else sign


def fused(form: Float, x: float, y: float, z: float, direction: int) -> int | str:
    """Give x*y + z in a format: IEEE 754, with its signs of exact zeros."""
    if not all(map(math.isfinite, (x, y, z))):
        special = x * y if not (math.isfinite(x) and math.isfinite(y)) else 0.0
        total = special + z
        return NAN if math.isnan(total) else form.code(total)
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact:
        return rounded(form, exact, direction)
    first = math.copysign(1, x) * math.copysign(1, y) < 0
    second = math.copysign(1, z) < 0
    minus = first if first == second else direction == DOWN
    return form.sign if minus else 0


def product(form: Float, x: float, y: float, direction: int) -> int | str:
    sign = math.copysign(1, x) * math.copysign(1, y)
    return fused(form, x, y, math.copysign(0.0, sign), direction)
