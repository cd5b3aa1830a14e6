"""`wavemma peak`."""

import json

import pytest

from tests.cli.command import ran
from tests.facts import facts_json
from wavemma.explain.peaks import explain_peak
from wavemma.render.terminal import as_text


def test_case_26(capsys):
    done = ran(capsys, "peak", "RX 7900 XTX", "--type", "f16", "--clock", "2500")
    assert done.code == 0
    assert "122.88 T ops/s = 96 CUs * 512 ops in a cycle * 2500 MHz / 1,000,000" in done.out
    document = json.loads(ran(capsys, "peak", "MI300X", "--type", "bf16", "--json").out)
    assert round(document["peaks"][0]["tera"], 1) == 1307.4


def test_all_types_of_a_target(capsys):
    """Case 25."""
    document = json.loads(ran(capsys, "peak", "gfx942", "--json").out)
    rates = {
        (each["type"], each["sparse"]): each["ops_per_cu_per_cycle"] for each in document["peaks"]
    }
    assert rates["fp16", False] == rates["bf16", False] == 2048
    assert rates["fp8", False] == rates["int8", False] == 4096
    assert document["clock_mhz"] is None


def test_only_sparse(capsys):
    document = json.loads(ran(capsys, "peak", "MI300X", "--sparse", "--json").out)
    assert {each["sparse"] for each in document["peaks"]} == {True}


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["MI3000X"], "UnknownName:"),
        (["xt"], "UnknownProduct:"),
        (["MI300X", "--type", "f17"], "UnknownName:"),
        (["RX 7900 XTX", "--type", "fp8"], "Unsupported:"),
        (["MI300X", "--clock", "-5"], "OutOfRange:"),
        (["gfx942", "--units", "0"], "OutOfRange:"),
        ([], "Usage:"),
    ],
)
def test_mistakes(capsys, words, error):
    done = ran(capsys, "peak", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(error)


@pytest.mark.facts
def test_every_text_fits():
    for product in facts_json("products")["products"]:
        for width in (80, 120):
            text = as_text(explain_peak(product["name"]), width=width, colour=False)
            assert [line for line in text.splitlines() if len(line) > width] == []


@pytest.mark.parametrize("clock", ["nan", "inf", "1e308", "1e999", "0", "-1"])
def test_clocks_that_no_chip_has(capsys, clock):
    for words in (["MI300X"], ["gfx942", "--units", "3"]):
        done = ran(capsys, "peak", *words, f"--clock={clock}")
        assert (done.code, done.out) == (2, "")
        assert "OutOfRange: The clock must be positive and at most 1,000,000 MHz" in done.err
