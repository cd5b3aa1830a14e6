"""What conversions of small floats, sums of mixed formats and cube coordinates give."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
from ml_dtypes import float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz

from tests.machine.semantics.exact_floats import F16, F32, F64, NAN, Code, fused
from tests.machine.semantics.float_oracle import limited
from tests.machine.semantics.integer_oracle import Given, Result, expects, signed

SMALL = {"fp8": float8_e4m3fn, "bf8": float8_e5m2}
FNUZ = {"fp8": float8_e4m3fnuz, "bf8": float8_e5m2fnuz}


def widened(code: int) -> int:
    found = F32.code(F16.value(code))
    return 0x7FC00000 if isinstance(found, str) else found


def mixed(g: Given, place: int, word: int) -> int:
    """Give f32 bits of a source: of all of it, or of one half, with the sign modifiers."""
    is_half = g.modifiers["op_sel_hi"] >> place & 1
    width = 16 if is_half else 32
    bits = word >> 16 * (is_half and g.modifiers["op_sel"] >> place & 1) & (1 << width) - 1
    is_absolute, is_negated = g.signs[place]
    bits = bits & ~(1 << width - 1) if is_absolute else bits
    bits ^= is_negated << width - 1
    return widened(bits) if is_half else bits


@expects(r"v_fma_mix(|lo|hi)_f(?:16|32)")
def mixed_sum(g: Given, half: str) -> Result:
    codes = [mixed(g, place, word) for place, word in enumerate((g.a, g.b, g.c))]
    if not half:
        return limited(g, 32, fused(F32, *codes))
    x, y, z = (F32.value(code) for code in codes)
    if all(map(math.isfinite, (x, y, z))):
        exact = Fraction(x) * Fraction(y) + Fraction(z)
        sign = fused(F32, *codes)
        assert isinstance(sign, int)
        found = limited(g, 16, F16.code(exact, zero=-0.0 if sign & F32.sign else 0.0))
    else:
        wide = fused(F32, *codes)
        found = limited(g, 16, wide if isinstance(wide, str) else F16.code(F32.value(wide)))
    return [found, "kept"] if half == "lo" else ["kept", found]


def small(g: Given, name: str, code: int) -> Code:
    kinds = FNUZ if g.small == "fnuz" else SMALL
    number = float(np.array(code, np.uint8).view(kinds[name]))
    return F32.code(number)


@expects(r"v_cvt_f32_(fp8|bf8)")
def from_small(g: Given, name: str) -> Result:
    return small(g, name, g.a >> 8 * g.modifiers.get("byte_sel", 0) & 255)


@expects(r"v_cvt_pk_f32_(fp8|bf8)")
def pair_from_small(g: Given, name: str) -> Result:
    low, high = (small(g, name, g.a >> shift & 255) for shift in (0, 8))
    words = [0x7FC00000 if isinstance(x, str) else x for x in (low, high)]
    return words[1] << 32 | words[0]


NAN_CODES = {"fp8": 0xFF, "bf8": 0xFE}
"""What an RX 9070 gives for every NaN."""


@expects(r"v_cvt_pk_(fp8|bf8)_f32")
def to_small(g: Given, name: str) -> Result:
    if g.small == "fnuz":
        return to_fnuz(g, name)
    with np.errstate(all="ignore"):
        found = np.array([F32.value(g.a), F32.value(g.b)], np.float32).astype(SMALL[name])
    low, high = (
        NAN_CODES[name] if math.isnan(F32.value(x)) else c
        for x, c in zip((g.a, g.b), found.view(np.uint8).tolist(), strict=True)
    )
    return in_half(g, high << 8 | low) if g.by_half else high << 8 | low


def in_half(g: Given, code: int) -> int:
    """Give the register, of which one half is kept."""
    return g.d & 0xFFFF | code << 16 if g.modifiers["op_sel"] & 4 else g.d & 0xFFFF0000 | code


def to_fnuz(g: Given, name: str) -> Result:
    with np.errstate(all="ignore"):
        numbers = np.array([F32.value(g.a), F32.value(g.b)], np.float32)
        low, high = numbers.astype(FNUZ[name]).view(np.uint8).tolist()
    return in_half(g, high << 8 | low)


FRACTIONS = {"fp8": (3, -6, 448), "bf8": (2, -14, 57344)}
"""Bits of the fraction, exponent of the least normal number, the largest number."""
FNUZ_FRACTIONS = {"fp8": (3, -7, 240), "bf8": (2, -15, 57344)}
FNUZ_NAN = 0x80


@expects(r"v_cvt_sr_(fp8|bf8)_f32")
def drawn(g: Given, name: str) -> Result:
    """Cut to a grid of 2**-23 of the number's power of two, add the random bits, cut to its own."""
    is_fnuz = g.small == "fnuz"
    number, shape = F32.value(g.a), (FNUZ_FRACTIONS if is_fnuz else FRACTIONS)[name]
    sign, beyond = g.a >> 31 << 7, 0x7F if name == "fp8" else 0x7C
    if is_fnuz:
        beyond = FNUZ_NAN
    if math.isnan(number):
        code = FNUZ_NAN if is_fnuz else NAN_CODES[name]
    elif math.isinf(number):
        code = sign | beyond
    else:
        size = added(abs(Fraction(number)), g.b, shape)
        kind = (FNUZ if is_fnuz else SMALL)[name]
        code = int(np.array(float(size), kind).view(np.uint8)) if size <= shape[2] else beyond
        code |= 0 if is_fnuz and code == 0 else sign
    shift = 8 * (g.modifiers["op_sel"] >> 2 if g.by_half else g.modifiers["byte_sel"])
    return g.d & ~(0xFF << shift) | code << shift


def added(exact: Fraction, seed: int, shape: tuple[int, int, int]) -> Fraction:
    fraction, least, _ = shape
    power = max(math.frexp(float(exact))[1] - 1, least) if exact else least
    grid = math.floor(exact / Fraction(2) ** (power - 23))
    units = grid + (seed >> 32 - 23 + fraction) >> 23 - fraction
    return Fraction(units) * Fraction(2) ** (power - fraction)


@expects(r"v_sat_pk_u8_i16")
def saturated(g: Given) -> Result:
    low, high = (min(max(signed(x, 16), 0), 255) for x in (g.a, g.a >> 16))
    return high << 8 | low


def two_over_pi(bits: int) -> int:
    """Give bits of 2/pi behind the point, by the means of Gauss and Legendre."""
    with localcontext() as context:
        context.prec = 420
        a, b, t, p = Decimal(1), 1 / Decimal(2).sqrt(), Decimal(1) / 4, Decimal(1)
        for _ in range(9):
            middle = (a + b) / 2
            b, t, p, a = (a * b).sqrt(), t - p * (a - middle) ** 2, 2 * p, middle
        pi = (a + b) ** 2 / (4 * t)
        return int((2 / pi) * Decimal(2) ** bits)


TWO_OVER_PI = two_over_pi(1201)


@expects(r"v_trig_preop_f64")
def piece(g: Given) -> Result:
    exponent = g.a >> 52 & 0x7FF
    shift = 53 * (g.b & 31) + max(exponent - 1077, 0)
    bits = (TWO_OVER_PI << shift) >> 1201 - 53 & (1 << 53) - 1
    power = -53 - shift + (128 if exponent >= 1968 else 0)
    return limited(g, 64, F64.code(Fraction(bits) * Fraction(2) ** power, to_zero=True))


@expects(r"v_cube(id|sc|tc|ma)_f32")
def cube(g: Given, name: str) -> Result:
    x, y, z = (F32.value(code) for code in (g.a, g.b, g.c))
    minus = F32.turned
    if abs(z) >= abs(x) and abs(z) >= abs(y):
        face, across, down, axis = 4 + (z < 0), minus(g.a) if z < 0 else g.a, minus(g.b), g.c
    elif abs(y) >= abs(x):
        face, across, down, axis = 2 + (y < 0), g.a, minus(g.c) if y < 0 else g.c, g.b
    else:
        face, across, down, axis = int(x < 0), g.c if x < 0 else minus(g.c), minus(g.b), g.a
    if name == "id":
        return limited(g, 32, F32.code(Fraction(face)))
    if name == "ma":
        number = F32.value(axis)
        exact = number if not math.isfinite(number) or not number else Fraction(number) * 2
        return limited(g, 32, F32.code(exact))
    found = across if name == "sc" else down
    return limited(g, 32, NAN if math.isnan(F32.value(found)) else found)
