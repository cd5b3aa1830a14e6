import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.rules import RULES, positive
from wavemma.errors import ArrayMistake, OutOfRange, SyntaxMistake, UnknownFormat
from wavemma.explain.rounding import value_codes
from wavemma.explain.written_number import parse_number, whole_number


def one(name, text, **options):
    encodings = value_codes(name, [text], **options).encodings
    # Other formats that go by the name too come beside it: e4m3 is one of scales and of elements.
    (encoding,) = [each for each in encodings if len(encodings) == 1 or each.format == name]
    return encoding.numbers[0]


def test_a_number_on_two_targets():
    answer = value_codes("fp8", ["1.5", "-300"], ["gfx942", "gfx950"])
    assert [each.format for each in answer.encodings] == ["fp8_fnuz", "fp8_ocp"]
    found = [[number.code.code for number in each.numbers] for each in answer.encodings]
    assert found == [["0x44", "0x80"], ["0x3c", "0xf9"]]
    assert answer.encodings[0].numbers[1].code.kind == "NaN"
    assert answer.encodings[0].numbers[1].error is None
    assert answer.encodings[1].numbers[1].error == 12.0


@pytest.mark.parametrize("name", [name for name in RULES if RULES[name].bits <= 8])
def test_neighbours_are_the_next_numbers(name):
    known = [(code, value) for code, value in positive(name)]
    for (low_code, low), (code, value), (high_code, high) in zip(
        known, known[1:], known[2:], strict=False
    ):
        found = one(name, str(value))
        assert found.is_exact
        assert int(found.code.code, 16) == code
        assert found.below.value == low
        assert found.above.value == high
        assert (int(found.below.code, 16), int(found.above.code, 16)) in (
            (low_code, high_code),
            # Zero's neighbours need no sign.
            (0, high_code),
        )
    assert one(name, str(known[-1][1])).above is None
    if RULES[name].sign:
        zero = one(name, "0")
        assert zero.below.value == -known[1][1]
        assert zero.above.value == known[1][1]
    else:
        assert one(name, str(known[0][1])).below is None


def test_ignored_bits_make_no_neighbours():
    found = one("xf32", "1")
    assert (found.below.value, found.above.value) == (1 - 2.0**-11, 1 + 2.0**-10)


def test_decimals_are_rounded_once():
    # The middle of 1 and 1 + 2^-10, and a little above, where f64 has no digits left.
    middle = Fraction(1) + Fraction(1, 2**11)
    assert one("f16", str(middle)).code.code == "0x3c00"
    assert one("f16", str(middle + Fraction(1, 2**80))).code.code == "0x3c01"
    assert one("f16", str(middle - Fraction(1, 2**80))).code.code == "0x3c00"
    third = one("f16", "1/3")
    assert not third.is_exact
    assert third.error == float(Fraction(third.code.value) - Fraction(1, 3))


def test_rounding_and_overflow_are_told():
    answer = value_codes("fp4", ["7"], rounding="zero", overflow="saturate")
    assert (answer.rounding, answer.overflow) == ("zero", "saturate")
    assert one("f16", "70000").code.text == "inf"
    assert one("f16", "70000", overflow="saturate").code.text == "65504"
    assert one("f16", "70000", rounding="zero").code.text == "65504"
    assert one("f16", "1.0001", rounding="up").code.code == "0x3c01"
    assert one("i8", "300", overflow="wrap").code.text == "44"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.5", Fraction(3, 2)),
        ("1/3", Fraction(1, 3)),
        ("0x1.8p3", Fraction(12)),
        ("-0x1p-2", Fraction(-1, 4)),
        ("1e-400", Fraction(1, 10**400)),
        ("inf", math.inf),
        ("-Infinity", -math.inf),
    ],
)
def test_numbers_are_read_exactly(text, number):
    assert parse_number(text) == number


def test_minus_zero_and_nan_are_kept():
    assert math.copysign(1, parse_number("-0")) == -1
    assert math.copysign(1, parse_number("-0.0")) == -1
    assert math.isnan(parse_number("nan"))
    assert one("f16", "-0").code.code == "0x8000"
    assert one("f16", "-0x0p0").code.code == "0x8000"
    assert one("fp8_ocp", "nan").code.code == "0x7f"
    assert one("fp8_ocp", "nan").is_exact
    assert one("bf8_ocp", "-inf").code.code == "0xfc"


@pytest.mark.parametrize("text", ["", "one", "1/0", "1..2", "0xzz", ".", "0x", "1_0", "١", "0x1_0"])
def test_what_is_no_number(text):
    with pytest.raises(SyntaxMistake, match=r"must be decimal, 0x1\.8p3, n/d, inf or nan"):
        parse_number(text)


def test_hexadecimal_numbers_are_rounded_once():
    # 1 + 2^-11 is the middle of two f16; the last digit lies 2^-64 above it.
    assert one("f16", "0x1.0020000000000001p0").code.code == "0x3c01"
    assert one("f16", "0x1.002p0").code.code == "0x3c00"
    assert one("f16", "0x1p-2000", rounding="up").code.code == "0x0001"
    assert parse_number("-0x.8p-3") == Fraction(-1, 16)
    assert parse_number("0X1P9999") == 2**9999


@given(st.integers(-(10**30), 10**30), st.integers(0, 40), st.integers(-400, 400))
def test_digits_points_and_exponents(digits, after, power):
    for base, mark, written in ((10, "e", str(abs(digits))), (16, "p", f"{abs(digits):x}")):
        written = written.rjust(after + 1, "0")
        whole, part = written[: len(written) - after], written[len(written) - after :]
        text = f"{'-' * (digits < 0)}{'0x' * (base == 16)}{whole}.{part}{mark}{power}"
        scale = Fraction(10 if base == 10 else 2) ** power
        assert parse_number(text) == Fraction(digits, base**after) * scale


@pytest.mark.parametrize(
    "text", ["1e-999999999", "1e999999999", "0x1p99999", "1e" + "9" * 500, "9" * 5000, "1e-10000"]
)
def test_numbers_beyond_every_use_are_refused_at_once(text):
    with pytest.raises(OutOfRange, match=r"must (lie within|have at most)"):
        parse_number(text)


@pytest.mark.parametrize("text", ["1e999", "1e9999", "9" * 400, "1/3" + "0" * 400, "-1e999"])
def test_numbers_that_no_float_holds(text):
    wanted = "0x0000" if "/" in text else "0xfc00" if text[0] == "-" else "0x7c00"
    assert one("f16", text).code.code == wanted
    assert not one("f16", text).is_exact
    kept = one("f16", text, overflow="saturate")
    assert kept.code.value == {"0x0000": 0.0, "0x7c00": 65504.0, "0xfc00": -65504.0}[wanted]
    assert (kept.error is None) == ("/" not in text)


@pytest.mark.parametrize(
    ("text", "number"), [("12", 12), ("-3", -3), ("+0x1F", 31), ("010", 10), ("0b101", 5)]
)
def test_whole_numbers(text, number):
    assert whole_number(text) == number


@pytest.mark.parametrize("text", ["1.0", "1.5", "1_0", "٣", " 1", "", "0x", "1e3", "--1", "²"])
def test_what_is_no_whole_number(text):
    with pytest.raises(SyntaxMistake, match="whole number such as 12 or 0x1f"):
        whole_number(text)


def test_what_no_code_stands_for():
    with pytest.raises(ArrayMistake, match="fp4 has no NaN; got nan"):
        value_codes("fp4", ["nan"])
    with pytest.raises(ArrayMistake, match="e8m0 has no negative numbers"):
        value_codes("e8m0", ["-1"])
    with pytest.raises(ArrayMistake, match="i8 goes from -128 to 127; got 300"):
        value_codes("i8", ["300"])
    with pytest.raises(UnknownFormat):
        value_codes("fp8", ["1"], ["gfx1100"])
