import json
import subprocess
import sys

import pytest

from tests.cli.command import ran

OP = "v_wmma_f32_16x16x16_f16"
GFX12 = "row = v + 8*(lane//16); col = lane%16"


def _flat(text: str) -> str:
    return " ".join(text.split())


def test_case_5_on_one_screen(capsys) -> None:
    found = ran(capsys, "check-layout", "gfx1100", OP, "D", GFX12)
    assert found.code == 1
    text = _flat(found.out)
    assert "Wrong for 224 of 256 places." in text
    assert "lane 0 v1: yours gives (row, col) = (1, 0), right is (2, 0)" in text
    assert f"D of {OP} on gfx1170, gfx1171, gfx1172, gfx1200, gfx1201, wave32" in text
    assert "row = (lane // 16) + 2*v\n" in found.out
    assert "modulo the wave size" in text
    assert len(found.out.splitlines()) <= 40
    assert max(map(len, found.out.splitlines())) <= 80


def test_right_and_equivalent_are_yes(capsys) -> None:
    right = ran(capsys, "check-layout", "gfx1201", OP, "D", GFX12)
    assert (right.code, "Right: it holds for all 256 places." in right.out) == (0, True)
    text = "i = lane%16; k = 8*(lane/16) + slot"
    found = ran(capsys, "check-layout", "gfx1201", OP, "A", text)
    assert found.code == 0
    assert "Right, if B has the same order of k" in _flat(found.out)
    assert "your k 0..15 is the table's 0-3, 8-11, 4-7, 12-15" in _flat(found.out)
    assert "k = slot + 8*(lane / 16)\n" in found.out


def test_half_a_mapping_is_no_yes(capsys) -> None:
    for role, text, said in (
        ("D", "row = v + 8*(lane/16)", "Right so far: row holds for all 256 places."),
        ("A", "k = 8*(lane/16) + slot", "Right so far, if B has the same order of k"),
    ):
        found = ran(capsys, "check-layout", "gfx1201", OP, role, text)
        assert (found.code, said in _flat(found.out)) == (1, True)
        assert "It does not give" in found.out.split("\n\n")[0]


def test_a_formula_may_begin_with_a_minus(capsys) -> None:
    found = ran(capsys, "check-layout", "gfx1100", OP, "D", "-v, lane%16")
    assert found.code == 1
    assert "are outside of the matrix" in _flat(found.out)


def test_json(capsys) -> None:
    found = ran(capsys, "check-layout", "gfx1100", OP, "D", GFX12, "--json")
    document = json.loads(found.out)
    assert document["answer"] == "LayoutCheck"
    assert (document["wrong"], document["verdict"]) == (224, "wrong")
    assert found.code == 1


@pytest.mark.parametrize(
    ("mapping", "kind", "reason"),
    [
        ("row = v + 8*(lane//16; col = 0", "SyntaxMistake", "position 22: ')' must stand here"),
        ("row = 1 // lane; col = 0", "OutOfRange", "at lane = 0 it divides by 0"),
        ("nothere.csv", "FileMistake", "nothere.csv cannot be read"),
    ],
)
def test_mistakes(capsys, mapping, kind, reason) -> None:
    found = ran(capsys, "check-layout", "gfx1100", OP, "D", mapping)
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith(f"{kind}: ")
    assert reason in found.err


def test_opsel_and_wave(capsys) -> None:
    words = ("gfx1100", "v_wmma_f16_16x16x16_f16", "D", "lane = j + 16*(i%4); v = i//4; bit = 16")
    assert ran(capsys, "check-layout", *words, "--wave", "64", "--opsel", "1").code == 0
    assert ran(capsys, "check-layout", *words, "--wave", "64").code == 1


def test_as_a_process_without_numpy() -> None:
    words = ["check-layout", "gfx1100", OP, "D", GFX12]
    code = f"import sys; from wavemma.cli.app import run; run({words!r})"
    code += "; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_all_operands_with_the_map_are_listed_on_request(capsys) -> None:
    words = ("check-layout", "gfx1100", OP, "D", "row = v + 8*(lane//16); col = lane%16")
    short, whole = ran(capsys, *words).out, ran(capsys, *words, "--full").out
    owner = json.loads(ran(capsys, *words, "--json").out)["owners"][0]
    count = len(owner["others"])
    assert f"(and {count} other operands with the same map: --full)" in " ".join(short.split())
    assert "Others with the same map" not in short
    rows = [line.split() for line in whole.split("Others with the same map")[1].splitlines()]
    listed = {(row[0], row[1], row[2]) for row in rows if len(row) > 3 and row[2] in ("32", "64")}
    assert len(listed) == count
    assert ("D", "v_swmmac_f32_16x16x32_f16", "32") in listed
    assert ("D", "v_wmma_f32_16x16x32_f16", "32") in listed
