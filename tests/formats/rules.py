"""The formats of numerics.md section 2, again: widths, bias and special codes, and exact values."""

import functools
from fractions import Fraction
from typing import NamedTuple


class Rule(NamedTuple):
    """Bits of sign, exponent and fraction, the bias, which codes are special, and its oracles."""

    sign: int
    exponent: int
    fraction: int
    bias: int
    special: str
    dtype: str = ""
    gfloat: str = ""

    @property
    def bits(self):
        return self.sign + self.exponent + self.fraction


RULES = {
    "f16": Rule(1, 5, 10, 15, "ieee", "float16", "binary16"),
    "bf16": Rule(1, 8, 7, 127, "ieee", "bfloat16", "bfloat16"),
    "fp8_fnuz": Rule(1, 4, 3, 8, "fnuz", "float8_e4m3fnuz"),
    "bf8_fnuz": Rule(1, 5, 2, 16, "fnuz", "float8_e5m2fnuz"),
    "fp8_ocp": Rule(1, 4, 3, 7, "ones", "float8_e4m3fn", "ocp_e4m3"),
    "bf8_ocp": Rule(1, 5, 2, 15, "ieee", "float8_e5m2", "ocp_e5m2"),
    "fp6": Rule(1, 2, 3, 1, "none", "float6_e2m3fn", "ocp_e2m3"),
    "bf6": Rule(1, 3, 2, 3, "none", "float6_e3m2fn", "ocp_e3m2"),
    "fp4": Rule(1, 2, 1, 1, "none", "float4_e2m1fn", "ocp_e2m1"),
    "e8m0": Rule(0, 8, 0, 127, "scale", "float8_e8m0fnu", "ocp_e8m0"),
    "e5m3": Rule(0, 5, 3, 15, "ones"),
    "e4m3": Rule(1, 4, 3, 7, "ones", "float8_e4m3fn", "ocp_e4m3"),
}
"""Every float format of at most 16 bits."""

NAN, INFINITE = "nan", "infinite"


def exact(rule, code):
    """Give (negative, Fraction) of a code, or (negative, NAN) or (negative, INFINITE)."""
    negative = bool(rule.sign and code >> (rule.bits - 1))
    field = code >> rule.fraction & ((1 << rule.exponent) - 1)
    fraction = code & ((1 << rule.fraction) - 1)
    top = field == (1 << rule.exponent) - 1
    every = fraction == (1 << rule.fraction) - 1
    if rule.special == "ieee" and top:
        return negative, NAN if fraction else INFINITE
    if rule.special in ("ones", "scale") and top and every:
        return negative, NAN
    if rule.special == "fnuz" and code == 1 << (rule.bits - 1):
        return False, NAN
    if rule.special == "scale":
        return False, Fraction(2) ** (field - rule.bias)
    lead, power = (1, field) if field else (0, 1)
    size = (lead + Fraction(fraction, 1 << rule.fraction)) * Fraction(2) ** (power - rule.bias)
    return negative, -size if negative else size


@functools.cache
def positive(name):
    """Give the codes of a format's numbers from 0 up, ascending, with their exact values."""
    rule = RULES[name]
    half = 1 << (rule.bits - rule.sign)
    known = ((code, exact(rule, code)[1]) for code in range(half))
    return tuple((code, value) for code, value in known if value not in (NAN, INFINITE))
