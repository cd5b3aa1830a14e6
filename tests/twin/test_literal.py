"""The integer shifts of the twin against the text's formulas in fractions."""

import math
import random
from collections.abc import Iterator
from fractions import Fraction

import pytest

from tests.twin import dot
from tests.twin.values import FINITE, FORMATS, decode, encode_fraction, exact

Terms = list[tuple[Fraction, int]]
"""Exact products with their x = e(a) + e(b)."""


def power(exponent: int) -> Fraction:
    return Fraction(2) ** exponent


def floor(x: Fraction, grid: int) -> Fraction:
    return math.floor(x / power(grid)) * power(grid)


def trunc(x: Fraction, grid: int) -> Fraction:
    return math.trunc(x / power(grid)) * power(grid)


def lead(x: Fraction) -> int:
    x = abs(x)
    guess = x.numerator.bit_length() - x.denominator.bit_length()
    return guess if power(guess) <= x else guess - 1


def terms(name: str, a: list[int], b: list[int]) -> Terms:
    return [
        (exact(name, x) * exact(name, y), decode(name, x).exponent + decode(name, y).exponent)
        for x, y in zip(a, b, strict=True)
    ]


def signed_bits(name: str, x: Fraction) -> int:
    return encode_fraction(name, x) if x else 0


def rule_3_4(products: Terms, c: Fraction, e_c: int) -> int:
    kept = [(v, x) for v, x in products if v]
    e_p = max((x for _, x in kept), default=e_c)
    total = sum((trunc(v, e_p - 24) for v, _ in kept), Fraction(0))
    return finish(total, c, max(e_p, e_c))


def rule_3_5(products: Terms, c: Fraction, e_c: int) -> int:
    halves = []
    for parity in (0, 1):
        kept = [(v, x) for v, x in products[parity::2] if v]
        if kept:
            top = max(x for _, x in kept)
            halves.append((sum((trunc(v, top - 24) for v, _ in kept), Fraction(0)), top))
    e_p = max((top for _, top in halves), default=e_c)
    total = sum((floor(part, e_p - 24) for part, _ in halves), Fraction(0))
    high = max(e_p, e_c)
    return finish(total, Fraction(0) if e_c < high - 25 else c, high)


def finish(total: Fraction, c: Fraction, high: int) -> int:
    s = floor(total, high - 32) + floor(c, high - 24)
    if not s:
        return 0
    n = max(lead(s), -126)
    rounded = floor(s, n - 31)
    return signed_bits("f32", rounded)


def rule_4_3(products: Terms, c: Fraction, signs: list[bool], low: int | None = None) -> Fraction:
    """U * 2**g with its sign; signs are those of C and of both products."""
    values = [c, *(v for v, _ in products)]
    if not any(values):
        return Fraction(0)
    grid = max(
        [x - 24 for v, x in products if v]
        + [max(lead(v) for v in values if v) - 26]
        + ([low - 26] if low is not None else []),
    )
    total = 0
    for value, sign in zip(values, signs, strict=True):
        m = math.floor(abs(value) / power(grid))
        total += m if sign == signs[0] else -m - 1
    return total * power(grid) * (-1 if signs[0] else 1)


def rule_5_3(products: Terms, c: Fraction, low: int) -> Fraction:
    floors = max(low, lead(c)) if c else low
    grid = max([x - 24 for v, x in products if v] + [floors - 26])
    total = Fraction(0)
    for pair in (products[:2], products[2:]):
        h = max((x - 24 for v, x in pair if v), default=0)
        total += floor(sum((floor(v, h) for v, _ in pair), Fraction(0)), grid)
    if not (grid > low and -power(grid) < c < 0):
        total += floor(c, grid)
    return total


def finite(name: str, bits: int) -> int:
    return bits if decode(name, bits).kind == FINITE else 0


def drawn(source: random.Random, name: str, spread: int) -> int:
    """A finite pattern: zero, subnormal, or an exponent within ``spread`` of the middle."""
    form = FORMATS[name]
    sign = form.sign * source.randrange(2)
    mantissa = source.getrandbits(form.mantissas) & -(1 << source.randrange(form.mantissas + 1))
    choice = source.randrange(12)
    if choice < 2:
        return finite(name, sign | (mantissa if choice else 0))
    field = form.bias + source.randint(-spread, spread)
    top = (1 << form.exponents) - (2 if form.special == "ieee" else 1)
    bits = sign | min(max(field, 1), top) << form.mantissas | mantissa
    return finite(name, bits)


def shares(quick: int, count: int) -> pytest.MarkDecorator:
    """Draw a few blocks in the quick run and all of them nightly."""
    many = pytest.param(count, marks=pytest.mark.nightly)
    return pytest.mark.parametrize("count", [quick, many])


def blocks(
    name: str, length: int, count: int, c_format: str = "f32"
) -> Iterator[tuple[list[int], list[int], int]]:
    source = random.Random(f"{name}{length}{c_format}")
    for i in range(count):
        spread = (2, 8, 14, 60)[i % 4]
        a = [drawn(source, name, spread) for _ in range(length)]
        b = [drawn(source, name, spread) for _ in range(length)]
        if i % 3 == 0:
            a[1], b[1] = a[0] ^ FORMATS[name].sign, b[0]
            a[1] = finite(name, a[1])
        yield a, b, drawn(source, c_format, spread * 2)


@shares(500, 1500)
@pytest.mark.parametrize("name", ["f16", "bf16", "xf32"])
def test_rule_3_4(name: str, count: int) -> None:
    length = 4 if name == "xf32" else 8
    for a, b, c in blocks(name, length, count):
        want = rule_3_4(terms(name, a, b), exact("f32", c), decode("f32", c).exponent)
        assert dot("cdna3_truncated", a, b, c, a_format=name) == want, (a, b, c)


@shares(200, 1200)
@pytest.mark.parametrize("name", ["fp8_fnuz", "bf8_fnuz", "fp8_ocp", "bf8_ocp"])
def test_rule_3_5(name: str, count: int) -> None:
    for a, b, c in blocks(name, 16, count):
        want = rule_3_5(terms(name, a, b), exact("f32", c), decode("f32", c).exponent)
        assert dot("cdna3_even_odd", a, b, c, a_format=name) == want, (a, b, c)


def flushed(name: str, bits: int) -> int:
    form = FORMATS[name]
    return bits if bits & form.infinity or name == "f16" else bits & form.sign


def bits_4_3(name: str, out: str, total: Fraction) -> int:
    """4.3 step 7 and 4.4; 24 bits with unbounded exponent are f64 cut by hand."""
    if out == "f16":
        bits = signed_bits("f16", total)
        return bits if bits & 0x7FFF else 0
    if not total:
        return 0
    unit = power(lead(total) - 23)
    rounded = round(total / unit) * unit
    if abs(rounded) < power(-126):
        return 0
    bits = signed_bits("f32", rounded)
    return bits >> 16 if out == "bf16" else bits


@pytest.mark.parametrize(
    ("name", "out"), [("f16", "f32"), ("bf16", "f32"), ("f16", "f16"), ("bf16", "bf16")]
)
def test_rule_4_3(name: str, out: str) -> None:
    for a, b, c in blocks(name, 2, 2500, out):
        kept = [[flushed(name, x) for x in line] for line in (a, b)]
        addend = flushed(out, c)
        signs = [bool(c & FORMATS[out].sign)]
        signs += [bool((x ^ y) & FORMATS[name].sign) for x, y in zip(a, b, strict=True)]
        products = terms(name, kept[0], kept[1])
        total = rule_4_3(products, exact(out, addend), signs, -14 if out == "f16" else None)
        got = dot("rdna3_step", a, b, c, a_format=name, c_format=out)
        assert got == bits_4_3(name, out, total), (a, b, c)


@pytest.mark.parametrize("name", ["f16", "bf16"])
def test_rule_5_3_to_f32(name: str) -> None:
    for a, b, c in blocks(name, 4, 2000):
        want = signed_bits("f32", rule_5_3(terms(name, a, b), exact("f32", c), -126))
        want = 0 if want == 0x80000000 else want
        assert dot("rdna4_step", a, b, c, a_format=name) == want, (a, b, c)


def test_rule_5_3_to_packed_f16() -> None:
    for a, b, c in blocks("f16", 4, 2000, "f16"):
        want = signed_bits("f16", rule_5_3(terms("f16", a, b), exact("f16", c), -14))
        want = 0 if want == 0x8000 else want
        assert dot("rdna4_step", a, b, c, a_format="f16", c_format="f16") == want, (a, b, c)
