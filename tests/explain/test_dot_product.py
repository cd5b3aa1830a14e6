"""One sum on every target: the bits of the exact twin, and the cases that people ask about."""

from fractions import Fraction

import numpy as np
import pytest

from tests.execute.rule_map import rule_of
from tests.explain.twin_sums import twin_sum
from tests.twin import is_nan, same
from wavemma.errors import (
    ArrayMistake,
    OutOfRange,
    SyntaxMistake,
    UnknownFormat,
    UnknownInstruction,
    UnknownTarget,
)
from wavemma.explain.dot_product import DotProducts, dot_products
from wavemma.explain.number_input import read_numbers
from wavemma.formats import number_format
from wavemma.isa import catalog
from wavemma.tables.targets import targets

CDNA = ("gfx908", "gfx90a", "gfx942", "gfx950")
RDNA3 = tuple(name for name in targets() if name.startswith(("gfx110", "gfx115")))
RDNA4 = tuple(
    name for name in targets() if name.startswith(("gfx117", "gfx12")) and "125" not in name
)
WORDS = ["f64", "f32", "xf32", "f16", "bf16", "fp8", "bf8", "fp8,bf8", "fp6", "bf6", "fp4", "i8",
         "u8", "i4", "u4", "iu8,iu8"]  # fmt: skip


def values(answer: DotProducts) -> dict[str, float | None]:
    return {row.target: row.result.value for row in answer.rows if row.is_default}


def bits(answer: DotProducts) -> dict[str, str]:
    return {row.target: row.result.code for row in answer.rows if row.is_default}


def test_case_21_on_every_target() -> None:
    answer = dot_products("f16", [4096, 4096], [8192, -8192], 3)
    assert len(answer.readings) == 1
    reading = answer.readings[0]
    assert (reading.exact, reading.float64) == ("3", "3")
    assert reading.chain is not None
    assert reading.chain.text == "4"
    found = values(answer)
    assert len(found) == len(targets())
    assert [found[name] for name in CDNA[:3]] == [3, 3, 2]
    assert found["gfx1250"] == 4
    assert {row.target: row.error for row in answer.rows if row.is_default}["gfx942"] == -1


@pytest.mark.parametrize("word", WORDS)
def test_every_row_has_the_bits_of_the_twin(word: str) -> None:
    generator = np.random.default_rng(sum(map(ord, word)))
    rows = 0
    for count in (1, 3, 21):
        asked = dot_products(word, [1] * count, [1] * count)
        for reading in asked.readings:
            widths = [len(each[0].code.code) * 4 - 8 for each in (reading.a, reading.b)]
            widths = [
                {"fp6": 6, "bf6": 6}.get(f, w)
                for f, w in zip((reading.a_format, reading.b_format), widths, strict=True)
            ]
            a, b = (
                [hex(int(x)) for x in generator.integers(0, 1 << w, count, dtype=np.uint64)]
                for w in widths
            )
            c = hex(
                int(generator.integers(0, 1 << (len(reading.c.code.code) * 4 - 8), dtype=np.uint64))
            )
            owners = [
                r.target for r in asked.rows if (r.a, r.b) == (reading.a_format, reading.b_format)
            ]
            answer = dot_products(word, a, b, c, target_names=tuple(dict.fromkeys(owners)))
            for row in answer.rows:
                formats = {"a": row.a, "b": row.b, "c": row.d, "d": row.d}
                want = twin_sum(
                    row.target,
                    row.instructions[0],
                    [int(x, 16) for x in a],
                    [int(x, 16) for x in b],
                    int(c, 16),
                    formats=formats,
                    wave=row.wave,
                    signed=reading.signed,
                )
                rule, _ = rule_of(
                    catalog.instruction(row.instructions[0], row.target), row.wave, formats
                )
                assert same(rule, int(row.result.code, 16), want, d_format=row.d, a_format=row.a), (
                    row,
                    hex(want),
                )
                rows += 1
    assert rows >= 3


def test_case_22_subnormal_inputs() -> None:
    for word, code in (
        ("f16", "0x0001"),
        ("f16", "0x03ff"),
        ("bf16", "0x0001"),
        ("bf16", "0x007f"),
    ):
        answer = dot_products(word, [code], [1], 0)
        flushing = {"gfx90a", *(RDNA3 if word == "bf16" else ())}
        for row in answer.rows:
            exact = answer.readings[0].a[0].code.value
            assert exact
            assert row.result.value == (0 if row.target in flushing else exact), row.target


def test_case_23_complement_units() -> None:
    below = dot_products("f16", [3, 8], [8, 4], -1)
    above = dot_products("f16", [3, 8], [8, 4], 1)
    assert {bits(below)[name] for name in RDNA3} == {"0x425c0001"}
    assert {bits(below)[name] for name in (*CDNA, *RDNA4)} == {"0x425c0000"}
    assert set(values(above).values()) == {57}


def test_case_24_cdna_sums_f16_in_f32_only() -> None:
    answer = dot_products("f16", [1], [1], target_names=CDNA)
    assert {row.d for row in answer.rows} == {"f32"}
    for name in CDNA:
        mfma = [each for each in catalog.instructions(name, type="f16") if each.is_matrix]
        assert {each.formats["d"] for each in mfma} == {("f32",)}


def test_cases_33_and_34_signs_and_clamp() -> None:
    assert set(values(dot_products("u8", ["0xff"], [1])).values()) == {255}
    assert set(values(dot_products("i8", ["0xff"], [1])).values()) == {-1}
    for bits, largest in ((8, 255), (4, 15)):
        plain = dot_products(f"iu{bits}", [hex(largest)], [1])
        assert set(values(plain).values()) == {largest}
        assert dot_products(f"iu{bits}", [largest], [1]).rows == plain.rows
    most = 2**31 - 1
    wrapped = dot_products("u8", [1], [1], most)
    assert set(values(wrapped).values()) == {-(2**31)}
    kept = dot_products("u8", [1], [1], most, clamp=True)
    assert set(values(kept).values()) == {most}
    signed = dot_products("i8", [1], [1], most, clamp=True)
    found = values(signed)
    assert {found[name] for name in CDNA} == {-(2**31)}
    assert {found[name] for name in (*RDNA3, *RDNA4, "gfx1250")} == {most}
    assert "have no clamp, so their sums wrap: gfx908, gfx90a, gfx942, gfx950" in signed.notes[-1]


@pytest.mark.parametrize("name", ["f16", "bf16", "fp8", "f64"])
def test_clamp_says_that_floats_have_none(name: str) -> None:
    plain = dot_products(name, [1], [3], 2)
    clamped = dot_products(name, [1], [3], 2, clamp=True)
    assert not clamped.clamp
    assert clamped.rows == plain.rows
    note = "Clamp saturates sums of integers; those of floats are the same without it."
    assert note in clamped.notes
    assert note not in plain.notes
    assert not any("wrap" in each for each in clamped.notes)


def test_clamp_saturates_by_stage_on_rdna4() -> None:
    a = [1] + [0] * 7 + [-1]
    answer = dot_products("i8", a, [8] * 9, 2**31 - 1, clamp=True)
    found = values(answer)
    assert {found[name] for name in RDNA4} == {2**31 - 1 - 8}
    assert {found[name] for name in RDNA3} == {2**31 - 1}
    wide = values(
        dot_products("i8", a, [8] * 9, 2**31 - 1, clamp=True, wave=64, target_names=("gfx1201",))
    )
    assert wide["gfx1201"] == 2**31 - 1 - 8


def test_words_mean_what_each_target_means() -> None:
    answer = dot_products("fp8", ["0x38"], [1])
    assert {r.a_format: r.a[0].code.value for r in answer.readings} == {
        "fp8_fnuz": 0.5,
        "fp8_ocp": 1,
    }
    assert values(answer)["gfx942"] == 0.5
    assert values(answer)["gfx950"] == values(answer)["gfx1201"] == 1
    spoilt = dot_products("fp8", ["0x80"], [1])
    chains = {each.a_format: each.chain.text for each in spoilt.readings if each.chain}
    assert chains == {"fp8_fnuz": "NaN", "fp8_ocp": "0"}
    beyond = dot_products("fp8", [448], [1])
    assert "448 is NaN in fp8_fnuz" in " ".join(beyond.notes)


def test_models_that_may_be_followed_instead() -> None:
    answer = dot_products("f16", [4096, 4096], [8192, -8192], 3)
    rows = {row.target: row for row in answer.rows if row.is_default}
    assert rows["gfx950"].grade == "D"
    others = {each.model: (each.result.value, each.differs) for each in rows["gfx950"].others}
    assert others["fma_chain"] == (4, True)
    assert all(not row.others for row in answer.rows if row.grade == "H")
    assert any("not proved on silicon" in note for note in answer.notes)


@pytest.mark.parametrize("times", [1, 2, 7, 300])
def test_instructions_repeated_along_k(times: int) -> None:
    a, b = [0x3C01, 0xB800, 0x2E66], [0x3C00, 0x4105, 0x3333]
    answer = dot_products("f16", list(map(hex, a)), list(map(hex, b)), "0x3dcccccd", times=times)
    exact = Fraction(0)
    for x, y in zip(answer.readings[0].a, answer.readings[0].b, strict=True):
        assert x.code.value is not None
        assert y.code.value is not None
        exact += Fraction(x.code.value) * Fraction(y.code.value)
    start = answer.readings[0].c.code.value
    assert start is not None
    exact = Fraction(start) + times * exact
    text = answer.readings[0].exact
    numerator, _, power = text.partition("/2^")
    assert (Fraction(int(numerator), 2 ** int(power)) if power else Fraction(float(text))) == exact
    for name in ("gfx908", "gfx90a", "gfx942", "gfx1100", "gfx1201", "gfx1250"):
        row = next(each for each in answer.rows if each.target == name)
        formats = {"a": "f16", "b": "f16", "c": "f32", "d": "f32"}
        want = twin_sum(
            name, row.instructions[0], a, b, 0x3DCCCCCD, formats=formats, wave=row.wave, times=times
        )
        assert int(row.result.code, 16) == want, name
        assert row.steps == times


def test_instructions_whose_k_matters_have_their_own_rows() -> None:
    a = [2048, 1, 1, 1, 1, 1]
    answer = dot_products("f16", a, [8192, 1, 1, 1, 1, 1], target_names=("gfx942",))
    found = {row.depth: row.result.value for row in answer.rows}
    # 2^24 + 5: in one step of eight it rounds to 2^24 + 4; K = 4 takes 3, then 2 to the tie.
    assert found[16] == 2**24 + 4
    assert found[4] == 2**24 + 4 + 2
    assert [row.is_default for row in answer.rows] == [True, False]


def test_special_values() -> None:
    answer = dot_products("f16", ["inf", 1], [1, 1], "-inf")
    assert answer.readings[0].exact == "NaN"
    assert {row.result.kind for row in answer.rows} == {"NaN"}
    assert any("compare NaN as a class" in note for note in answer.notes)
    kept = dot_products("f16", ["nan"], [1], target_names=("gfx1100",))
    assert is_nan("f32", int(kept.rows[0].result.code, 16))
    assert kept.rows[0].result.code == "0xffc00a3d"


def test_one_instruction_by_name() -> None:
    answer = dot_products("f16", [1], [2], 1, op="v_wmma_f16_16x16x16_f16")
    assert {row.target for row in answer.rows} == {*RDNA3, *RDNA4}
    assert {(row.d, row.result.code) for row in answer.rows} == {("f16", "0x4200")}


MISTAKES = [
    (("f16", [1], [1, 2]), {}, SyntaxMistake, "as many numbers"),
    (("f16", [], []), {}, SyntaxMistake, "one at least"),
    (("f17", [1], [1]), {}, UnknownFormat, "f16"),
    (("f16", ["0x10000"], [1]), {}, OutOfRange, "A code of f16"),
    (("f16", ["x"], [1]), {}, SyntaxMistake, "'x' was given"),
    (("f16", [1], [1]), {"times": 0}, OutOfRange, "1 to 65536"),
    (("e8m0", [1], [1]), {}, ArrayMistake, "No target has a dense instruction for A e8m0"),
    (("f64", [1], [1]), {"target_names": ("gfx908",)}, ArrayMistake, "gfx908 has no dense"),
    (("f16", [1], [1]), {"target_names": ("gfx999",)}, UnknownTarget, "gfx999"),
    (("f16", [1], [1]), {"op": "v_wmma"}, UnknownInstruction, "v_wmma"),
    (("f16", [1], [1]), {"op": "v_swmmac_f32_16x16x32_f16"}, Exception, "sparse"),
    (("i8", [128], [1]), {}, ArrayMistake, "-128 to 127"),
    (("f16,bf16,f16", [1], [1]), {}, SyntaxMistake, "one word, or two"),
    (("f16", ["1e-999999999"], [1]), {}, OutOfRange, "An exponent must lie within"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "options", "error", "sentence"), MISTAKES)
def test_mistakes(words: tuple, options: dict, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        dot_products(*words, **options)


def test_numbers_that_no_float_holds() -> None:
    answer = dot_products("f16", ["1e999", "9" * 400], [1, -1], target_names=("GFX1100",))
    (reading,) = answer.readings
    assert [each.code.code for each in reading.a] == ["0x7c00", "0x7c00"]
    assert [each.is_exact for each in reading.a] == [False, False]
    assert reading.exact == "NaN"
    assert answer.rows[0].target == "gfx1100"


def test_long_lists_are_read() -> None:
    form = number_format("f16")
    found = read_numbers([str(x) for x in range(5000)], form)
    assert [each.code.value for each in found] == [float(np.float16(x)) for x in range(5000)]
    mixed = read_numbers(["0x3c00", "1/3", "nan", "0x3c00", "-0"], form)
    codes = ["0x3c00", "0x3555", "0x7e00", "0x3c00", "0x8000"]
    assert [each.code.code for each in mixed] == codes
    assert [each.is_exact for each in mixed] == [True, False, True, True, True]
    wide = read_numbers(["1/3", "1e999", "-inf", "0x1"], number_format("f64"))
    codes = ["0x3fd5555555555555", "0x7ff0000000000000", "0xfff0000000000000", "0x0000000000000001"]
    assert [each.code.code for each in wide] == codes
