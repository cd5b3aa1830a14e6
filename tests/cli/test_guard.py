import json

import pytest

from tests.cli.command import ran


def test_types(capsys) -> None:
    found = ran(capsys, "guard", "f16", "wmma")
    assert found.code == 0
    assert "  #if defined(__GFX12__) || defined(__GFX11__)\n" in found.out
    assert "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12" in found.out
    assert "lacks it  gfx908, gfx90a, gfx942, gfx950\n" in found.out


def test_a_builtin(capsys) -> None:
    out = ran(capsys, "guard", "wmma_f32_16x16x16_f16_w32").out
    assert "#if __has_builtin(__builtin_amdgcn_wmma_f32_16x16x16_f16_w32)" in out
    assert "&& !defined(__GFX12__)" in out


def test_targets_asked_about(capsys) -> None:
    yes = ran(capsys, "guard", "fp8", "--target", "gfx942,gfx1201")
    assert yes.code == 0
    assert "gfx942   yes     __gfx942__, __GFX9__\n" in yes.out
    no = ran(capsys, "guard", "fp8", "--target", "gfx1100, gfx942")
    assert no.code == 1
    assert "gfx1100  no " in no.out


def test_json(capsys) -> None:
    answer = json.loads(ran(capsys, "guard", "xf32", "--json").out)
    assert (answer["schema"], answer["answer"]) == ("wavemma/1", "Guard")
    assert answer["condition"] == "#if defined(__gfx942__)"
    assert answer["families"] is None


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("f17",), "UnknownName"),
        ((), "UnknownName"),
        (("fp8", "--target", "gfx0"), "UnknownTarget"),
    ],
)
def test_mistakes(capsys, words, error) -> None:
    found = ran(capsys, "guard", *words)
    assert found.code == 2
    assert found.err.startswith(f"{error}: ")
