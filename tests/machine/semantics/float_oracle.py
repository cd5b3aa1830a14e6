"""What float instructions give, from the ISA documents, on fractions.

What hardware rounds in a way of its own (reciprocals, roots, powers, logarithms, sines) is in
`test_functions`; here every result is exact or rounded once.
"""

import math
from collections.abc import Callable
from fractions import Fraction

from tests.machine.semantics.exact_floats import (
    F32,
    FLOATS,
    NAN,
    Code,
    Float,
    add,
    fused,
    key,
    multiply,
    whole,
)
from tests.machine.semantics.integer_oracle import Given, Result, expects, signed

HALF = Fraction(1, 2)
ONE = {16: 0x3C00, 32: 0x3F800000, 64: 0x3FF << 52}


def scaled_output(g: Given, bits: int, code: Code) -> Code:
    """Apply the output modifier: zeros and subnormals to +0, what halving makes so to 0."""
    form = FLOATS[bits]
    factor = {1: 2, 2: 4, 3: HALF}[g.modifiers["omod"]]
    if isinstance(code, str) or code & form.sign - 1 == form.infinity:
        return code
    normal = 1 << form.fraction
    if code & form.sign - 1 < normal:
        return 0
    exact = Fraction(form.value(code)) * factor
    # What is below the normal numbers before it is rounded is a zero.
    return code & form.sign if abs(exact) < form.least_normal else form.code(exact)


def limited(g: Given, bits: int, code: Code) -> Code:
    """Apply the output modifier, then the clamp modifier: to 0..1, NaN to 0."""
    if g.scales and g.modifiers.get("omod"):
        code = scaled_output(g, bits, code)
    if not g.clamp:
        return code
    if isinstance(code, str) or code == FLOATS[bits].sign:
        return 0
    return min(code, ONE[bits]) if code < FLOATS[bits].sign else 0


@expects(r"v_(?:pk_|dual_)?(add|sub|subrev|mul)_f(16|32|64)")
def arithmetic(g: Given, name: str, width: str) -> Result:
    form = FLOATS[int(width)]
    if name == "mul":
        found = multiply(form, g.a, g.b)
    else:
        a, b = (g.b, g.a) if name == "subrev" else (g.a, g.b)
        found = add(form, a, b if name == "add" else form.turned(b))
    return limited(g, form.bits, found)


@expects(r"v_(?:dual_)?mul_(?:dx9_zero|legacy)_f32")
def multiply_zero(g: Given) -> Result:
    zero = 0 in (F32.value(g.a), F32.value(g.b))
    return limited(g, 32, 0 if zero else multiply(F32, g.a, g.b))


@expects(r"v_(?:pk_(?!fmac)|dual_)?(fma|fmac|fmaak|fmamk)_(?:legacy_)?(dx9_zero_)?f(16|32|64)")
def multiply_add(g: Given, name: str, zero: str | None, width: str) -> Result:
    form = FLOATS[int(width)]
    k = g.k & (1 << form.bits) - 1
    a, b, c = {
        "fma": (g.a, g.b, g.c),
        "fmac": (g.a, g.b, g.d),
        "fmaak": (g.a, g.b, k),
        "fmamk": (g.a, k, g.b),
    }[name]
    if zero and g.flushes:
        return limited(g, form.bits, without_subnormals(form, a, b, c))
    if zero and 0 in (form.value(a), form.value(b)):
        return limited(g, form.bits, form.code(form.value(c)) if c != form.sign else c)
    return limited(g, form.bits, fused(form, a, b, c))


def without_subnormals(form: Float, a: int, b: int, c: int) -> Code:
    """Multiply and add where subnormals are zeros, and zero times anything is +0."""
    a, b, c = (x & form.sign if form.is_subnormal(x) else x for x in (a, b, c))
    found = add(form, 0, c) if 0 in (form.value(a), form.value(b)) else fused(form, a, b, c)
    return found & form.sign if isinstance(found, int) and form.is_subnormal(found) else found


@expects(r"v_(mad|mac|madak|madmk)_(?:legacy_)?f(16|32)")
def multiply_then_add(g: Given, name: str, width: str) -> Result:
    """Round the product, then the sum, where subnormals are zeros."""
    a, b, c = {
        "mad": (g.a, g.b, g.c),
        "mac": (g.a, g.b, g.d),
        "madak": (g.a, g.b, g.k),
        "madmk": (g.a, g.k, g.b),
    }[name]
    form = FLOATS[int(width)]
    a, b, c = (x & 2 * form.sign - 1 for x in (a, b, c))
    a, b, c = (x & form.sign if form.is_subnormal(x) else x for x in (a, b, c))
    found = multiply(form, a, b)
    for step in (lambda x: x, lambda x: add(form, x, c)):
        found = found if isinstance(found, str) else step(found)
        if isinstance(found, int) and form.is_subnormal(found):
            found &= form.sign
    return limited(g, int(width), found)


def smaller(form: Float, a: int, b: int) -> Code:
    """Give the smaller one of two numbers, either if the other is NaN."""
    numbers = [x for x in (a, b) if not math.isnan(form.value(x))]
    return min(numbers, key=lambda x: key(form, x)) if numbers else NAN


def larger(form: Float, a: int, b: int) -> Code:
    numbers = [x for x in (a, b) if not math.isnan(form.value(x))]
    return max(numbers, key=lambda x: key(form, x)) if numbers else NAN


Pick = Callable[[Float, int, int], Code]


def quieting(pick: Pick) -> Pick:
    """Give NaN where a source is signaling, as IEEE mode has it."""

    def chosen(form: Float, a: int, b: int) -> Code:
        return NAN if form.is_signaling(a) or form.is_signaling(b) else pick(form, a, b)

    return chosen


def propagating(pick: Pick) -> Pick:
    """Give NaN where a source is one."""

    def chosen(form: Float, a: int, b: int) -> Code:
        nan = math.isnan(form.value(a)) or math.isnan(form.value(b))
        return NAN if nan else pick(form, a, b)

    return chosen


def quiet_nan(form: Float) -> int:
    return form.infinity | 1 << form.fraction - 1


def both(form: Float, first: Pick, second: Pick, a: int, b: int, c: int) -> Code:
    """Apply one choice, then another one to what it gave."""
    found = first(form, a, b)
    return second(form, quiet_nan(form) if isinstance(found, str) else found, c)


def middle(form: Float, low: Pick, high: Pick, a: int, b: int, c: int) -> Code:
    """Follow the document: the largest is left out; with a NaN the smallest is given."""
    if any(math.isnan(form.value(x)) for x in (a, b, c)):
        return both(form, low, low, a, b, c)
    top = both(form, high, high, a, b, c)
    assert isinstance(top, int)
    for one, others in ((a, (b, c)), (b, (a, c)), (c, (a, b))):
        if form.value(one) == form.value(top):
            return high(form, *others)
    raise AssertionError


@expects(r"v_(?:pk_|dual_)?(min|max|min3|max3|med3|minmax|maxmin)_(num_)?f(16|32|64)")
def order(g: Given, name: str, number: str | None, width: str) -> Result:
    form = FLOATS[int(width)]
    mode = (lambda pick: pick) if number else quieting
    low, high = mode(smaller), mode(larger)
    found = {
        "min": lambda: low(form, g.a, g.b),
        "max": lambda: high(form, g.a, g.b),
        "min3": lambda: both(form, low, low, g.a, g.b, g.c),
        "max3": lambda: both(form, high, high, g.a, g.b, g.c),
        "minmax": lambda: both(form, low, high, g.a, g.b, g.c),
        "maxmin": lambda: both(form, high, low, g.a, g.b, g.c),
        "med3": lambda: middle(form, low, high, g.a, g.b, g.c),
    }[name]()
    return limited(g, form.bits, found)


@expects(r"v_(?:pk_)?(minimum|maximum)(3|minimum|maximum)?_f(16|32|64)")
def propagating_order(g: Given, name: str, then: str | None, width: str) -> Result:
    form = FLOATS[int(width)]
    picks = {"minimum": propagating(smaller), "maximum": propagating(larger)}
    if not then:
        return limited(g, form.bits, picks[name](form, g.a, g.b))
    second = picks[name if then == "3" else then]
    return limited(g, form.bits, both(form, picks[name], second, g.a, g.b, g.c))


@expects(r"v_(floor|ceil|trunc|rndne)_f(16|32|64)")
def rounded(g: Given, name: str, width: str) -> Result:
    function = {"floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "rndne": round}[name]
    form = FLOATS[int(width)]
    return limited(g, form.bits, whole(form, g.a, function))


@expects(r"v_fract_f(16|32|64)")
def fraction(g: Given, width: str) -> Result:
    form = FLOATS[int(width)]
    number = form.value(g.a)
    if not math.isfinite(number):
        return limited(g, form.bits, NAN)
    rest = form.code(Fraction(number) - math.floor(Fraction(number)))
    assert isinstance(rest, int)
    return limited(g, form.bits, min(rest, ONE[form.bits] - 1))


@expects(r"v_ldexp_f(16|32|64)")
def scaled(g: Given, width: str) -> Result:
    form = FLOATS[int(width)]
    power = signed(g.b, 16 if width == "16" else 32)
    number = form.value(g.a)
    if not math.isfinite(number) or number == 0:
        return limited(g, form.bits, form.code(number))
    # Beyond these powers every number is out of range.
    power = min(max(power, -5000), 5000)
    return limited(g, form.bits, form.code(Fraction(number) * Fraction(2) ** power))


@expects(r"v_frexp_(mant|exp_i(?:16|32))_f(16|32|64)")
def parts(g: Given, name: str, width: str) -> Result:
    form = FLOATS[int(width)]
    mantissa, exponent = math.frexp(form.value(g.a))
    if name == "mant":
        return limited(g, form.bits, form.code(mantissa))
    usual = math.isfinite(form.value(g.a))
    return (exponent if usual else 0) & (1 << int(name[5:])) - 1


@expects(r"v_mullit_f32")
def light(g: Given) -> Result:
    a, b, c = (F32.value(x) for x in (g.a, g.b, g.c))
    dark = math.isnan(b) or math.isnan(c) or c <= 0 or g.b in (F32.sign | F32.largest, 0xFF800000)
    if dark:
        return limited(g, 32, F32.sign | F32.largest)
    return limited(g, 32, 0 if 0 in (a, b) else multiply(F32, g.a, g.b))


COMPARE: dict[str, Callable[[float, float], bool]] = {
    "f": lambda a, b: False,
    "lt": lambda a, b: a < b,
    "eq": lambda a, b: a == b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "lg": lambda a, b: a < b or a > b,
    "ge": lambda a, b: a >= b,
    "o": lambda a, b: not (math.isnan(a) or math.isnan(b)),
    "u": lambda a, b: math.isnan(a) or math.isnan(b),
    "nge": lambda a, b: not a >= b,
    "nlg": lambda a, b: not (a < b or a > b),
    "ngt": lambda a, b: not a > b,
    "nle": lambda a, b: not a <= b,
    "neq": lambda a, b: a != b,
    "nlt": lambda a, b: not a < b,
    "t": lambda a, b: True,
    "tru": lambda a, b: True,
}


@expects(r"v_cmpx?_([a-z]+)_f(16|32|64)")
def compare(g: Given, name: str, width: str) -> Result:
    form = FLOATS[int(width)]
    if name != "class":
        return int(COMPARE[name](form.value(g.a), form.value(g.b)))
    number = form.value(g.a)
    if math.isnan(number):
        return g.b >> (0 if form.is_signaling(g.a) else 1) & 1
    steps = 3 if math.isinf(number) else 0 if number == 0 else 1 if form.is_subnormal(g.a) else 2
    return g.b >> (5 - steps if g.a & form.sign else 6 + steps) & 1
