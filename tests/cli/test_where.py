import json
import subprocess
import sys

import pytest

from tests.cli.command import ran

DENSE = "v_wmma_f32_16x16x16_f16"

CASES = [
    (("gfx1100", DENSE, "D", "2", "3"), "v1, lane 3\n"),
    (("gfx1100", DENSE, "D", "2", "3", "--wave", "64"), "v0, lane 35\n"),
    (("gfx1201", DENSE, "D", "2", "3"), "v2, lane 3\n"),
    (("gfx1100", DENSE, "A", "2", "5"), "v2[31:16], lanes 2 and 18: both copies must be loaded\n"),
    (
        ("gfx1100", "v_wmma_f16_16x16x16_f16", "D", "2", "3", "--opsel", "1"),
        "v1[31:16], lane 3\n",
    ),
    (
        ("gfx1100", "v_wmma_f16_16x16x16_f16", "D", "2", "3", "--opsel", "0"),
        "v1[15:0], lane 3\n",
    ),
    (("gfx942", "v_mfma_f32_32x32x8_f16", "D", "8", "0"), "v4, lane 0\n"),
    (
        ("gfx950", "v_mfma_f32_16x16x128_f8f6f4", "B", "100", "3", "--format", "fp4"),
        "v0[19:16], lane 51\n",
    ),
    (
        ("gfx950", "v_mfma_f32_16x16x128_f8f6f4", "A", "0", "5", "--format", "fp6"),
        "v1[3:0] and v0[31:30], lane 0\n",
    ),
]


@pytest.mark.parametrize(("words", "answer"), CASES)
def test_text_says_where(capsys, words, answer) -> None:
    found = ran(capsys, "where", *words)
    assert found.code == 0
    assert answer in found.out
    assert found.err == ""
    assert found.out.rstrip().splitlines()[-1].startswith("Grades: ")


def test_both_wave_sizes_in_one_answer(capsys) -> None:
    out = ran(capsys, "where", "gfx1100", DENSE, "D", "2", "3").out
    assert "wave64  v0, lane 35 (formulas: --wave 64)\n" in out
    sparse = ("gfx1201", "v_swmmac_f32_16x16x32_f16", "A", "2", "5")
    assert "wave64  ask with --wave 64\n" in ran(capsys, "where", *sparse).out
    mfma = ("gfx942", "v_mfma_f32_32x32x8_f16", "D", "8", "0")
    assert "wave32" not in ran(capsys, "where", *mfma).out


def test_row_and_column_have_one_name_each(capsys) -> None:
    told = ran(capsys, "where", "gfx1100", DENSE, "D", "2", "33").err
    asked = ran(capsys, "where", "gfx1100", DENSE, "D").err
    help_text = ran(capsys, "where", "--help").out
    for text in (told, asked, help_text):
        assert "COLUMN" in text
        assert "COL " not in text


def test_lane_is_defined_wherever_it_is_told(capsys) -> None:
    assert "modulo the wave size" in ran(capsys, "where", "gfx1100", DENSE, "D", "2", "3").out


def test_formulas_in_both_languages(capsys) -> None:
    out = ran(capsys, "where", "gfx942", "v_mfma_f32_32x32x8_f16", "D", "8", "0").out
    assert "lane = j + 32*(i // 4 % 2)" in out
    assert "C: j + 32*(i / 4 % 2)" in out


def test_json(capsys) -> None:
    found = ran(capsys, "where", "gfx1100", DENSE, "A", "2", "5", "--json")
    answer = json.loads(found.out)
    assert list(answer)[:2] == ["schema", "answer"]
    assert (answer["schema"], answer["answer"]) == ("wavemma/1", "Element")
    assert [place["lane"] for place in answer["places"]] == [2, 18]
    assert answer["places"][0]["bits"] == [{"register": 2, "hi": 31, "lo": 16}]
    assert answer["asked"]["target"] == "gfx1100"
    assert answer["evidence"][0]["grade"] == "V"


def test_sparse_a_tells_both_candidates_and_the_index(capsys) -> None:
    out = ran(capsys, "where", "gfx942", "v_smfmac_f32_16x16x32_f16", "A", "2", "5").out
    assert "k = 5 is position 1 of group 1." in out
    assert "v1[15:0], lane 2" in out
    assert "v0[5:4], lane 2" in out
    assert "v0[7:6], lane 2" in out


def test_the_other_way(capsys) -> None:
    found = ran(capsys, "where", "gfx1100", DENSE, "A", "--at", "20", "3")
    assert found.code == 0
    assert "31:16  A[4][7]" in found.out
    nothing = ran(
        capsys,
        "where",
        "gfx1250",
        "v_wmma_scale_f32_16x16x128_f8f6f4",
        "scale_a",
        "--at",
        "20",
        "0",
    )
    assert nothing.code == 1
    assert "Nothing of scale_a lies there." in nothing.out


def test_an_unknown_place_is_a_negative_answer(capsys) -> None:
    words = ("gfx1250", "v_swmmac_f32_16x16x64_f16", "index", "0", "0", "--index-key", "1")
    found = ran(capsys, "where", *words)
    assert found.code == 1
    assert "Unknown: no source gives a meaning" in found.out


NO_INTS = ("1.5", "1.0", "1_0", "\u0663", "1e0", "0o7")
MISTAKES = [
    (("gfx1030", DENSE, "D", "0", "0"), "UnknownTarget"),
    (("gfx1250", DENSE, "D", "0", "0"), "UnknownInstruction"),
    (("gfx1100", DENSE + "x", "D", "0", "0"), "Closest: " + DENSE),
    (("gfx1100", DENSE, "Q", "0", "0"), "UnknownName"),
    (("gfx1100", DENSE, "D", "16", "0"), "must be 0..15; it is 16"),
    (("gfx1100", DENSE, "D", "-1", "0"), "must be 0..15; it is -1"),
    (("gfx1100", DENSE, "D", "99999999999999999999", "0"), "must be 0..15"),
    (("gfx1100", DENSE, "D", "0"), "--at LANE REGISTER"),
    (("gfx1100", DENSE, "D", "0", "x"), "Usage"),
    (("gfx1100", DENSE, "D", "0", "0", "--wave", "48"), "32 or 64"),
    (("gfx1100", DENSE, "D", "0", "0", "--opsel", "2"), "Usage"),
    (("gfx1100", DENSE, "D", "0", "0", "--opsel", "1"), "takes no opsel"),
    (("gfx942", "v_mfma_f32_32x32x8_f16", "D", "0", "0", "--abid", "1"), "EncodingMistake"),
    (("gfx1100", DENSE, "D", "--at", "32", "0"), "lane must be 0..31"),
    (("gfx1100", DENSE, "D", "--at", "0", "8"), "register must be 0..7"),
    (("", "", "", "0", "0"), "UnknownTarget"),
    *(
        (("gfx1100", DENSE, "D", *words), f"must be a whole number; {bad!r} was given")
        for bad in NO_INTS
        for words in [
            (bad, "0"),
            ("0", bad),
            ("--at", bad, "0"),
            ("0", "0", "--block", bad),
        ]
    ),
    (
        ("gfx1100", DENSE, "D", "0", "0", "--wave", "32.4"),
        "must be a whole number; '32.4' was given",
    ),
    (
        ("gfx1100", DENSE, "D", "0", "0", "--opsel", "0.4"),
        "must be a whole number; '0.4' was given",
    ),
    (
        ("gfx90a", "v_mfma_f32_32x32x8_f16", "D", "0", "0", "--cbsz", "0.4"),
        "must be a whole number; '0.4' was given",
    ),
    (("gfx1100\x00", DENSE, "D", "0", "0"), "UnknownTarget"),
]


@pytest.mark.parametrize(("words", "message"), MISTAKES)
def test_mistakes_are_sentences(capsys, words, message) -> None:
    found = ran(capsys, "where", *words)
    assert found.code == 2
    assert message in found.err
    assert "Traceback" not in found.err
    assert found.out == ""


def test_as_a_process_without_heavy_modules() -> None:
    words = ["where", "gfx1100", DENSE, "D", "2", "3"]
    code = (
        "import sys; from wavemma.cli.app import run; code = run(sys.argv[1:]);"
        " heavy = {'numpy', 'llvmlite', 'ml_dtypes', 'elftools'} & set(sys.modules);"
        " print(sorted(heavy), code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[] 0"
    assert done.stderr == ""


def test_whole_numbers_in_all_their_forms(capsys) -> None:
    plain = ran(capsys, "where", "gfx1100", DENSE, "D", "10", "3")
    assert plain.code == 0
    for row in ("0xa", "0xA", "0b1010", "+10", "010"):
        assert ran(capsys, "where", "gfx1100", DENSE, "D", row, "0x3") == plain
    assert ran(capsys, "where", "GFX1100", DENSE, "D", "10", "3") == plain
