"""Lists and their filters, counted in the facts."""

import json

import pytest

from tests.facts import facts_json
from wavemma.errors import UnknownFormat, UnknownName, UnknownTarget
from wavemma.explain.listing import Filters, explain_list
from wavemma.render.structure import as_json

COUNTS = {"cdna1": 20, "cdna2": 27, "cdna3": 46, "cdna4": 69, "cdna5": 46}
COUNTS |= {"rdna3": 6, "rdna3.5": 6, "rdna4m": 22, "rdna4": 22}


def _rows():
    return facts_json("instructions")["instructions"]


def _types(row):
    every = row.get("types", {}).values()
    return {t for value in every for t in ([value] if isinstance(value, str) else value)}


@pytest.mark.facts
def test_everything():
    rows = json.loads(as_json(explain_list("instructions")))["rows"]
    assert len(rows) == 264
    titles = {
        key: each["name"] for key, each in facts_json("instructions")["architectures"].items()
    }
    for key, count in COUNTS.items():
        assert sum(row["architecture"] == titles[key] for row in rows) == count
    assert len(explain_list("builtins").rows) == 179
    assert len(explain_list("targets").rows) == 19
    assert len(explain_list("products").rows) == 64
    assert len(explain_list("formats").rows) == 19


@pytest.mark.facts
def test_every_target_and_kind_and_sparsity():
    checked = 0
    for target in facts_json("products")["targets"]:
        have = [row for row in _rows() if target in row["targets"]]
        assert {
            row["name"] for row in explain_list("instructions", Filters(target=target)).rows
        } == {row["mnemonic"] for row in have}
        for sparse in (False, True):
            filters = Filters(target=target, sparse=sparse)
            want = {row["mnemonic"] for row in have if row["sparse"] == sparse}
            assert {row["name"] for row in explain_list("instructions", filters).rows} == want
        for kind in ("mfma", "smfmac", "wmma", "swmmac", "scale_load"):
            filters = Filters(target=target, kind=kind.upper())
            want = {
                r["mnemonic"]
                for r in have
                if ("scale_load" if "kind" in r else r["family"]) == kind
            }
            found = explain_list("instructions", filters)
            assert {row["name"] for row in found.rows} == want
            assert bool(found.suggestions) == (not want)
            checked += 1
    assert checked == 19 * 5


@pytest.mark.facts
def test_every_type():
    for word in facts_json("instructions")["types"]:
        want = {(row["arch"], row["mnemonic"]) for row in _rows() if word in _types(row)}
        found = explain_list("instructions", Filters(type=word)).rows
        assert len(found) == len(want)
        assert {row["name"] for row in found} == {name for _, name in want}
        results = {row["mnemonic"] for row in _rows() if row.get("types", {}).get("D") == word}
        found = explain_list("instructions", Filters(result=word)).rows
        assert {row["name"] for row in found} == results


@pytest.mark.facts
def test_builtins_of_each_target():
    for target in facts_json("products")["targets"]:
        want = {b["name"] for row in _rows() if target in row["targets"] for b in row["builtins"]}
        found = explain_list("builtins", Filters(target=target)).rows
        assert {row["name"] for row in found} == want


def test_other_lists_keep_what_has_an_instruction_left():
    targets = explain_list("targets", Filters(type="xf32")).rows
    assert [row["name"] for row in targets] == ["gfx942"]
    products = explain_list("products", Filters(type="fp6")).rows
    assert {row["target"] for row in products} == {"gfx950", "gfx1250", "gfx1251"}
    formats = explain_list("formats", Filters(type="fp8", target="gfx942")).rows
    assert [row["name"] for row in formats] == ["fp8_fnuz"]


@pytest.mark.parametrize("target", ["gfx950", "gfx1250"])
def test_no_xf32(target):
    """Case 20."""
    answer = explain_list("instructions", Filters(type="xf32", target=target))
    assert answer.rows == ()
    assert "With another target: gfx942." in answer.suggestions
    assert answer.evidence


def test_no_f16_result_of_an_mfma():
    """Case 24."""
    for kind in ("mfma", "smfmac"):
        answer = explain_list("instructions", Filters(kind=kind, result="f16"))
        assert answer.rows == ()
        (line,) = [each for each in answer.suggestions if "result" in each]
        assert set(line.removeprefix("With another result: ").rstrip(".").split(", ")) == (
            {"f32", "i32", "f64"} if kind == "mfma" else {"f32", "i32"}
        )


def test_only_the_gfx12_style_on_rdna4m():
    """Case 13: all builtins of gfx1170 are those that gfx1200 has."""
    names = [
        {row["name"] for row in explain_list("builtins", Filters(target=target)).rows}
        for target in ("gfx1170", "gfx1200", "gfx1100")
    ]
    assert names[0] == names[1]
    assert not names[0] & names[2]


def test_published_words():
    half = explain_list("instructions", Filters(type="half")).rows
    assert half == explain_list("instructions", Filters(type="f16")).rows


def test_mistakes():
    with pytest.raises(UnknownName, match="Allowed: mfma, smfmac"):
        explain_list("instructions", Filters(kind="dot"))
    with pytest.raises(UnknownTarget, match="gfx1030"):
        explain_list("instructions", Filters(target="gfx1030"))
    with pytest.raises(UnknownFormat, match="Closest: f16"):
        explain_list("instructions", Filters(type="f17"))
    with pytest.raises(UnknownName, match="not a list"):
        explain_list("cards")
