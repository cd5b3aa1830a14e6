"""The bridge to array types: what each type can be, and its codes."""

import ml_dtypes
import numpy as np
import pytest

from tests.formats.rules import RULES
from wavemma.errors import UnknownFormat
from wavemma.formats import (
    code_dtype,
    codes_of,
    decode,
    dtype_of,
    formats_of,
    number_format,
    number_formats,
    typed,
)
from wavemma.formats.dtypes import dtype_called, known_dtypes

pytestmark = pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")


@pytest.mark.parametrize("name", [name for name, rule in RULES.items() if rule.dtype])
def test_every_code_is_itself_as_a_number_of_its_type(name):
    form = number_format(name)
    codes = np.arange(form.codes).astype(code_dtype(form))
    numbers = typed(codes, form)
    assert numbers.dtype == np.dtype(getattr(ml_dtypes, RULES[name].dtype, RULES[name].dtype))
    assert (codes_of(numbers, form) == codes).all()
    want = decode(form, codes)
    got = numbers.astype(np.float64)
    assert ((got == want) | (np.isnan(got) & np.isnan(want))).all()
    assert name in formats_of(numbers.dtype).formats


def test_the_types_of_formats():
    have = {form.name: str(dtype_of(form)) for form in number_formats() if dtype_of(form)}
    assert len(have) == len(number_formats()) - 4
    assert {form.name for form in number_formats()} - set(have) == {"xf32", "e5m3", "iu8", "iu4"}
    assert str(dtype_of(number_format("iu4"), signed=True)) == "int4"
    assert str(dtype_of(number_format("iu8"), signed=False)) == "uint8"
    assert set(have.values()) < set(known_dtypes())


@pytest.mark.parametrize(
    ("dtype", "formats", "signed"),
    [
        (np.float32, ("f32", "xf32"), True),
        (np.float64, ("f64",), True),
        (np.float16, ("f16",), True),
        (ml_dtypes.bfloat16, ("bf16",), True),
        (ml_dtypes.float8_e4m3fn, ("fp8_ocp", "e4m3"), True),
        (ml_dtypes.float8_e4m3fnuz, ("fp8_fnuz",), True),
        (ml_dtypes.float4_e2m1fn, ("fp4",), True),
        (np.int32, ("i32",), True),
        (np.int8, ("i8", "iu8"), True),
        (np.uint8, ("iu8",), False),
        (ml_dtypes.int4, ("iu4",), True),
        (ml_dtypes.uint4, ("iu4",), False),
        (np.int64, (), True),
        (np.complex64, (), True),
    ],
)
def test_what_a_type_can_be(dtype, formats, signed):
    assert formats_of(np.dtype(dtype)) == (formats, signed)


def test_codes_of_other_arrays():
    form = number_format("iu4")
    assert codes_of(np.array([-1, 7], ml_dtypes.int4), form).tolist() == [15, 7]
    assert codes_of(np.array([[1], [2]], np.int64)[::-1], number_format("iu8")).tolist() == [
        [2],
        [1],
    ]
    assert codes_of(np.float16(1.0).reshape(()), number_format("f16")).shape == ()
    # What stands above a narrow code is not part of it.
    assert codes_of(np.array([0xF7, 0x48], np.uint8), form).tolist() == [7, 8]
    assert codes_of(np.array([0xFF], np.uint8), number_format("fp6")).tolist() == [0x3F]
    strided = np.arange(8, dtype=np.float32)[::2]
    assert codes_of(strided, number_format("f32")).tolist() == strided.view(np.uint32).tolist()


@pytest.mark.parametrize(
    ("word", "dtype"),
    [
        ("bf16", ml_dtypes.bfloat16),
        ("fp8_e4m3fn", ml_dtypes.float8_e4m3fn),
        ("float8_e5m2", ml_dtypes.float8_e5m2),
        ("fp8_fnuz", ml_dtypes.float8_e4m3fnuz),
        ("torch.float8_e4m3fn", ml_dtypes.float8_e4m3fn),
        ("half", np.float16),
        ("fp6", ml_dtypes.float6_e2m3fn),
        ("fp4", ml_dtypes.float4_e2m1fn),
        ("i4", ml_dtypes.int4),
        ("u8", np.uint8),
        ("fp16", np.float16),
        ("fp32", np.float32),
        ("fp64", np.float64),
    ],
)
def test_types_by_their_words(word, dtype):
    assert dtype_called(word) == np.dtype(dtype)


def test_a_word_of_two_families_means_the_one_that_can_be():
    with pytest.raises(UnknownFormat, match=r"'fp8' may be float8_e4m3fn .* or float8_e4m3fnuz"):
        dtype_called("fp8")
    assert dtype_called("fp8", ["fp8_fnuz", "bf16"]) == np.dtype(ml_dtypes.float8_e4m3fnuz)
    assert dtype_called("e4m3", ["fp8_ocp", "e4m3"]) == np.dtype(ml_dtypes.float8_e4m3fn)


def test_an_unknown_word():
    with pytest.raises(UnknownFormat, match="'bf17' is not a number format"):
        dtype_called("bf17")
