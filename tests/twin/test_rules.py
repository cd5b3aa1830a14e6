"""What the definitions imply: exact sums, symmetries, and rules that must coincide."""

import random

import pytest

from tests.twin import dot, is_nan
from tests.twin.integer import wave64_stages
from tests.twin.sparse import groups, positions, select, swmmac_signs
from tests.twin.values import FORMATS, encode

EXACT_RULES = [
    ("cdna1_exact", "f16"),
    ("cdna2_flush", "bf16"),
    ("cdna3_truncated", "f16"),
    ("cdna3_truncated", "xf32"),
    ("cdna3_even_odd", "fp8_ocp"),
    ("cdna4_even_odd_16bit", "bf16"),
    ("rdna4_step", "f16"),
    ("rdna4_fp8", "fp8_ocp"),
    ("cdna5_sequential", "f16"),
    ("scaled_reference", "fp8_ocp"),
    ("scaled_even_odd", "fp8_ocp"),
    ("cdna5_scaled", "fp8_ocp"),
    ("fma_chain_f32", "f32"),
]
SMALL_E4M3 = {0: 0, 1: 0x38, 2: 0x40, 3: 0x44, 4: 0x48}


def small(name: str, number: int) -> int:
    if name == "fp8_ocp":
        return SMALL_E4M3[abs(number)] | (0x80 if number < 0 else 0)
    return encode("f32" if name == "xf32" else name, number, 0)


@pytest.mark.parametrize(("rule", "name"), EXACT_RULES)
def test_small_integers_are_summed_exactly(rule: str, name: str) -> None:
    source = random.Random(rule + name)
    for _ in range(60):
        a, b = ([source.randint(-4, 4) for _ in range(32)] for _ in "ab")
        c = source.randint(-500, 500)
        total = c + sum(x * y for x, y in zip(a, b, strict=True))
        a, b = ([small(name, x) for x in line] for line in (a, b))
        got = dot(rule, a, b, encode("f32", c, 0), a_format=name)
        assert got == encode("f32", total, 0)


def finite(source: random.Random, name: str) -> int:
    form = FORMATS[name]
    while True:
        bits = source.getrandbits(form.width)
        if bits & form.infinity != form.infinity:
            return bits


@pytest.mark.parametrize("name", ["f16", "bf16"])
def test_one_product_blocks_are_an_fma_chain(name: str) -> None:
    source = random.Random(name)
    for _ in range(300):
        a, b = ([finite(source, name) for _ in range(4)] for _ in "ab")
        c = finite(source, "f32")
        got = dot("cdna1_exact", a, b, c, a_format=name, step=1)
        want = dot("cdna5_sequential", a, b, c, a_format=name)
        assert got == want or is_nan("f32", want)


@pytest.mark.parametrize("out", ["f32", "f16", "bf16"])
def test_rdna3_steps_are_odd_functions(out: str) -> None:
    source = random.Random(out)
    name = "f16" if out == "f32" else out
    for _ in range(300):
        a, b = ([finite(source, name) for _ in range(2)] for _ in "ab")
        c = finite(source, out)
        form = FORMATS[out]
        got = dot("rdna3_step", a, b, c, a_format=name, c_format=out)
        minus = [x ^ FORMATS[name].sign for x in a]
        other = dot("rdna3_step", minus, b, c ^ form.sign, a_format=name, c_format=out)
        assert other == (got ^ form.sign if got else 0)


def test_neutral_scales_leave_rule_3_5_with_its_step() -> None:
    source = random.Random(1)
    for _ in range(100):
        a, b = (
            [source.randrange(0x7B) | source.randrange(2) << 7 for _ in range(64)] for _ in "ab"
        )
        c = finite(source, "f32")
        got = dot("scaled_even_odd", a, b, c, a_format="bf8_ocp")
        assert got == dot("cdna3_even_odd", a, b, c, a_format="bf8_ocp", step=32)


@pytest.mark.parametrize("rule", ["scaled_reference", "scaled_even_odd"])
def test_one_scale_moves_a_result_by_its_power(rule: str) -> None:
    a, b = [0x38, 0x44] * 16, [0x40] * 32
    for scale in (0, 100, 127, 200, 0xFE):
        got = dot(rule, a, b, 0, a_format="fp8_ocp", scale_a=[scale], scale_b=[127])
        assert got == encode("f32", 16 * 2 + 16 * 6, scale - 127)


def test_a_2_to_4_selection_reads_the_named_positions() -> None:
    assert groups(0x4E9D, 4) == [0xD, 0x9, 0xE, 0x4]
    assert groups(0x4E9D, 2, 1) == [0xE, 0x4]
    assert positions([0x4, 0xE]) == [0, 1, 6, 7]
    assert select([1, 2, 3, 4], [0x8, 0xD], list(range(10, 18))) == [
        (1, 10),
        (2, 12),
        (3, 15),
        (4, 17),
    ]
    pairs = [(0x3C00, 0x4000), (0x3C00, 0x4000)]
    assert swmmac_signs(pairs, "f16", "f16", neg_lo=1, neg_hi=2) == [
        (0xBC00, 0x4000),
        (0x3C00, 0xC000),
    ]


def test_wave64_stages_follow_the_lane_groups_of_the_layouts() -> None:
    assert wave64_stages("iu8", 16) == [
        [0, 1, 2, 3],
        [8, 9, 10, 11],
        [4, 5, 6, 7],
        [12, 13, 14, 15],
    ]
    assert wave64_stages("iu4", 16) == [list(range(8)), list(range(8, 16))]
    assert [stage[0] for stage in wave64_stages("iu4", 32)] == [0, 16, 8, 24]


def test_section_11_experiments_tell_the_alternatives_apart() -> None:
    """Points 1 and 11: the results the text predicts for each structure."""
    big, minus = 0x7800, 0xF800
    seen = {}
    for j in (1, 3, 4, 16):
        a, b = [0] * 32, [0] * 32
        a[0], a[2], a[j] = big, minus, 0xBC00
        b[0], b[2], b[j] = big, big, 0x3C00
        for variant in ("even_odd", "single"):
            got = dot("cdna4_even_odd_16bit", a, b, 0, a_format="f16", variant=variant)
            seen[variant, j] = got
    assert {seen[v, 16] for v in ("even_odd", "single")} == {0xBF800000}
    assert {seen["single", j] for j in (1, 3, 4)} == {0}
    assert [seen["even_odd", j] for j in (1, 3, 4)] == [0xC2800000, 0xC2800000, 0]
    a = [1] * 4 + [0] * 4 + [0xFF] * 4 + [0] * 4
    b = [2] * 16
    for stages, want in ((wave64_stages("iu8", 16), 0x7FFFFFF7), (2, 0x7FFFFFF7)):
        got = dot(
            "integer", a, b, 0x7FFFFFFF, a_format="iu8", c_format="i32", clamp=True, stages=stages
        )
        assert got == want
