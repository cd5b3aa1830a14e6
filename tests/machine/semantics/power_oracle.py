"""What powers of two of f32 are on RDNA3 and RDNA4, in integers, from 60 digits of the powers.

AMD's emulator (source `rj`) has it from gfx1100 and gfx1201.
"""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache

from tests.machine.semantics.exact_floats import F32, NAN, Code

MISROUNDED = {3: -1, 4: 1, 10: -1, 11: 1, 18: 1, 19: 1, 24: 1, 25: 1, 31: 1}
"""Where the first of the coefficients is not what nearest is, of 32 intervals."""


@cache
def coefficients(interval: int) -> list[int]:
    with localcontext() as context:
        context.prec = 60
        power = Decimal(2) ** (Decimal(interval) / 32)
    at_zero = [str(2**28), "5814540.574", "8060267.978", "28.735"]
    found = [round(Fraction(power) * Fraction(each)) for each in at_zero]
    return [found[0] + MISROUNDED.get(interval, 0), *found[1:]]


def units(x: Fraction | int, power: int) -> int:
    """Count units of 2**power, to nearest even."""
    return round(Fraction(x) / Fraction(2) ** power)


def narrow(x: int) -> int:
    """Round to units of 2**23, or of 2**24 if it has 48 bits."""
    power = 24 if x.bit_length() == 48 else 23
    return units(x, power) << power - 23


def staged_power(code: int) -> Code:
    """Give the bits of two to the power of f32."""
    number = F32.value(code)
    if math.isnan(number):
        return NAN
    if number >= 128 or number < -126:
        return F32.infinity if number > 0 else 0
    if abs(number) < 2.0**-24:
        return F32.code(1.0)
    # Units of 2**-29, cut off; one lower below zero, even where nothing is cut off.
    size = int(abs(Fraction(number)) * 2**29)
    turned = -size - 1 if number < 0 else size
    whole, rest = divmod(turned, 1 << 29)
    interval, rest = divmod(rest, 1 << 24)
    constant, linear, quadratic, cubic = coefficients(interval)
    inner = units((quadratic << 7) + cubic * (rest // 64), 7)
    curve = narrow(inner * ((rest // 64) ** 2 // 4096))
    total = constant + narrow(linear * rest) // 2 + Fraction(curve, 256)
    return units(total, 5) + (whole + 126 << 23)
