import json

import pytest

from tests.cli.command import ran


def test_case_18(capsys) -> None:
    codes = ("0x38", "0x40", "0x7e", "0x7f", "0x80")
    found = ran(capsys, "bits", "fp8", *codes, "--target", "gfx942,gfx950")
    assert found.code == 0
    lines = [line.split() for line in found.out.splitlines()]
    head = lines.index(["code", "gfx942", "(fp8_fnuz)", "gfx950", "(fp8_ocp)"])
    assert lines[head + 1 : head + 6] == [
        ["0x38", "0.5", "(2^-1)", "1"],
        ["0x40", "1", "2"],
        ["0x7e", "224", "448"],
        ["0x7f", "240", "NaN"],
        ["0x80", "NaN", "-0"],
    ]
    assert max(map(len, found.out.splitlines())) <= 80
    assert "Sources" in found.out


def test_json(capsys) -> None:
    answer = json.loads(ran(capsys, "bits", "bf8", "0x7c", "--json").out)
    assert (answer["schema"], answer["answer"]) == ("wavemma/1", "CodeValues")
    (ocp, fnuz) = answer["readings"]
    assert (ocp["format"], ocp["codes"][0]["text"], ocp["codes"][0]["value"]) == (
        "bf8_ocp",
        "inf",
        None,
    )
    assert fnuz["codes"][0]["value"] == 32768.0


def test_the_other_way(capsys) -> None:
    found = ran(capsys, "bits", "fp8", "--value", "1.5", "--value", "-0.3", "--target", "gfx950")
    assert found.code == 0
    rows = {line.split()[0]: line.split() for line in found.out.splitlines() if line}
    assert rows["1.5"][1:4] == ["0x3c", "1.5", "exact"]
    # 0.3 lies between 0.28125 (0x29) and 0.3125 (0x2a).
    assert rows["-0.3"][1:3] == ["0xaa", "-0.3125"]


def test_the_other_way_as_json(capsys) -> None:
    words = ("--value", "500", "--overflow", "saturate", "--rounding", "up", "--json")
    answer = json.loads(ran(capsys, "bits", "fp8_ocp", *words).out)
    (encoding,) = answer["encodings"]
    assert (answer["rounding"], answer["overflow"]) == ("up", "saturate")
    (number,) = encoding["numbers"]
    assert (number["code"]["code"], number["error"]) == ("0x7e", -52.0)


def test_codes_may_be_written_in_any_base(capsys) -> None:
    answer = json.loads(ran(capsys, "bits", "fp4", "0b111", "7", "0x7", "--json").out)
    assert [code["text"] for code in answer["readings"][0]["codes"]] == ["6", "6", "6"]


MISTAKES = [
    (("fp8",), "bits needs codes, or --value with a number"),
    (("fp8", "0x38", "--value", "1"), "not both"),
    (("fp8", "thirty"), "A code must be a whole number"),
    (("fp8", "0x138"), "must be 0x00..0xff, 8 bits; it is 0x138"),
    (("fp8", "--value", "many"), "A number must be decimal"),
    (("fp8", "--value", "1", "--rounding", "sideways"), "sideways"),
    (("xf32", "0", "--target", "gfx950"), "These targets have it: gfx942"),
    (("f17", "0"), "'f17' is not a number format"),
    (("fp4", "--value", "inf"), "fp4 has neither infinity nor NaN"),
]


@pytest.mark.parametrize(("words", "message"), MISTAKES)
def test_mistakes(capsys, words, message) -> None:
    found = ran(capsys, "bits", *words)
    assert found.code == 2
    assert found.out == ""
    assert message in found.err
    assert "Traceback" not in found.err
