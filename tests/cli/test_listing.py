"""`wavemma list`."""

import json

import pytest

from tests.cli.command import ran

LISTS = ["instructions", "builtins", "targets", "products", "formats", "models"]


@pytest.mark.parametrize("what", LISTS)
def test_every_list_fits_80_columns(capsys, what):
    done = ran(capsys, "list", what)
    assert done.code == 0
    assert [line for line in done.out.splitlines() if len(line) > 80] == []
    assert "\nSources\n" in done.out


@pytest.mark.parametrize("what", LISTS)
def test_every_list_has_json(capsys, what):
    document = json.loads(ran(capsys, "list", what, "--json").out)
    assert (document["schema"], document["answer"], document["what"]) == (
        "wavemma/1",
        "Listing",
        what,
    )
    assert len({tuple(row) for row in document["rows"]}) == 1


def test_names_are_never_cut_or_folded(capsys):
    done = ran(capsys, "list", "builtins")
    lines = [line for line in done.out.splitlines() if line.startswith("__builtin")]
    assert len(lines) == 179


def test_filters(capsys):
    done = ran(capsys, "list", "--target", "gfx942", "--type", "xf32", "--no-sparse", "--json")
    names = [row["name"] for row in json.loads(done.out)["rows"]]
    assert names == ["v_mfma_f32_16x16x8_xf32", "v_mfma_f32_32x32x4_xf32"]
    done = ran(capsys, "list", "--target", "gfx1200", "--sparse", "--json")
    assert {row["kind"] for row in json.loads(done.out)["rows"]} == {"swmmac"}
    done = ran(capsys, "list", "--kind", "wmma", "--target", "gfx1151", "--json")
    assert len(json.loads(done.out)["rows"]) == 6


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--type", "xf32", "--target", "gfx950"], "With another target: gfx942."),
        (["--type", "xf32", "--target", "gfx1250"], "With another target: gfx942."),
        (["--kind", "mfma", "--result", "f16"], "With another result: f32, i32, f64."),
        (["--kind", "wmma", "--target", "gfx942"], "With another kind: mfma, smfmac."),
        (["--sparse", "--target", "gfx1100"], "With another sparse: dense."),
    ],
)
def test_a_negative_answer_ends_with_1(capsys, words, line):
    done = ran(capsys, "list", *words)
    assert done.code == 1
    assert "Nothing matches." in done.out
    assert line in done.out.splitlines()
    assert done.err == ""


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["cards"], "Usage:"),
        (["--target", "gfx1030"], "UnknownTarget:"),
        (["--kind", "dot"], "UnknownName:"),
        (["--type", "f17"], "UnknownFormat:"),
        (["--result", "f17"], "UnknownFormat:"),
    ],
)
def test_mistakes(capsys, words, error):
    done = ran(capsys, "list", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(error)
