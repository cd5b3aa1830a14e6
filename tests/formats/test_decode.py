"""Every code of every format of at most 16 bits, against an exact twin and two libraries."""

import math

import gfloat
import gfloat.formats
import ml_dtypes
import numpy as np
import pytest

from tests.formats.rules import INFINITE, NAN, RULES, exact
from wavemma.formats import decode, number_format, number_formats

pytestmark = pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")

EXAMPLES = {
    "fp8_ocp": {0x01: 0x3B000000, 0x08: 0x3C800000, 0x38: 0x3F800000, 0x7E: 0x43E00000},
    "fp8_fnuz": {0x01: 0x3A800000, 0x08: 0x3C000000, 0x40: 0x3F800000, 0x7F: 0x43700000},
    "bf8_ocp": {0x01: 0x37800000, 0x3C: 0x3F800000, 0x7B: 0x47600000, 0x7C: 0x7F800000},
    "bf8_fnuz": {0x01: 0x37000000, 0x40: 0x3F800000, 0x7F: 0x47600000},
    "fp6": {
        0x01: 0x3E000000,
        0x08: 0x3F800000,
        0x1F: 0x40F00000,
        0x20: 0x80000000,
        0x3F: 0xC0F00000,
    },
    "bf6": {0x01: 0x3D800000, 0x0C: 0x3F800000, 0x1F: 0x41E00000, 0x3F: 0xC1E00000},
    "fp4": {0x1: 0x3F000000, 0x2: 0x3F800000, 0x7: 0x40C00000, 0x8: 0x80000000, 0xF: 0xC0C00000},
    "e8m0": {0x00: 0x00400000, 0x7F: 0x3F800000, 0xFE: 0x7F000000},
    "e5m3": {
        0x01: 0x37000000,
        0x07: 0x38600000,
        0x08: 0x38800000,
        0x78: 0x3F800000,
        0xFE: 0x47E00000,
    },
}
"""Examples 110 to 118 of numerics.md: code to f32 bits."""

NANS = {
    "fp8_ocp": (0x7F, 0xFF),
    "fp8_fnuz": (0x80,),
    "bf8_ocp": (0x7D,),
    "bf8_fnuz": (0x80,),
    "e8m0": (0xFF,),
    "e5m3": (0xFF,),
}


def same(got, want):
    """Equal bits, with all NaN alike."""
    both = np.isnan(got) & np.isnan(want)
    return both | (np.asarray(got).view(np.int64) == np.asarray(want, np.float64).view(np.int64))


def test_every_small_float_format_is_here():
    small = {form.name for form in number_formats() if form.is_float and form.bits <= 16}
    assert small == set(RULES)
    assert {form.name for form in number_formats()} - small == {
        *("f64", "f32", "xf32"),
        *("i32", "i8", "iu8", "iu4"),
    }


@pytest.mark.parametrize("name", RULES)
def test_every_code_is_the_number_of_the_exact_twin(name):
    rule, form = RULES[name], number_format(name)
    assert form.bits == rule.bits
    codes = np.arange(1 << rule.bits)
    for code, got in zip(codes.tolist(), decode(form, codes).tolist(), strict=True):
        negative, want = exact(rule, code)
        if want == NAN:
            assert math.isnan(got)
        elif want == INFINITE:
            assert got == (-math.inf if negative else math.inf)
        else:
            assert got == want
            assert math.copysign(1, got) == (-1 if negative else 1), hex(code)


@pytest.mark.parametrize("name", [name for name, rule in RULES.items() if rule.dtype])
def test_every_code_is_the_number_of_ml_dtypes(name):
    rule = RULES[name]
    codes = np.arange(1 << rule.bits).astype(f"u{(rule.bits + 7) // 8}")
    dtype = getattr(ml_dtypes, rule.dtype, rule.dtype)
    want = codes.view(dtype).astype(np.float64)
    assert same(decode(number_format(name), codes), want).all()


@pytest.mark.parametrize("name", [name for name, rule in RULES.items() if rule.gfloat])
def test_every_code_is_the_number_of_gfloat(name):
    rule = RULES[name]
    codes = np.arange(1 << rule.bits)
    info = getattr(gfloat.formats, f"format_info_{rule.gfloat}")
    assert same(decode(number_format(name), codes), gfloat.decode_ndarray(info, codes)).all()


def test_all_but_two_formats_have_an_outside_oracle():
    alone = {name for name, rule in RULES.items() if not rule.dtype}
    assert alone == {"e5m3"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_of_the_facts(name):
    codes = list(EXAMPLES[name])
    want = np.array(list(EXAMPLES[name].values()), np.uint32).view(np.float32).astype(np.float64)
    assert same(decode(number_format(name), codes), want).all()
    assert np.isnan(decode(number_format(name), list(NANS.get(name, ())))).all()


def test_scale_byte_zero_is_no_zero():
    assert decode(number_format("e8m0"), [0x00]).tolist() == [2.0**-127]


def test_wide_floats_are_their_bits():
    bits = np.random.default_rng(1).integers(0, 1 << 32, 100_000, dtype=np.uint64)
    want = bits.astype(np.uint32).view(np.float32).astype(np.float64)
    assert same(decode(number_format("f32"), bits), want).all()
    cut = (bits & 0xFFFFE000).astype(np.uint32).view(np.float32).astype(np.float64)
    assert same(decode(number_format("xf32"), bits), cut).all()
    wide = np.random.default_rng(2).integers(0, 1 << 63, 1000, dtype=np.uint64)
    assert (decode(number_format("f64"), wide).view(np.uint64) == wide).all()


@pytest.mark.parametrize(("name", "bits"), [("i8", 8), ("iu8", 8), ("iu4", 4)])
def test_integers_are_twos_complement(name, bits):
    codes, half = np.arange(1 << bits), 1 << (bits - 1)
    signed = [code - (1 << bits) if code >= half else code for code in codes.tolist()]
    assert decode(number_format(name), codes).tolist() == signed
    unsigned = decode(number_format(name), codes, signed=False).tolist()
    assert unsigned == (signed if name == "i8" else codes.tolist())


def test_i32():
    codes = [0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]
    assert decode(number_format("i32"), codes).tolist() == [0, 1, 2**31 - 1, -(2**31), -1]
