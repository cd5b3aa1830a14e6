"""Names that other tools have for number formats, against ml_dtypes, Triton and NumPy."""

import ml_dtypes
import numpy as np
import pytest

from wavemma.errors import UnknownFormat
from wavemma.formats import decode, number_format
from wavemma.tables.format_names import (
    format_among,
    format_name_rows,
    formats_alike,
    formats_called,
    is_format_name,
    meaning,
)
from wavemma.tables.formats import format_rows

# The type of ml_dtypes or NumPy whose codes a name's are, as its own tool says.
SAME = {
    "torch.float8_e4m3fn": "float8_e4m3fn", "F8E4M3FN": "float8_e4m3fn", "fp8e4nv": "float8_e4m3fn",
    "__hip_fp8_e4m3": "float8_e4m3fn", "HIP_R_8F_E4M3": "float8_e4m3fn",
    "F8_E4M3": "float8_e4m3fn", "tl.float8e4nv": "float8_e4m3fn", "float_e4m3_t": "float8_e4m3fn",
    "float8_e4m3fnuz": "float8_e4m3fnuz", "fp8e4b8": "float8_e4m3fnuz",
    "__hip_fp8_e4m3_fnuz": "float8_e4m3fnuz", "f8E4M3FNUZ": "float8_e4m3fnuz",
    "torch.float8_e5m2": "float8_e5m2", "fp8e5": "float8_e5m2", "__nv_fp8_e5m2": "float8_e5m2",
    "torch.float8_e5m2fnuz": "float8_e5m2fnuz", "fp8e5b16": "float8_e5m2fnuz",
    "torch.float8_e8m0fnu": "float8_e8m0fnu", "ue8m0": "float8_e8m0fnu", "E8M0": "float8_e8m0fnu",
    "float6_e2m3fn": "float6_e2m3fn", "E2M3": "float6_e2m3fn", "float_e2m3_t": "float6_e2m3fn",
    "float6_e3m2fn": "float6_e3m2fn", "bfloat6": "float6_e3m2fn", "f6E3M2FN": "float6_e3m2fn",
    "float4_e2m1fn": "float4_e2m1fn", "torch.float4_e2m1fn_x2": "float4_e2m1fn",
    "E2M1": "float4_e2m1fn", "mxfp4": "float4_e2m1fn", "nvfp4": "float4_e2m1fn",
    "torch.bfloat16": "bfloat16", "bfloat": "bfloat16", "__hip_bfloat16": "bfloat16",
    "np.float16": "float16", "half": "float16", "torch.half": "float16", "_Float16": "float16",
    "float32": "float32", "single": "float32", "float": "float32", "jax.numpy.float32": "float32",
    "double": "float64", "float64": "float64", "int32": "int32",
}  # fmt: skip


@pytest.mark.parametrize(("name", "dtype"), SAME.items())
def test_a_name_means_the_format_with_the_codes_of_its_type(name: str, dtype: str) -> None:
    found = number_format(name)
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    count = min(found.codes, 1 << 16)
    codes = np.arange(count, dtype=f"u{kind.itemsize}")
    with np.errstate(invalid="ignore"):
        theirs = codes.view(kind).astype(np.float64)
    np.testing.assert_array_equal(np.asarray(decode(found, codes), np.float64), theirs)
    assert found.bits == (8 * kind.itemsize if kind.itemsize > 1 else found.bits)


def test_every_name_of_ml_dtypes_is_known_or_told() -> None:
    for name in dir(ml_dtypes):
        if name.startswith(("float", "bfloat")):
            assert is_format_name(name), name


def test_every_float_of_triton_is_known() -> None:
    """FP_TYPES of Triton 3.9."""
    fp8 = ("fp8e4b15", "fp8e4nv", "fp8e4b8", "fp8e5", "fp8e5b16")
    for name in (*fp8, "fp16", "bf16", "fp32", "fp64"):
        assert is_format_name(name), name


@pytest.mark.parametrize(
    ("name", "count"),
    [("fp8", 2), ("float8", 4), ("bfloat8", 2), ("e5m2", 2), ("mxfp8", 2), ("mxfp6", 2)],
)
def test_a_name_of_several_formats_says_which(name: str, count: int) -> None:
    found = formats_called(name)
    assert len(found) == count
    with pytest.raises(UnknownFormat, match=f"'{name}' may be {' or '.join(found)}"):
        number_format(name)


def test_e4m3_is_a_factor_of_either_family_or_a_scale() -> None:
    assert formats_called("e4m3") == ("fp8_ocp", "fp8_fnuz", "e4m3")
    assert formats_called("E5M3") == ("e5m3",)


@pytest.mark.parametrize("name", ["float8", "mxfp8", "mxfp6"])
def test_formats_that_part_their_bits_otherwise_are_not_alike(name: str) -> None:
    with pytest.raises(UnknownFormat, match=r"\(E\dM\d\) or \w+ \(E\dM\d\)"):
        formats_alike(name)


@pytest.mark.parametrize("name", ["float8_e4m3", "float8_e3m4", "fp8e4b15", "mxint8", "f8E3M4"])
def test_a_format_of_no_instruction_is_told(name: str) -> None:
    with pytest.raises(UnknownFormat, match=rf"'{name}' of [\w ]+ is .*instruction"):
        formats_called(name)


@pytest.mark.parametrize(
    ("name", "signed"), [("uint8", False), ("u4", False), ("int8", True), ("int4", True)]
)
def test_integers_say_their_sign(name: str, signed: bool) -> None:
    assert meaning(name).signed is signed


def test_one_of_an_operands_formats() -> None:
    scales = ("e8m0", "e5m3", "e4m3")
    assert format_among("float8_e4m3fn", scales, "x") == "e4m3"
    assert format_among("float8_e8m0fnu", scales, "x") == "e8m0"
    factors = ("fp8_ocp", "bf8_ocp", "fp6", "bf6", "fp4")
    assert format_among("fp8", factors, "x") == "fp8_ocp"
    with pytest.raises(UnknownFormat, match="'float8' may be fp8_ocp or bf8_ocp for x"):
        format_among("float8", factors, "x")
    with pytest.raises(UnknownFormat, match=r"x must be fp8_ocp or .*; 'half' was given"):
        format_among("half", factors, "x")


def test_no_name_hides_a_format_of_ours() -> None:
    ours = {word for row in format_rows().values() for word in (row.name, row.type)}
    assert not ours & set(format_name_rows())
