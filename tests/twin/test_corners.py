"""Corners whose results were worked out by hand from the text, one clause each."""

from typing import Any

import pytest

from tests.twin import dot, is_nan, same


@pytest.mark.parametrize(
    ("smallest", "want"), [(0x1C00, 0x4B800000), (0x2000, 0x4B800001), (0x2400, 0x4B800001)]
)
def test_3_4_keeps_31_places_below_the_lead(smallest: int, want: int) -> None:
    """2^24 + 1 + 2^-8, 2^-7, 2^-6: only the first is floored away and ties to even."""
    got = dot("cdna3_truncated", [0x3C00] * 2, [0x3C00, smallest], 0x4B800000, a_format="f16")
    assert got == want


@pytest.mark.parametrize("rule", ["cdna3_truncated", "cdna4_even_odd_16bit"])
def test_3_4_a_product_of_two_to_128_is_an_infinity(rule: str) -> None:
    a, b = [0x5F80, 0xDF80, 0xDF80], [0x5F80, 0x5F00, 0x5F00]
    assert dot(rule, a, b, 0, a_format="bf16") == 0x7F800000
    assert dot(rule, [*a, 0xDF80], [*b, 0x5F80], 0, a_format="bf16") == 0x7FC00000
    assert dot("cdna1_exact", a, b, 0, a_format="bf16", step=4) == 0


def test_3_4_a_tiny_negative_sum_rounds_to_minus_zero() -> None:
    """-2^-151 from bf16 -2^-75 * 2^-76."""
    assert dot("cdna3_truncated", [0x9A00], [0x1980], 0, a_format="bf16") == 0x80000000


def test_3_9_has_no_cut_off_of_c() -> None:
    options: dict[str, Any] = {"a_format": "f16", "variant": "even_odd"}
    assert dot("cdna4_even_odd_16bit", [0x3C00], [0x3C00], 0xB2800000, **options) == 0x3F7FFFFF


@pytest.mark.parametrize(("scale", "want"), [(0xFE, 0x7F800000), (0xFD, 0x7F000000)])
def test_3_10_a_shifted_product_of_two_to_128_is_an_infinity(scale: int, want: int) -> None:
    options: dict[str, Any] = {"a_format": "fp8_ocp", "scale_a": [scale], "scale_b": [0x7F]}
    a, b = [0x40] + [0] * 31, [0x38] + [0] * 31
    for rule in ("scaled_even_odd", "scaled_reference"):
        assert dot(rule, a, b, 0, **options) == want


def test_3_10_settles_experiment_2_of_section_11() -> None:
    a, b = [2, 0, 10] + [0] * 29 + [2] + [0] * 31, [2] * 64
    options: dict[str, Any] = {"a_format": "fp4", "scale_a": [127 + 40, 127], "scale_b": [127, 127]}
    assert dot("scaled_reference", a, b, 0, **options) == 0x3F800000
    assert dot("scaled_even_odd", a, b, 0, **options) == 0


def test_4_3_packed_f16_aligns_as_if_c_led_at_minus_14() -> None:
    """2^-25 + 2^-41 ties to zero, since 2^-41 lies below the grid 2^-40; 2^-40 does not."""
    for small, want in ((0x0080, 0), (0x0100, 1)):
        got = dot("rdna3_step", [0x0C00, 1], [0x0800, small], 0, a_format="f16", c_format="f16")
        assert got == want


@pytest.mark.parametrize(("factor", "want"), [(0x1780, 0x00800000), (0x1C80, 0)])
def test_4_3_flushes_after_rounding(factor: int, want: int) -> None:
    """2^-126 less one unit of 2^-152 (-2^-160) rounds back up, less 2^-140 it does not."""
    got = dot("rdna3_step", [factor | 0x8000], [factor], 0x00800000, a_format="bf16")
    assert got == want


def test_4_3_a_zero_product_of_the_other_sign_counts_one_unit() -> None:
    """Packed bf16: 1 - 1 unit (2^-24) = 0x3f7fffff, then cut to its upper half."""
    options: dict[str, Any] = {"a_format": "bf16", "c_format": "bf16"}
    assert dot("rdna3_step", [0x3F80, 0x8000], [0x3F80, 0x3F80], 0, **options) == 0x3F7F


@pytest.mark.parametrize(("a", "want"), [(0x1FA0, 1), (0x1F90, 0)])
def test_5_3_aligns_no_finer_than_two_to_minus_152(a: int, want: int) -> None:
    """2^-150 * 1.25 keeps its last bit, 2^-150 * 1.125 is floored to a tie."""
    assert dot("rdna4_step", [a], [0x1480], 0, a_format="bf16") == want


@pytest.mark.parametrize(
    ("name", "out", "b", "want"),
    [("f16", "f16", 0xB400, 0), ("bf16", "bf16", 0xB780, 0x8000), ("bf16", "f32", 0xB680, 0)],
)
def test_5_3_underflow_of_experiment_10(name: str, out: str, b: int, want: int) -> None:
    a_bits, b_bits = [0] * 12 + [1, 0, 0, 0], [0] * 12 + [b, 0, 0, 0]
    assert dot("rdna4_step", a_bits, b_bits, 0, a_format=name, c_format=out) == want


@pytest.mark.parametrize(
    ("c", "want"), [(0xB47FFFFF, 0x40C00000), (0xB4C00000, 0x40BFFFFF), (0xB5000000, 0x40BFFFFF)]
)
def test_5_3_drops_a_negative_c_below_one_unit(c: int, want: int) -> None:
    """4 + 1 + 1 on the grid 2^-22, beside just less, 1.5 times and 2 times one unit."""
    line = [0x4000, 0, 0x3C00, 0x3C00]
    assert dot("rdna4_step", line, line, c, a_format="f16") == want


def test_5_5_experiment_3_of_section_11() -> None:
    """2^16 - 2^16 in one dword; 2^-9 survives in another step, 2 * 2^-9 in another group."""
    big, minus, one = 0x78, 0xF8, 0x38
    base_a, base_b = [big, minus], [big, big]
    for places, want in (((8,), 0x3B000000), ((4,), 0), ((4, 5), 0x3B800000), ((2, 3), 0)):
        a, b = base_a + [0] * 14, base_b + [0] * 14
        for k in places:
            a[k], b[k] = 1, one
        assert dot("rdna4_fp8", a, b, 0, a_format="fp8_ocp") == want


@pytest.mark.parametrize(
    ("a", "b", "c", "want"),
    [
        (0x7C01, 0x7E02, 0x7F800001, 0x7FC02000),
        (0x3C00, 0xFE02, 0x7F800001, 0xFFC04000),
        (0x3C00, 0x3C00, 0xFF800001, 0xFFC00001),
        (0x7C00, 0x0000, 0x00000000, 0xFFC00000),
        (0x7C00, 0x3C00, 0xFF800000, 0xFFC00000),
        (0x7C00, 0x3C00, 0x3F800000, 0x7F800000),
    ],
)
def test_7_nans(a: int, b: int, c: int, want: int) -> None:
    assert dot("cdna5_sequential", [a], [b], c, a_format="f16") == want


@pytest.mark.parametrize(
    ("a", "b", "agree"),
    [
        ("bf8_ocp", "fp4", True),
        ("fp4", "bf8_ocp", True),
        ("fp6", "fp4", False),
        ("f16", "f16", False),
    ],
)
def test_7_what_an_8_bit_nan_of_either_factor_widens_to_is_not_settled(
    a: str, b: str, agree: bool
) -> None:
    found = same("cdna5_sequential", 0x7FE00000, 0x7FC00000, a_format=a, b_format=b)
    assert found == agree
    assert not same("cdna5_sequential", 0x7FE00000, 0x7F800000, a_format=a, b_format=b)


@pytest.mark.parametrize(
    ("out", "plain", "with_ovfl"), [("f16", 0xFC00, 0xFBFF), ("bf16", 0xFF80, 0xFF7F)]
)
def test_7_every_infinity_becomes_the_greatest(out: str, plain: int, with_ovfl: int) -> None:
    for ovfl, want in ((False, plain), (True, with_ovfl)):
        got = dot("cdna5_sequential", [0], [0], plain, a_format=out, c_format=out, fp16_ovfl=ovfl)
        assert got == want


@pytest.mark.parametrize(("variant", "want"), [("nearest", 0x3F82), ("truncate", 0x3F81)])
def test_7_bf16_results(variant: str, want: int) -> None:
    """1 + 2^-7 + 2^-8 from an f32 C, a tie."""
    got = dot(
        "cdna5_sequential",
        [0],
        [0],
        0x3F818000,
        a_format="bf16",
        d_format="bf16",
        variant=variant,
    )
    assert got == want


def test_7_1_a_block_starts_from_plus_zero() -> None:
    for rule in ("cdna5_scaled", "scaled_reference"):
        got = dot(rule, [8] * 32, [0] * 32, 0x80000000, a_format="fp4")
        assert got == 0


def test_7_1_rounds_after_each_scale() -> None:
    """2^-126 * 2^-127 underflows before 2^127 could bring it back."""
    options: dict[str, Any] = {"a_format": "fp4", "scale_a": [0], "scale_b": [0xFE]}
    assert dot("cdna5_scaled", [2] * 32, [2] * 32, 0, **options) == 0x42000000
    twice: dict[str, Any] = {"a_format": "f32", "scale_a": [0], "scale_b": [0xFE]}
    assert dot("cdna5_scaled", [0x00800000], [0x3F800000], 0, **twice) == 0
    assert is_nan("f32", dot("cdna5_scaled", [2], [2], 0, a_format="fp4", scale_a=[0xFF]))
