import io
import json

import pytest

from tests.cli.command import ran

F16 = "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32"


def test_case_11(capsys) -> None:
    found = ran(capsys, "why", F16, "--target", "gfx1201")
    assert found.code == 0
    assert found.out.startswith(f"{F16} on gfx1201\n")
    assert f"builtin      {F16}_gfx12\n" in found.out
    assert "halfx8 a," in found.out
    assert "wavemma port gfx1100" in found.out
    assert "--offload-arch=gfx1201" in found.out
    assert found.out.rstrip().splitlines()[-1].startswith("Grades: ")


def test_case_12(capsys) -> None:
    out = ran(capsys, "why", "f16", "16x16x16", "--target", "gfx1250").out
    assert "k step: 16 -> 32" in out
    assert "__builtin_amdgcn_wmma_f32_16x16x32_f16" in out


def test_case_14(capsys) -> None:
    for target in ("gfx1030", "gfx1032"):
        found = ran(capsys, "why", "f16 wmma", "--target", target)
        assert found.code == 1
        assert f"{target} has no matrix instructions" in found.out


def test_case_35(capsys) -> None:
    wide = F16.replace("_w32", "_w64")
    said = f"error: '{wide}' needs target feature gfx11-insts,wavefrontsize64"
    out = ran(capsys, "why", said, "--target", "gfx1100").out
    assert "do          Compile with -mwavefrontsize64.\n" in out
    assert "amdclang++ --offload-arch=gfx1100 -mwavefrontsize64" in out
    assert "floatx4 c" in out
    assert "halfx16 a" in out


def test_no_substitute_is_a_negative_answer(capsys) -> None:
    found = ran(capsys, "why", "xf32", "--target", "gfx950")
    assert found.code == 1
    assert "Nothing there does the same." in found.out
    assert "\nNearest\n" in found.out


def test_standard_input(capsys, monkeypatch) -> None:
    monkeypatch.setattr(
        "sys.stdin",
        io.StringIO(
            f"x.hip:1:1: error: '{F16}' needs target feature gfx11-insts,wavefrontsize32\n"
        ),
    )
    found = ran(capsys, "why", "--target", "gfx1200")
    assert found.code == 0
    assert f"{F16}_gfx12" in found.out


def test_json(capsys) -> None:
    answer = json.loads(ran(capsys, "why", F16, "--target", "gfx1201", "--json").out)
    assert (answer["schema"], answer["answer"]) == ("wavemma/1", "Why")
    assert answer["advice"]["builtin"] == f"{F16}_gfx12"
    assert answer["solved"] is True
    assert answer["evidence"]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("why", "nonsense"), "UnknownName"),
        (("why", F16, "--target", "gfx99"), "UnknownTarget"),
        (("why", F16, "--target", "gfx1250", "--wave", "64"), "OutOfRange"),
        (("why", "  "), "UnknownName"),
    ],
)
def test_mistakes(capsys, words, error) -> None:
    found = ran(capsys, *words)
    assert found.code == 2
    assert found.err.startswith(f"{error}: ")
    assert found.out == ""
    assert "Traceback" not in found.err


def test_the_prototype_has_its_own_label(capsys) -> None:
    out = ran(capsys, "why", F16).out
    assert f"\nprototype  floatx8 {F16}(" in out
    assert "Its prototype" not in out
