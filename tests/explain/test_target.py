"""Everything that `show` says of targets and architectures, against the facts."""

import json

import pytest

from tests.facts import facts_json
from wavemma.errors import UnknownName, UnknownTarget
from wavemma.explain.target import explain_architecture, explain_target
from wavemma.render.structure import as_json

NAMES = {"vgprs": "vgprs_per_lane_per_simd", "vgpr_granule": "vgpr_alloc_granule"}
NAMES |= {"max_vgprs": "max_vgprs_per_wave", "max_waves": "max_waves_per_simd"}
NAMES |= {"lds_kib_per_workgroup": "lds_kib_per_workgroup", "gcn_arch_name": "gcn_arch_name"}
NAMES |= {"simds_per_unit": "simds_per_unit"}


@pytest.mark.facts
def test_every_target():
    facts = facts_json("products")["targets"]
    rows = facts_json("instructions")["instructions"]
    assert len(facts) == 19
    for name, fact in facts.items():
        answer = json.loads(as_json(explain_target(name.upper())))
        assert (answer["answer"], answer["name"]) == ("TargetFacts", name)
        assert answer["architecture"] == fact["arch"]
        assert answer["waves"] == fact["waves"]
        (mine,) = answer["targets"]
        for ours, theirs in NAMES.items():
            assert mine[ours] == fact[theirs], (name, ours)
        assert mine["configurable"] == fact["features_configurable"]
        assert mine["gcn_arch_name_alternatives"] == fact.get("gcn_arch_name_alternatives", [])
        files = [value for key, value in fact.items() if key.startswith("vgpr_file_kib_per_")]
        lds = [fact[key] for key in ("lds_kib_per_unit", "lds_kib_per_wgp") if key in fact]
        assert [mine["vgpr_file_kib"]] == files
        assert [mine["lds_kib"]] == lds
        have = [row for row in rows if name in row["targets"]]
        assert sum(mine["instructions"].values()) == len(have)
        builtins = {each["name"] for row in have for each in row["builtins"]}
        assert mine["builtins"] == len(builtins)
        rates = {
            f"{each['type']}{' sparse' if each['sparse'] else ''}": each for each in mine["rates"]
        }
        assert set(rates) == set(fact["rates"])
        for key, rate in fact["rates"].items():
            assert rates[key]["ops_per_cu_per_cycle"] == rate["ops_per_cu_per_cycle"]


@pytest.mark.facts
def test_every_product_stands_at_its_target():
    products = facts_json("products")["products"]
    found = 0
    for name in facts_json("products")["targets"]:
        mine = explain_target(name).targets[0].products
        assert set(mine) == {each["name"] for each in products if each["target"] == name}
        found += len(mine)
    assert found == len(products) == 64


@pytest.mark.facts
def test_every_architecture():
    facts = facts_json("instructions")["architectures"]
    assert len(facts) == 9
    for key, fact in facts.items():
        answer = explain_architecture(fact["name"])
        assert answer.title == fact["name"]
        assert answer.architecture == key
        assert [each.name for each in answer.targets] == fact["targets"]
        assert list(answer.waves) == fact["wave_sizes"]
        assert answer.alignment == fact["alignment"]
        assert answer.fp8 == fact.get("fp8", "none")


def test_the_four_of_rdna35():
    """Case 15."""
    names = [each.name for each in explain_architecture("rdna3.5").targets]
    assert names == ["gfx1150", "gfx1151", "gfx1152", "gfx1153"]


def test_conflicts_and_errata():
    about = [each.what for each in explain_target("gfx1250").conflicts]
    assert any(text.startswith("gcnArchName") for text in about)
    assert any("WMMA and SWMMAC forms" in text for text in about)


@pytest.mark.parametrize("name", ["gfx1030", "gfx1032", "gfx1310"])
def test_targets_without_matrix_instructions(name):
    """Case 14."""
    with pytest.raises(
        UnknownTarget,
        match=r"is (not a target with|a real target, but it has no) matrix instructions",
    ):
        explain_target(name)


def test_unknown_architecture():
    with pytest.raises(UnknownName, match="Closest: rdna3"):
        explain_architecture("rdna33")
