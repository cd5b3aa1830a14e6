import json

import pytest

from tests.cli.command import ran

MFMA = "v_mfma_scale_f32_16x16x128_f8f6f4"


def test_case_28(capsys) -> None:
    found = ran(capsys, "scale", "word", "0x7f")
    assert (found.code, found.out.splitlines()[0]) == (0, "0x7f7f7f7f")
    found = ran(capsys, "scale", "value", "0", "--format", "e8m0")
    assert "5.87747175e-39 (2^-127)" in found.out
    assert "not zero" in found.out
    assert "1 is 0x7f" in found.out


def test_values_by_format(capsys) -> None:
    answer = json.loads(ran(capsys, "scale", "value", "0x38", "0xff", "--json").out)
    assert answer["answer"] == "ScaleValues"
    assert {each["format"]: each["codes"][0]["text"] for each in answer["formats"]} == {
        "e8m0": repr(2.0 ** (0x38 - 127)),
        "e5m3": repr(2.0**-8),
        "e4m3": "1",
    }


def test_words(capsys) -> None:
    found = ran(capsys, "scale", "word", "0x7f", "0x80", "0x7e", "0", "--target", "gfx950")
    assert found.out.splitlines()[0] == "0x007e807f"
    assert "e5m3" not in found.out


def test_where(capsys) -> None:
    found = ran(capsys, "scale", "where", "gfx950", MFMA, "A", "3", "40", "--scale-byte", "2")
    assert found.code == 0
    assert "v0[23:16] (byte 2), lane 19" in found.out
    assert "row 3 of A, k 32..63" in found.out
    assert "op_sel_hi[0]" in found.out
    assert max(map(len, found.out.splitlines())) <= 80
    answer = json.loads(
        ran(capsys, "scale", "where", "gfx950", MFMA, "b", "1", "127", "--json").out
    )
    assert (answer["element"], answer["places"][0]["lane"]) == ("B[127][1]", 49)


MISTAKES = [
    (("value", "x"), "A code must be a whole number"),
    (("value", "256"), "must be 0x00..0xff"),
    (
        ("value", "0", "--format", "f16"),
        "A scale format must be e8m0 or e5m3 or e4m3; 'f16' was given",
    ),
    (("word",), "1, 4 or 8 scale bytes; 0 were given"),
    (("word", "1", "2"), "1, 4 or 8 scale bytes; 2 were given"),
    (("where", "gfx950", MFMA, "C", "0", "0"), "C"),
    (("where", "gfx950", MFMA, "A", "0", "128"), "must be 0..127"),
    (("where", "gfx942", "v_mfma_f32_16x16x16_f16", "A", "0", "0"), "has no block scales"),
]


@pytest.mark.parametrize(("words", "message"), MISTAKES)
def test_mistakes(capsys, words, message) -> None:
    found = ran(capsys, "scale", *words)
    assert found.code == 2
    assert found.out == ""
    assert message in found.err
