"""Examples of the CDNA rules, 8-bit dot products, block scales and decoding."""

import numpy as np
import pytest

from tests.numerics.examples import ROWS, covers, equal_or_both_nan, is_nan, one, setting
from wavemma.formats.decode import decode
from wavemma.formats.format import number_format
from wavemma.numerics.dot import Scales

pytestmark = pytest.mark.facts


@covers("dot_of_four")
def test_dot_of_four(number: int) -> None:
    row = ROWS[number]
    kind = "bf8_ocp" if "BF8" in row.instruction else "fp8_ocp"
    got = one("grouped_4", setting(kind), row.words("A"), row.words("B"), row.words("C")[0])
    assert f"{got:08x}" == row.results()[0]


CDNA = {
    69: [("exact_4", "f16")],
    70: [("exact_2", "bf16")],
    71: [("flush_4", "f16")],
    72: [("flush_2", "bf16")],
    73: [("flush_4", "bf16")],
    76: [("even_odd_16", "bf8_fnuz")],
    **{n: [("truncated_8", "f16")] for n in (74, 77, 78, 79, 80, 81, 82, 83)},
    **{n: [("truncated_8", "bf16")] for n in (75, 84, 85, 86, 87)},
    **{n: [("truncated_4", "xf32")] for n in (88, 89)},
    **{n: [("even_odd_16", "fp8_fnuz")] for n in (90, 91, 92, 93)},
    **{n: [("flush_4", "f16"), ("exact_4", "f16")] for n in (94, 95, 96, 97, 131)},
    98: [("flush_2", "bf16"), ("exact_2", "bf16")],
    **{n: [("fma_chain", "f32")] for n in (100, 101, 102)},
}


@covers("cdna_floats")
def test_cdna_floats(number: int) -> None:
    row = ROWS[number]
    for (name, kind), want in zip(CDNA[number], row.results(), strict=True):
        got = one(name, setting(kind), row.words("A"), row.words("B"), row.words("C")[0])
        assert equal_or_both_nan(got, int(want[:8], 16)), f"{name}: {got:08x}"


@covers("long_sum")
def test_published_long_sum(number: int) -> None:
    k = np.arange(8192)
    a = np.where(k % 2 == 1, 0.25, 0.125)
    b = np.full(8192, -0.125)
    a[0] = b[0] = 1024.0
    codes = [m.astype(np.float16).view(np.uint16) for m in (a, b)]
    got = one("exact_4", setting("f16"), *codes, 0)
    rest = np.uint32(got).view(np.float32) - np.float32(2**20)
    assert f"{rest.view(np.uint32):08x}" == ROWS[number].result[1:9]


DECODED = {
    110: "fp8_ocp",
    111: "fp8_fnuz",
    112: "bf8_ocp",
    113: "bf8_fnuz",
    114: "fp6",
    115: "bf6",
    116: "fp4",
    117: "e8m0",
    118: "e5m3",
}


@covers("decoding")
def test_decoding(number: int) -> None:
    row = ROWS[number]
    codes = [int(code, 16) for code in row.inputs.split("/")]
    values = decode(number_format(DECODED[number]), codes).astype(np.float32)
    got = ["NaN" if np.isnan(v) else f"{v.view(np.uint32):08x}" for v in values]
    assert got == row.results()


@covers("scales_at_once")
def test_block_scales_at_once(number: int) -> None:
    given = setting(
        "fp8_ocp", scale_block=32, scale_a=number_format("e8m0"), scale_b=number_format("e8m0")
    )
    byte = 0x80 if number == 120 else 0xFF
    scales = Scales([[byte] * 4], [[0x7E]] * 4)
    got = one("block_fma_32", given, [0x38] * 128, [0x38] * 128, 0x3F800000, scales)
    if number == 121:
        assert is_nan(got)
    else:
        assert f"{got:08x}" == ROWS[number].results()[0]


@covers("scales_one_by_one")
def test_block_scales_one_by_one(number: int) -> None:
    given = setting(
        "fp4", scale_block=32, scale_a=number_format("e4m3"), scale_b=number_format("e4m3")
    )
    scales = Scales([[0x30] * 4], [[0x40]] * 4)
    got = one("block_scaled_fma", given, [2] * 128, [2] * 128, 0, scales)
    assert f"{got:08x}" == ROWS[number].results()[0]
