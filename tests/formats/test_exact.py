"""Exact numbers are rounded once, also those that f64 cannot hold."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.rules import RULES, positive
from wavemma.formats import encode_exact, number_format
from wavemma.formats.exact import as_f64, nearest_odd

ROUNDINGS = ("nearest_even", "nearest_away", "zero", "up", "down", "odd")
SIGNED = [name for name, rule in RULES.items() if rule.sign]
fractions = st.builds(
    lambda n, d, e: Fraction(n, d) * Fraction(2) ** e,
    st.integers(-(10**9), 10**9),
    st.integers(1, 10**9),
    st.integers(-160, 130),
)


@given(fractions, st.sampled_from(SIGNED), st.sampled_from(ROUNDINGS))
def test_exact_numbers_are_rounded_once(value, name, rounding):
    got = encode_exact(number_format(name), value, rounding=rounding, overflow="saturate")
    known = positive(name)
    size = abs(value)
    if size >= known[-1][1]:
        assert got & ((1 << (RULES[name].bits - 1)) - 1) == known[-1][0]
        return
    low = max((pair for pair in known if pair[1] <= size), key=lambda pair: pair[1])
    high = known[low[0] + 1]
    middle = (low[1] + high[1]) / 2
    up = {
        "nearest_even": size > middle or (size == middle and low[0] % 2 == 1),
        "nearest_away": size >= middle,
        "zero": False,
        "up": value > 0,
        "down": value < 0,
        "odd": low[0] % 2 == 0,
    }[rounding]
    want = high[0] if up and size != low[1] else low[0]
    if value < 0 and (want or RULES[name].special != "fnuz"):
        want |= 1 << (RULES[name].bits - 1)
    assert got == want


def test_exact_numbers_beyond_f64():
    assert encode_exact(number_format("f16"), Fraction(10) ** 400) == 0x7C00
    assert encode_exact(number_format("f16"), Fraction(10) ** 400, rounding="zero") == 0x7BFF
    assert encode_exact(number_format("f16"), Fraction(-1, 10**400), rounding="down") == 0x8001
    assert encode_exact(number_format("f64"), Fraction(1, 10)) == 0x3FB999999999999A
    assert encode_exact(number_format("f64"), -(Fraction(10) ** 400)) == 0xFFF0000000000000


@given(fractions)
def test_the_nearest_odd_number_is_beside_the_exact_one(value):
    found = nearest_odd(value)
    if Fraction(found) == value:
        return
    low, high = sorted((found, math.nextafter(found, math.inf if found < value else -math.inf)))
    assert Fraction(low) < value < Fraction(high)
    assert math.frexp(found)[0] * 2.0**53 % 2 == 1


def test_nearest_odd_at_the_ends_of_f64():
    assert nearest_odd(Fraction(0)) == 0.0
    assert nearest_odd(Fraction(1, 10**400)) == 5e-324
    assert nearest_odd(-(Fraction(10) ** 400)) == -1.7976931348623157e308
    assert nearest_odd(Fraction(5, 2) * Fraction(2) ** -1074) == 3 * 5e-324


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "u4", "i8", "?"])
def test_real_numbers_are_taken_as_they_are(dtype):
    array = np.array([0, 1, 1], dtype)
    assert as_f64(array).tolist() == [0.0, 1.0, 1.0]
    assert as_f64(array).dtype == np.float64
