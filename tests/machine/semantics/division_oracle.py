"""What the steps of a division give, from the ISA documents."""

import math
from fractions import Fraction

from tests.machine.semantics.exact_floats import FLOATS, NAN, Code, Float, fused
from tests.machine.semantics.float_oracle import limited
from tests.machine.semantics.integer_oracle import Given, Result, expects

STEP, FAR, TINY = {32: 64, 64: 128}, {32: 96, 64: 768}, {32: 23, 64: 53}


def times(form: Float, code: int, power: int) -> Code:
    number = form.value(code)
    if not math.isfinite(number) or not number:
        return form.code(number)
    return form.code(Fraction(number) * Fraction(2) ** power)


def field(form: Float, code: int) -> int:
    return code >> form.fraction & (1 << form.exponent) - 1


def quotient(form: Float, top: int, bottom: int) -> Code:
    """Divide; special numbers as IEEE 754 has it."""
    x, y = form.value(top), form.value(bottom)
    if math.isfinite(x) and math.isfinite(y) and y:
        return form.code(Fraction(x) / Fraction(y))
    return form.infinity if not math.isfinite(x) else 0


@expects(r"v_div_scale_f(32|64)")
def scale(g: Given, width: str) -> Result:
    form = FLOATS[int(width)]
    step = STEP[form.bits]
    same = {name: form.value(g.a) == form.value(x) for name, x in (("b", g.b), ("c", g.c))}
    b, c = form.value(g.b), form.value(g.c)
    if b == 0 or c == 0:
        return limited(g, form.bits, NAN), 0
    one = ((1 << form.exponent - 1) - 1) << form.fraction
    inverse, ratio = quotient(form, one, g.b), quotient(form, g.c, g.b)
    tiny_inverse = isinstance(inverse, int) and form.is_subnormal(inverse)
    tiny_ratio = isinstance(ratio, int) and form.is_subnormal(ratio)
    power, mask = 0, 0
    if field(form, g.c) - field(form, g.b) >= FAR[form.bits]:
        power, mask = step if same["b"] else 0, 1
    elif form.is_subnormal(g.b):
        power = step
    elif tiny_inverse and tiny_ratio:
        # Against the document, whose factor leads out of range: see `test_division_steps`.
        power, mask = -step if same["b"] else 0, 1
    elif tiny_inverse:
        power = -step
    elif tiny_ratio:
        power, mask = step if same["c"] else 0, 1
    elif field(form, g.c) <= TINY[form.bits]:
        power = step
    return limited(g, form.bits, times(form, g.a, power)), mask


@expects(r"v_div_fmas_f(32|64)")
def refine(g: Given, width: str) -> Result:
    """Undo the scaling of the quotient: its sign is that of the estimate's exponent."""
    form = FLOATS[int(width)]
    numbers = [form.value(code) for code in (g.a, g.b, g.c)]
    if not g.vcc or not all(map(math.isfinite, numbers)):
        return limited(g, form.bits, fused(form, g.a, g.b, g.c))
    x, y, z = map(Fraction, numbers)
    up = field(form, g.c) > form.bias
    exact = (x * y + z) * Fraction(2) ** (STEP[form.bits] if up else -STEP[form.bits])
    sign = fused(form, g.a, g.b, g.c)
    assert isinstance(sign, int)
    return limited(g, form.bits, form.code(exact, zero=-0.0 if sign & form.sign else 0.0))


@expects(r"v_div_fixup_(?:legacy_)?f(16|32|64)")
def mend(g: Given, width: str) -> Result:
    form = FLOATS[int(width)]
    b, c = form.value(g.b), form.value(g.c)
    sign = (g.b ^ g.c) & form.sign
    if math.isnan(b) or math.isnan(c) or b == c == 0 or (math.isinf(b) and math.isinf(c)):
        return limited(g, form.bits, NAN)
    if b == 0 or math.isinf(c):
        return limited(g, form.bits, sign | form.infinity)
    if math.isinf(b) or c == 0:
        return limited(g, form.bits, sign)
    least = {16: None, 32: -150, 64: -1075}[form.bits]
    if least is not None and field(form, g.c) - field(form, g.b) < least:
        return limited(g, form.bits, sign)
    if math.isnan(form.value(g.a)):
        # The steps of a division have overflowed.
        return limited(g, form.bits, sign | form.infinity)
    return limited(g, form.bits, sign | g.a & form.sign - 1)
