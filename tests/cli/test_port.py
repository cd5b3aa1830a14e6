import json

import pytest

from tests.cli.command import ran

CASE_17 = ("port", "gfx1100", "gfx1201", "--op", "i32_16x16x16_iu8")


def test_case_17(capsys) -> None:
    found = ran(capsys, *CASE_17, "--full")
    assert found.code == 0
    lines = [" ".join(line.split()) for line in found.out.splitlines()]
    assert "call __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12" in lines
    assert "registers of A, B 4 2" in lines
    assert "cycles 32 8" in lines
    assert "const int i = slot + 8*(lane / 16);" in lines
    assert "const int i = (lane / 16) + 2*slot;" in lines


def test_code_alone(capsys) -> None:
    old = ran(capsys, *CASE_17, "--code", "old").out
    new = ran(capsys, *CASE_17, "--code", "new").out
    assert old.startswith("// v_wmma_i32_16x16x16_iu8 on gfx1100")
    assert new.startswith("// v_wmma_i32_16x16x16_iu8 on gfx1201")
    assert "__global__ void multiply_tile(" in new
    assert ran(capsys, *CASE_17, "--full").out.count("__global__") == 2


def test_one_line_for_each_load_and_store(capsys) -> None:
    """Maps as AMD's calculator has them."""
    out = ran(capsys, *CASE_17).out
    assert "__global__" not in out
    lines = out[out.index("New: gfx1201") :].splitlines()
    assert "  a[slot] = A[lane % 16][slot + 8*(lane / 16)];  // slot 0..7" in lines
    assert "  b[slot] = B[slot + 8*(lane / 16)][lane % 16];  // slot 0..7" in lines
    assert "  D[slot + 8*(lane / 16)][lane % 16] = d[slot];  // slot 0..7" in lines
    assert "The old side beside it: --full. Whole kernels: --code old, --code new." in lines
    assert len(out.splitlines()) <= 50


WIDE = (
    ("gfx908", "gfx950", "v_mfma_f32_32x32x8f16"),
    ("gfx1201", "gfx1250", "v_swmmac_f32_16x16x32_f16"),
    ("gfx942", "gfx950", "v_smfmac_f32_16x16x32_f16"),
    ("gfx950", "gfx942", "v_mfma_scale_f32_16x16x128_f8f6f4"),
)


@pytest.mark.parametrize(("old", "new", "op"), WIDE)
def test_code_fits_80_columns(capsys, old: str, new: str, op: str) -> None:
    out = ran(capsys, "port", old, new, "--op", op).out
    assert max(map(len, out.splitlines())) <= 80
    assert out.count("// slot 0..") >= 3
    whole = ran(capsys, "port", old, new, "--op", op, "--full").out.splitlines()
    assert max(len(line) for line in whole if not line.startswith("  ")) <= 80


def test_none(capsys) -> None:
    found = ran(capsys, "port", "gfx1100", "gfx942", "--op", "v_wmma_f16_16x16x16_f16")
    assert found.code == 1
    assert "None: no instruction there computes the same." in found.out
    assert "f32, has every value of it" in " ".join(found.out.split())


def test_json(capsys) -> None:
    answer = json.loads(ran(capsys, *CASE_17, "--json").out)
    assert (answer["schema"], answer["answer"]) == ("wavemma/1", "Port")
    assert answer["verdict"] == "same"
    assert answer["after"]["call"] == ["true", "a", "true", "b", "c", "false"]
    assert [each["registers"] for each in answer["after"]["operands"]] == [2, 2, 8, 8]


@pytest.mark.parametrize("words", [CASE_17, (*CASE_17[:3], "--op", "f16")])
def test_prose_keeps_to_the_width(capsys, words) -> None:
    text = ran(capsys, *words, "--full").out
    prose = [line for line in text.splitlines() if not line.startswith("  ")]
    assert max(map(len, prose)) <= 80


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("gfx1030", "gfx1201", "--op", "f16"), "UnknownTarget"),
        (("gfx1100", "gfx1201", "--op", "fp8"), "UnknownInstruction"),
        (("gfx1100", "gfx1201", "--op", "f17"), "UnknownName"),
        (("gfx1100", "gfx1201"), "Usage"),
        (("gfx1100", "gfx1201", "--op", "f16", "--new-wave", "16"), "OutOfRange"),
    ],
)
def test_mistakes(capsys, words, error) -> None:
    found = ran(capsys, "port", *words)
    assert found.code == 2
    assert found.err.startswith(f"{error}: ")


def test_sources_that_disagree_are_named_and_not_keyed(capsys) -> None:
    out = " ".join(ran(capsys, *CASE_17, "--json").out.split())
    assert "rocjitsu, AMD's emulator" in out
    assert "[rj" not in out


def test_what_to_do_is_numbered(capsys) -> None:
    out = ran(capsys, *CASE_17).out
    todo = out[out.index("What to do") : out.index("New: gfx1201")]
    starts = ["1. builtin", "2. types", "3. loads of A", "4. loads of B", "5. loads of C, stores"]
    assert [todo.index(each) for each in starts] == sorted(todo.index(each) for each in starts)
