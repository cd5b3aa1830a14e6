"""The array engine against Python's exact integers and fractions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavemma.engines.array_engine import ArrayEngine
from wavemma.engines.engine import Lane
from wavemma.engines.fused import add_to_odd

E = ArrayEngine()
WORDS = st.integers(-(2**31), 2**31 - 1)
F32 = st.floats(width=32, allow_nan=False, allow_infinity=False)
F64 = st.floats(allow_nan=False, allow_infinity=False)


def wrap(number: int) -> int:
    return (number + 2**31) % 2**32 - 2**31


def i32(number: int) -> np.ndarray:
    return E.constant(Lane.I32, number)


@given(WORDS, WORDS)
def test_integers_wrap(x: int, y: int) -> None:
    assert int(E.add(i32(x), i32(y))) == wrap(x + y)
    assert int(E.sub(i32(x), i32(y))) == wrap(x - y)
    assert int(E.mul(i32(x), i32(y))) == wrap(x * y)
    assert int(E.neg(i32(x))) == wrap(-x)
    assert bool(E.unsigned_lt(i32(x), i32(y))) == (x % 2**32 < y % 2**32)


@given(WORDS, st.integers(0, 31))
def test_shifts(x: int, amount: int) -> None:
    assert int(E.shl(i32(x), amount)) == wrap(x << amount)
    assert int(E.ashr(i32(x), amount)) == x >> amount
    assert int(E.lshr(i32(x), amount)) == wrap((x % 2**32) >> amount)


@given(st.integers(-(2**63), 2**63 - 1))
def test_leading_zeros(x: int) -> None:
    assert int(E.leading_zeros(E.constant(Lane.I64, x))) == 64 - (x % 2**64).bit_length()


def test_unsigned_constants_wrap() -> None:
    assert int(i32(0x80000000)) == -(2**31)
    assert E.lane(E.constant(Lane.BOOL, 1)) is Lane.BOOL


def nearest_f32(exact: Fraction) -> float:
    """Round an exact number to f32, ties to even, by integers alone."""
    if exact == 0:
        return 0.0
    size = abs(exact)
    exponent = max(
        math.floor(math.log2(size.numerator)) - math.ceil(math.log2(size.denominator)), -127
    )
    while size >= Fraction(2) ** (exponent + 1):
        exponent += 1
    grid = Fraction(2) ** (max(exponent, -126) - 23)
    units = round(size / grid)
    value = float(units * grid) if units * grid < Fraction(2) ** 128 else math.inf
    return math.copysign(value, exact)


def same(got: float, want: float) -> bool:
    """Whether two numbers are equal, and zeros of one sign."""
    return got == want and math.copysign(1, got) == math.copysign(1, want)


def zero_of(x: float, y: float, z: float) -> float:
    """The zero that IEEE 754 gives an exact sum of 0: negative only where both terms are."""
    negative = math.copysign(1, x) * math.copysign(1, y) < 0
    both = negative and z == 0 and math.copysign(1, z) < 0
    return -0.0 if both and 0.0 in (x, y) else 0.0


@given(F32, F32, F32)
def test_fma_rounds_once(x: float, y: float, z: float) -> None:
    got = float(E.fma(*(np.array(v, dtype=np.float32) for v in (x, y, z))))
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    assert same(got, nearest_f32(exact) if exact else zero_of(x, y, z))


ZEROS = list(itertools.product((0.0, -0.0), (1.0, -1.0, 0.0, -0.0), (0.0, -0.0)))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("values", [*ZEROS, (1.0, 1.0, -1.0), (-1.0, 1.0, 1.0)])
def test_fma_gives_the_sign_of_zero(values: tuple[float, float, float], kind: type) -> None:
    got = float(E.fma(*(np.array(v, dtype=kind) for v in values)))
    assert same(got, zero_of(*values)), got


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_fma_underflows_to_a_zero_of_its_sign(kind: type, sign: float) -> None:
    tiny = float(np.finfo(kind).smallest_subnormal)
    for z in (0.0, -0.0):
        got = float(E.fma(*(np.array(v, dtype=kind) for v in (sign * tiny, 0.25, z))))
        assert same(got, sign * 0.0)


TIES = [
    (1 + 2.0**-23, 1 + 2.0**-23, 2.0**-60),
    (1 + 2.0**-12, 1 + 2.0**-12, 2.0**-24 + 2.0**-47),
    (2.0**-75, 2.0**-75, -(2.0**-149)),
    (2.0**-100, -(2.0**-50), 2.0**-149),
    (1 - 2.0**-24, 2.0**-126, 2.0**-149),
]


@pytest.mark.parametrize("values", TIES)
def test_fma_ties_and_subnormals(values: tuple[float, float, float]) -> None:
    x, y, z = values
    got = float(E.fma(*(np.array(v, dtype=np.float32) for v in values)))
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    assert same(got, nearest_f32(exact) if exact else zero_of(x, y, z))


@given(F64, F64, F64)
def test_fma_of_f64(x: float, y: float, z: float) -> None:
    got = float(E.fma(np.array(x), np.array(y), np.array(z)))
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    try:
        want = exact.numerator / exact.denominator if exact else zero_of(x, y, z)
    except OverflowError:
        want = math.inf if exact > 0 else -math.inf
    assert same(got, want)


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300))
def test_add_to_odd(x: float, y: float) -> None:
    exact = Fraction(x) + Fraction(y)
    total = float(add_to_odd(E, np.array(x), np.array(y)))
    if Fraction(total) != exact:
        assert np.float64(total).view(np.uint64) % 2 == 1
        other = math.nextafter(total, math.inf if Fraction(total) < exact else -math.inf)
        low, high = sorted((Fraction(total), Fraction(other)))
        assert low < exact < high
