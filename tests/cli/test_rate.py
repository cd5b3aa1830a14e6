"""`wavemma rate`."""

import json

import pytest

from tests.cli.command import ran
from tests.facts import facts_json
from wavemma.explain.rates import explain_rate
from wavemma.render.terminal import as_text


def test_text(capsys):
    done = ran(capsys, "rate", "gfx942", "v_mfma_f32_32x32x8_f16")
    assert done.code == 0
    assert "2048" in done.out
    assert "Cycles are those that one SIMD is busy" in done.out


def test_json(capsys):
    done = ran(capsys, "rate", "gfx1201", "V_WMMA_I32_16X16X16_IU8", "--wave", "64", "--json")
    document = json.loads(done.out)
    assert (document["wave"], document["speeds"][0]["cycles"]) == (64, 8)


def test_stepping(capsys):
    words = ("rate", "gfx1250", "v_wmma_f32_16x16x64_fp8_fp8", "--stepping", "A0")
    assert json.loads(ran(capsys, *words, "--json").out)["speeds"][0]["cycles"] == 8


def test_unknown_is_said(capsys):
    done = ran(capsys, "rate", "gfx1170", "v_wmma_f32_16x16x16_f16")
    assert done.code == 0
    assert "unknown" in done.out
    assert "No source gives the cycles" in done.out


def test_conflicts(capsys):
    done = ran(capsys, "rate", "gfx950", "v_mfma_f64_4x4x4_4b_f64")
    assert "Sources disagree" in done.out


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["gfx1030", "v_wmma_f32_16x16x16_f16"], "UnknownTarget:"),
        (["gfx942", "v_wmma_f32_16x16x16_f16"], "UnknownInstruction:"),
        (["gfx942", "v_mfma_f32_32x32x8_f16", "--wave", "32"], "OutOfRange:"),
        (["gfx942", "v_mfma_f32_32x32x8_f16", "--stepping", "A0"], "UnknownName:"),
        (["gfx942"], "Usage:"),
    ],
)
def test_mistakes(capsys, words, error):
    done = ran(capsys, "rate", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(error)


@pytest.mark.slow
@pytest.mark.facts
def test_every_text_fits():
    checked = 0
    for fact in facts_json("instructions")["instructions"]:
        for target in fact["targets"]:
            answer = explain_rate(target, fact["mnemonic"])
            for width in (80, 120):
                text = as_text(answer, width=width, colour=False)
                assert [line for line in text.splitlines() if len(line) > width] == []
                checked += 1
    assert checked == 2 * 411
