"""Float codes as plain Python numbers: an arithmetic of its own, by fractions.

A number is a Python float where it is special (infinities, NaN, zeros keep their sign) and is
rounded from a fraction otherwise. NaN results are the string NAN: which NaN does not count.
"""

import math
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

NAN = "nan"
Code = int | str


class Float(NamedTuple):
    """A format: bits of exponent and of fraction."""

    exponent: int
    fraction: int

    @property
    def bits(self) -> int:
        return 1 + self.exponent + self.fraction

    @property
    def bias(self) -> int:
        return (1 << self.exponent - 1) - 1

    @property
    def sign(self) -> int:
        return 1 << self.exponent + self.fraction

    @property
    def infinity(self) -> int:
        return ((1 << self.exponent) - 1) << self.fraction

    @property
    def largest(self) -> int:
        return self.infinity - 1

    @property
    def least_normal(self) -> Fraction:
        return Fraction(2) ** (1 - self.bias)

    def value(self, code: int) -> float:
        """Give the number of a code; every one of these formats fits into a double."""
        size = code & self.sign - 1
        sign = -1.0 if code & self.sign else 1.0
        if size >= self.infinity:
            return math.nan if size > self.infinity else sign * math.inf
        field, rest = size >> self.fraction, size & (1 << self.fraction) - 1
        if not field:
            return sign * math.ldexp(rest, 1 - self.bias - self.fraction)
        return sign * math.ldexp(rest + (1 << self.fraction), field - self.bias - self.fraction)

    def turned(self, code: int) -> int:
        """Change the sign."""
        return code ^ self.sign

    def is_signaling(self, code: int) -> bool:
        """Tell a signaling NaN."""
        return code & self.sign - 1 > self.infinity and not code >> self.fraction - 1 & 1

    def is_subnormal(self, code: int) -> bool:
        """Tell a subnormal number."""
        return 0 < code & self.sign - 1 < 1 << self.fraction

    def code(self, number: float | Fraction, *, to_zero: bool = False, zero: float = 0.0) -> Code:
        """Round once, ties to even, or toward zero; `zero` has the sign of an exact zero."""
        if isinstance(number, float):
            if math.isnan(number):
                return NAN
            if math.isinf(number) or number == 0:
                sign = self.sign if math.copysign(1, number) < 0 else 0
                return sign | (self.infinity if number else 0)
            number = Fraction(number)
        if number == 0:
            return self.sign if math.copysign(1, zero) < 0 else 0
        sign, size = (self.sign if number < 0 else 0), abs(number)
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        exponent -= size < Fraction(2) ** exponent
        unit = max(exponent, 1 - self.bias) - self.fraction
        units = size / Fraction(2) ** unit
        whole = math.floor(units) if to_zero else round(units)
        # A carry into the next exponent adds up by itself.
        code = whole + ((unit + self.fraction + self.bias - 1) << self.fraction)
        if code >= self.infinity:
            return sign | (self.largest if to_zero else self.infinity)
        return sign | code


F16, F32, F64, BF16 = Float(5, 10), Float(8, 23), Float(11, 52), Float(8, 7)
FLOATS = {16: F16, 32: F32, 64: F64}


def exact(
    form: Float,
    codes: tuple[int, ...],
    plain: Callable[..., float],
    fractions: Callable[..., Fraction],
) -> Code:
    """Compute with one rounding: on floats where a number is special, else on fractions."""
    values = [form.value(code) for code in codes]
    try:
        special = plain(*values)
    except OverflowError:
        special = 0.0
    if not all(map(math.isfinite, values)):
        return form.code(special)
    return form.code(fractions(*map(Fraction, values)), zero=special)


def add(form: Float, a: int, b: int) -> Code:
    return exact(form, (a, b), lambda x, y: x + y, lambda x, y: x + y)


def multiply(form: Float, a: int, b: int) -> Code:
    return exact(form, (a, b), _times, lambda x, y: x * y)


def _times(x: float, y: float) -> float:
    return (
        math.copysign(0.0, x) * math.copysign(1.0, y)
        if 0 in (x, y) and math.isfinite(x) and math.isfinite(y)
        else x * y
    )


def fused(form: Float, a: int, b: int, c: int) -> Code:
    """Multiply and add with one rounding."""
    x, y, z = (form.value(code) for code in (a, b, c))
    if not all(map(math.isfinite, (x, y, z))):
        product = x * y if not (math.isfinite(x) and math.isfinite(y)) else 0.0
        return form.code(product + z)
    total = Fraction(x) * Fraction(y) + Fraction(z)
    signs = math.copysign(1, x) * math.copysign(1, y)
    both = signs < 0 and math.copysign(1, z) < 0
    product_is_zero = 0 in (x, y)
    zero = -0.0 if both and (product_is_zero or z == 0) and total == 0 else 0.0
    return form.code(total, zero=zero)


def whole(form: Float, code: int, function: Callable[[Fraction], int]) -> Code:
    """Round to an integer that keeps the sign, also of zero."""
    number = form.value(code)
    if not math.isfinite(number):
        return form.code(number)
    return form.code(Fraction(function(Fraction(number))), zero=number)


def key(form: Float, code: int) -> int:
    """Give an integer that orders codes as numbers, -0 below +0."""
    return ~(code & form.sign - 1) if code & form.sign else code


def bits_of(number: float, layout: str) -> int:
    """Give the bits of a float in a format of `struct`."""
    return int.from_bytes(struct.pack(layout, number), "little")
