"""A sum of products without rounding, and as float64 arithmetic gives it."""

import math
from collections.abc import Sequence
from fractions import Fraction

from wavemma.explain.codes import number_text

Number = float | int


def exact_sum(a: Sequence[Number], b: Sequence[Number], c: Number, times: int) -> Fraction | float:
    """Give c + times * (sum of a*b) exactly.

    Args:
        a: Numbers, infinities and NaN.
        b: As many.
        c: Where the sum begins.
        times: How often the products are added.

    Returns:
        The sum; as float if a special value takes part: NaN, or an infinity.

    """
    terms = [c, *(_product(x, y) for x, y in zip(a, b, strict=True))]
    special = [term for term in terms if not isinstance(term, Fraction) and not math.isfinite(term)]
    if special:
        return sum(special, 0.0)
    products = sum((Fraction(term) for term in terms[1:]), Fraction(0))
    return Fraction(c) + times * products


def _product(x: Number, y: Number) -> Fraction | float:
    if math.isfinite(x) and math.isfinite(y):
        return Fraction(x) * Fraction(y)
    return float(x) * float(y)


def float64_sum(a: Sequence[Number], b: Sequence[Number], c: Number, times: int) -> float:
    """Add products to c one after the other, each product and each sum rounded to float64."""
    total = float(c)
    for _ in range(times):
        for x, y in zip(a, b, strict=True):
            total += float(x) * float(y)
    return total


def exact_text(value: Fraction | float) -> str:
    """Write an exact number: as float64 writes it if it is one of float64, else as n/2^k."""
    if not isinstance(value, Fraction):
        return number_text(value)
    if value.denominator == 1:
        return str(value.numerator)
    try:
        near = float(value)
    except OverflowError:
        near = math.inf
    if math.isfinite(near) and Fraction(near) == value:
        return number_text(near)
    return f"{value.numerator}/2^{value.denominator.bit_length() - 1}"
