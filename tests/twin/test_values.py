"""Decoding and rounding against Python's own IEEE packing and against fractions."""

import math
import random
import struct
from fractions import Fraction

import pytest

from tests.twin import values
from tests.twin.ieee import add
from tests.twin.values import FINITE, FORMATS, INFINITE, NAN, decode, encode, exact

CODES = {"f16": "<eH", "f32": "<fI", "f64": "<dQ"}


def unpacked(name: str, bits: int) -> float:
    code = CODES[name]
    return float(struct.unpack("<" + code[1], struct.pack("<" + code[2], bits))[0])


def packed(name: str, number: float) -> int:
    code = CODES[name]
    try:
        raw = struct.pack("<" + code[1], number)
    except OverflowError:
        return FORMATS[name].infinity | (FORMATS[name].sign if number < 0 else 0)
    return int(struct.unpack("<" + code[2], raw)[0])


def patterns(name: str, count: int) -> list[int]:
    width = FORMATS[name].width
    source = random.Random(name)
    return [source.getrandbits(width) for _ in range(count)]


@pytest.mark.parametrize("name", sorted(CODES))
def test_decode_is_ieee(name: str) -> None:
    width = FORMATS[name].width
    for bits in range(1 << 16) if width == 16 else patterns(name, 5000):
        value, number = decode(name, bits), unpacked(name, bits)
        kind = NAN if math.isnan(number) else INFINITE if math.isinf(number) else FINITE
        assert value.kind == kind
        assert kind == NAN or value.negative == (math.copysign(1, number) < 0)
        assert kind != FINITE or exact(name, bits) == Fraction(number)


@pytest.mark.parametrize("name", ["f16", "f32"])
def test_encode_rounds_as_ieee(name: str) -> None:
    for bits in patterns("f64", 20000):
        squeezed = (bits & ~(0x7FF << 52)) | (1023 + (bits >> 52) % 330 - 165) << 52
        number = unpacked("f64", squeezed)
        ratio = Fraction(number)
        power = ratio.denominator.bit_length() - 1
        assert encode(name, ratio.numerator, -power) == packed(name, number), hex(squeezed)


@pytest.mark.parametrize("name", ["f16", "bf16", "f32", "f64"])
def test_encode_undoes_decode_in_both_roundings(name: str) -> None:
    for bits in patterns(name, 3000):
        value = decode(name, bits)
        if value.kind == FINITE and value.significand:
            for nearest in (True, False):
                assert encode(name, value.signed, value.power, nearest=nearest) == bits


@pytest.mark.parametrize("name", ["f16", "bf16", "f32"])
def test_encode_picks_the_nearest_neighbour_and_truncation_the_inner_one(name: str) -> None:
    form = FORMATS[name]
    source = random.Random(name)
    for _ in range(3000):
        low = source.randrange(form.infinity - 1)
        below, above = exact(name, low), exact(name, low + 1)
        part = source.choice([Fraction(source.randrange(1, 64), 64), Fraction(1, 2)])
        number = below + (above - below) * part
        want = low + (part > Fraction(1, 2) or (part == Fraction(1, 2) and low % 2 == 1))
        assert values.encode_fraction(name, number) == want
        assert values.encode_fraction(name, -number) == want | form.sign
        assert values.encode_fraction(name, number, nearest=False) == low


def test_bf16_is_the_upper_half_of_f32() -> None:
    for bits in range(1 << 16):
        narrow, wide = decode("bf16", bits), decode("f32", bits << 16)
        assert (narrow.kind, narrow.negative) == (wide.kind, wide.negative)
        assert narrow.exponent == wide.exponent
        assert values.widen("bf16", bits) == bits << 16
        assert narrow.kind != FINITE or exact("bf16", bits) == exact("f32", bits << 16)


@pytest.mark.parametrize(
    ("name", "greatest", "finite"),
    [
        ("f16", 65504, 63488),
        ("fp8_fnuz", 240, 255),
        ("bf8_fnuz", 57344, 255),
        ("fp8_ocp", 448, 254),
        ("bf8_ocp", 57344, 248),
        ("fp6", Fraction(15, 2), 64),
        ("bf6", 28, 64),
        ("fp4", 6, 16),
        ("e5m3", 114688, 255),
        ("e4m3", 448, 254),
    ],
)
def test_the_greatest_value_and_the_number_of_finite_patterns(
    name: str, greatest: Fraction | int, finite: int
) -> None:
    decoded = [b for b in range(1 << FORMATS[name].width) if decode(name, b).kind == FINITE]
    assert len(decoded) == finite
    assert max(exact(name, b) for b in decoded) == greatest


def test_e8m0_is_a_power_of_two_or_nan() -> None:
    assert [decode("e8m0", b).kind for b in (0, 0xFE, 0xFF)] == [FINITE, FINITE, NAN]
    for bits in range(255):
        value = decode("e8m0", bits)
        assert (value.significand, value.power) == (1, bits - 127)


def test_xf32_is_f32_with_its_low_bits_cleared() -> None:
    for bits in patterns("f32", 3000):
        assert decode("xf32", bits) == decode("f32", bits & 0xFFFFE000)


def test_a_sum_of_two_f32_is_the_f64_sum_rounded() -> None:
    for x, y in zip(patterns("f32", 4000), patterns("f64", 4000), strict=True):
        other = (x & 0xFF800000) ^ (y & 0x83FFFFFF)
        numbers = [unpacked("f32", bits) for bits in (x, other)]
        if all(map(math.isfinite, numbers)):
            want = packed("f32", sum(numbers))
            assert add(decode("f32", x), decode("f32", other), "f32") == want


def test_packing_is_undone() -> None:
    for width in (4, 6, 8):
        elements = [(7 * i + 3) % (1 << width) for i in range(32)]
        assert values.unpack(values.pack(elements, width), width) == elements
