"""Reciprocals, roots, powers, logarithms and sines, correctly rounded from 60 digits.

Of f32 the documents flush subnormals, of sources and of results, but for sines and cosines.
"""

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction

from tests.machine.semantics.exact_floats import F32, FLOATS, Code, Float
from tests.machine.semantics.float_oracle import limited
from tests.machine.semantics.integer_oracle import Given, Result, expects
from tests.machine.semantics.power_oracle import staged_power

DIGITS = 60
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640629")


def root(x: Fraction) -> Fraction:
    """Give a square root to many more bits than any format has."""
    shift = 400 + 2 * max(0, x.denominator.bit_length() - x.numerator.bit_length())
    scaled = (x.numerator << 2 * shift) // x.denominator
    found = math.isqrt(scaled)
    # A sticky bit below, so that no inexact root looks like a tie.
    inexact = found * found != scaled or (x.numerator << 2 * shift) % x.denominator != 0
    return Fraction(2 * found + inexact, 1 << shift + 1)


def decimals(x: Fraction) -> Decimal:
    return Decimal(x.numerator) / Decimal(x.denominator)


def power(x: Fraction) -> Fraction:
    whole = math.floor(x)
    return Fraction(Decimal(2) ** decimals(x - whole)) * Fraction(2) ** whole


def logarithm(x: Fraction) -> Fraction:
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    rest = decimals(x / Fraction(2) ** exponent)
    return Fraction(rest.ln() / Decimal(2).ln()) + exponent


def sine(turns: Fraction) -> Fraction:
    """Sum the series of the sine of turns, reduced to an eighth of one."""
    turns -= math.floor(turns)
    quarter, rest = divmod(turns + Fraction(1, 8), Fraction(1, 4))
    angle = decimals(rest - Fraction(1, 8)) * 2 * PI
    term = angle if quarter % 2 == 0 else Decimal(1)
    total, n = Decimal(0), 1 if quarter % 2 == 0 else 0
    while abs(term) > Decimal(10) ** -DIGITS:
        total += term
        term *= -angle * angle / ((n + 1) * (n + 2))
        n += 2
    return Fraction(-total if quarter % 4 >= 2 else total)


def flushed(form: Float, code: Code) -> Code:
    if form is F32 and isinstance(code, int) and form.is_subnormal(code):
        return code & form.sign
    return code


def special(name: str, x: float) -> float | None:
    """Give what infinities, zeros and negative numbers lead to; None for other numbers."""
    if math.isnan(x) or (x < 0 and name in ("rsq", "sqrt", "log")):
        return math.nan
    if x == 0:
        return {
            "rcp": math.copysign(math.inf, x),
            "rsq": math.copysign(math.inf, x),
            "sqrt": x,
        }.get(name, {"exp": 1.0, "log": -math.inf}.get(name))
    if math.isinf(x):
        return {"rcp": math.copysign(0.0, x), "rsq": 0.0, "exp": max(x, 0.0)}.get(name, x)
    return None


FUNCTIONS: dict[str, Callable[[Fraction], Fraction]] = {
    "rcp": lambda x: 1 / x,
    "rsq": lambda x: 1 / root(x),
    "sqrt": root,
    "exp": power,
    "log": logarithm,
}


@expects(r"v_(?:s_)?exp_f32")
def power_of_f32(g: Given) -> Result:
    return limited(g, 32, staged_power(g.a)) if g.rule else function(g, "exp", "32")


@expects(r"v_(?:s_)?(rcp|rsq|sqrt|exp|log)(?:_iflag)?_f(16|32|64)")
def function(g: Given, name: str, width: str) -> Result:
    form = FLOATS[int(width)]
    code = flushed(form, g.a)
    assert isinstance(code, int)
    number = form.value(code)
    given = special(name, number)
    if given is not None:
        return limited(g, form.bits, form.code(given))
    with localcontext() as context:
        context.prec = DIGITS
        # Beyond these the result is out of range in every format.
        x = Fraction(min(max(number, -3000.0), 3000.0) if name == "exp" else number)
        return limited(g, form.bits, flushed(form, form.code(FUNCTIONS[name](x))))


@expects(r"v_(sin|cos)_f(16|32)")
def wave(g: Given, name: str, width: str) -> Result:
    form = FLOATS[int(width)]
    number = form.value(g.a)
    if not math.isfinite(number):
        return limited(g, form.bits, form.code(math.nan))
    if name == "sin" and number == 0:
        return limited(g, form.bits, g.a)
    with localcontext() as context:
        context.prec = DIGITS
        found = sine(Fraction(number) + (Fraction(1, 4) if name == "cos" else 0))
        return limited(g, form.bits, form.code(found))
