"""`wavemma numerics`: one screen with every target, and inputs that separate two."""

import json

import pytest

from tests.cli.command import ran

CASE_21 = ("numerics", "f16", "--a", "4096,4096", "--b", "8192,-8192", "--c", "3")


def test_case_21_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    done = ran(capsys, *CASE_21)
    assert (done.code, done.err) == (0, "")
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert "exact 3" in lines
    assert "float64 3" in lines
    assert "f32 FMA chain 4 (0x40800000)" in lines
    whole = " ".join(" ".join(lines).split())
    assert "gfx908 3 0x40400000 exact_4, v_mfma_f32_16x16x16f16 H" in lines
    assert "gfx90a 3 0x40400000 flush_4, v_mfma_f32_16x16x16f16 H" in lines
    assert "gfx942 2 0x40000000 truncated_8, H" in lines
    assert "v_mfma_f32_16x16x16_f16" in lines
    assert "gfx950 2 0x40000000 even_odd_16_keep, D" in lines
    assert "or if 4 0x40800000 fma_chain" in lines
    assert "The rule of a model: wavemma show exact_4" in whole
    assert max(map(len, done.out.splitlines())) <= 80


def test_other_instructions_have_their_alternatives_too(capsys: pytest.CaptureFixture[str]) -> None:
    """gfx950's old shapes are not proved on silicon: what else they may give stands below."""
    done = ran(capsys, *CASE_21, "--target", "gfx950", "--json")
    rest = [row for row in json.loads(done.out)["rows"] if not row["is_default"]]
    differing = [each for row in rest for each in row["others"] if each["differs"]]
    text = ran(capsys, *CASE_21, "--target", "gfx950").out
    table = text.split("D of other instructions of these targets")[1].split("Note")[0]
    assert "v_mfma_f32_32x32x4_2b_f16" in table
    assert table.count("or if") == len(differing)


FORMATS = ("f16", "bf16", "fp8", "bf8", "fp6", "bf6", "fp4", "xf32", "f32", "f64", "i8", "u8", "i4")


@pytest.mark.parametrize("format", FORMATS)
def test_every_table_fits_80_columns(capsys: pytest.CaptureFixture[str], format: str) -> None:
    words = ("--a", "1,2,3", "--b", "1,2,3", "--c", "1")
    if format in ("f32", "f64", "f16", "bf16", "xf32"):
        words = ("--a", "1/3,2.7,1e-3", "--b", "1/7,0.1,3", "--c", "-0.123456789")
    done = ran(capsys, "numerics", format, *words)
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert max(map(len, lines)) <= 80
    ops = [word.strip(",") for word in done.out.split() if word.startswith(("v_mfma", "v_wmma"))]
    assert ops
    assert all(word in done.out.split() or f"{word}," in done.out.split() for word in ops)


def test_case_21_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(ran(capsys, *CASE_21, "--json").out)
    assert (answer["schema"], answer["answer"]) == ("wavemma/1", "DotProducts")
    found = {row["target"]: row["result"]["value"] for row in answer["rows"] if row["is_default"]}
    assert [found[name] for name in ("gfx908", "gfx90a", "gfx942")] == [3, 3, 2]


def test_some_targets_and_negative_first_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("numerics", "f16", "--a=-1,2", "--b=1,1", "--c=-0x1p-3")
    done = ran(capsys, *words, "--target", "gfx942,gfx1201")
    assert done.code == 0, done.err
    assert "gfx942" in done.out
    assert "gfx908" not in done.out
    assert "0.875" in done.out


def test_chain(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("numerics", "f16", "--a", "1", "--b", "1", "--chain", "40")
    done = ran(capsys, *words, "--target", "gfx908")
    assert "exact          40" in done.out
    assert "1 product and C, 40 times" in done.out


def test_separate(capsys: pytest.CaptureFixture[str]) -> None:
    done = ran(capsys, "numerics", "f16", "--separate", "gfx1100", "gfx1201")
    assert done.code == 0, done.err
    assert "They differ here" in done.out
    same = ran(capsys, "numerics", "f16", "--separate", "gfx1100", "gfx1101")
    assert same.code == 1
    assert "None found" in same.out
    equal = ran(capsys, "numerics", "i8", "--separate", "gfx908", "gfx1100", "--json")
    assert (equal.code, json.loads(equal.out)["found"]) == (1, None)


MISTAKES = [
    (("f16",), "needs --a and --b"),
    (("f16", "--a", "1,,2", "--b", "1,2,3"), "numbers with commas between"),
    (("f16", "--a", "1", "--b", "1,2"), "as many numbers"),
    (("f16", "--a", "one", "--b", "1"), "'one' was given"),
    (("f17", "--a", "1", "--b", "1"), "Closest"),
    (("f16", "--a", "1", "--b", "1", "--target", "gfx1200x"), "Closest"),
    (("f16", "--separate", "gfx1100"), "--separate"),
    (("f16", "--separate", "gfx1100", "gfx9"), "gfx9"),
    (("f64", "--separate", "gfx1100", "gfx942"), "gfx1100 has no dense instruction"),
    (("f16", "--a", "1", "--b", "1", "--chain", "0"), "1 to 65536"),
    (("f16", "--a", "1", "--b", "1", "--wave", "16"), "--wave"),
    (("f16", "--a", "0x12345", "--b", "1"), "A code of f16"),
]


@pytest.mark.parametrize(("words", "sentence"), MISTAKES)
def test_mistakes(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    done = ran(capsys, "numerics", *words)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert "Traceback" not in done.err


def test_numbers_that_the_format_loses_are_said_first(capsys) -> None:
    words = ("--a", "1e9,1e-9,0.1,inf,0", "--b", "1,1,1,1,1", "--target", "gfx942")
    done = ran(capsys, "numerics", "f16", *words)
    said = " ".join(done.out.partition("Note")[2].split())
    assert said.startswith("Too large, so taken as infinite: 1e9 is inf in f16.")
    assert "Too small, so taken as zero: 1e-9 is 0 in f16." in said
    assert "Rounded before the sum: 0.1 is 0.0999755859375 in f16." in said
