"""What conversions with a scale give: small floats of ml_dtypes times a power of two."""

import math
from fractions import Fraction

import numpy as np
from ml_dtypes import (
    float4_e2m1fn,
    float6_e2m3fn,
    float6_e3m2fn,
    float8_e4m3fn,
    float8_e5m2,
)

from tests.machine.semantics.exact_floats import BF16, F16, F32
from tests.machine.semantics.integer_oracle import Given, Result, expects
from tests.machine.semantics.mixed_oracle import NAN_CODES

SMALL = {
    "fp4": (4, float4_e2m1fn),
    "fp6": (6, float6_e2m3fn),
    "bf6": (6, float6_e3m2fn),
    "fp8": (8, float8_e4m3fn),
    "bf8": (8, float8_e5m2),
}
WIDE = {"f32": F32, "f16": F16, "bf16": BF16}
QUIET = {"f32": 0x7FC00000, "f16": 0x7E00, "bf16": 0x7FC0}


def scaled(code: int, small: str, scale: int, wide: str) -> int:
    number, field = float(np.array(code, np.uint8).view(SMALL[small][1])), scale >> 23 & 0xFF
    if math.isnan(number) or field == 255:
        return QUIET[wide]
    form = WIDE[wide]
    if math.isinf(number) or not number:
        found = form.code(number)
    else:
        found = form.code(Fraction(number) * Fraction(2) ** (field - 127))
    assert isinstance(found, int)
    return found


@expects(r"v_cvt_scalef32_(pk|pk32)_(f32|f16|bf16)_([fb]p?f?[468])")
def several(g: Given, count: str, wide: str, small: str) -> Result:
    bits = SMALL[small][0]
    first = 2 * bits * (g.modifiers.get("op_sel", 0) & 3)
    codes = [g.a >> first + bits * n & (1 << bits) - 1 for n in range(32 if count == "pk32" else 2)]
    width = WIDE[wide].bits
    return sum(scaled(code, small, g.b, wide) << width * n for n, code in enumerate(codes))


@expects(r"v_cvt_scalef32_(f32|f16)_([fb]p?f?8)")
def one(g: Given, wide: str, small: str) -> Result:
    chosen = g.modifiers["op_sel"]
    code = scaled(g.a >> 8 * (chosen & 3) & 0xFF, small, g.b, wide)
    if wide == "f32":
        return code
    return g.d & 0xFFFF | code << 16 if chosen & 4 else g.d & 0xFFFF0000 | code


def divided(code: int, small: str, scale: int, wide: str) -> int:
    """Divide exactly, then round by ml_dtypes; f64 holds all that can come out."""
    number, field = WIDE[wide].value(code), scale >> 23 & 0xFF
    if math.isnan(number) or field == 255:
        return NAN_CODES[small]
    with np.errstate(all="ignore"):
        exact = np.array(math.ldexp(number, 127 - field), np.float64)
        return int(exact.astype(SMALL[small][1]).view(np.uint8))


@expects(r"v_cvt_scalef32_pk_([fb]p?f?8)_(f32|f16|bf16)")
def into_half(g: Given, small: str, wide: str) -> Result:
    """Give the register, of which one half is kept."""
    if wide == "f32":
        sources, scale, high = (g.a, g.b), g.c, 8
    else:
        sources, scale, high = (g.a & 0xFFFF, g.a >> 16), g.b, 4
    low, upper = (divided(x, small, scale, wide) for x in sources)
    code = upper << 8 | low
    return g.d & 0xFFFF | code << 16 if g.modifiers["op_sel"] & high else g.d & 0xFFFF0000 | code
