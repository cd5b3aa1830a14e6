"""Everything that `show` says of a product, against the facts."""

import json

import pytest

from tests.facts import facts_json
from wavemma.errors import UnknownProduct
from wavemma.explain.product import explain_product
from wavemma.render.structure import as_json

NAMES = {"target": "target", "gcn_arch_name": "gcn_arch_name", "units": "cus"}
NAMES |= {"simds_per_unit": "simds_per_cu", "boost_mhz": "boost_mhz"}
NAMES |= {"default_wave": "default_wave", "multiprocessors": "hip_multiprocessor_count"}
OPTIONAL = {"xcds": "xcds", "shader_engines": "shader_engines", "driver_name": "driver_name"}
OPTIONAL |= {"bandwidth_gb_s": "memory_bandwidth_gb_s", "ai_accelerators": "ai_accelerators"}
OPTIONAL |= {"reported_memory_mib": "reported_memory_mib"}
OPTIONAL |= {"units_per_xcd_physical": "cus_per_xcd_physical", "memory_gb": "memory_gb"}


@pytest.mark.facts
def test_every_product():
    facts = facts_json("products")["products"]
    assert len(facts) == 64
    for fact in facts:
        mine = json.loads(as_json(explain_product(fact["name"].lower())))
        assert (mine["answer"], mine["name"]) == ("ProductFacts", fact["name"])
        for ours, theirs in NAMES.items():
            assert mine[ours] == fact[theirs], (fact["name"], ours)
        for ours, theirs in OPTIONAL.items():
            assert mine[ours] == fact.get(theirs), (fact["name"], ours)
        assert mine["devices"] == fact.get("hip_devices", 1)
        assert mine["apu"] == bool(fact.get("apu"))
        assert mine["shares_memory"] == (fact["memory_gb"] is None and "memory" in fact)
        assert mine["driver_clocks_mhz"] == fact.get("driver_max_clock_mhz", [])
        assert mine["blocks"] == fact.get("wgps", fact["cus"])
        assert mine["evidence"]
        computed = {
            f"{each['type']}{' sparse' if each['sparse'] else ''}": each["tera"]
            for each in mine["peaks"]
            if each["tera"] is not None
        }
        assert set(computed) == set(fact.get("computed_peaks", {}))
        for key, tera in fact.get("computed_peaks", {}).items():
            assert abs(computed[key] - tera) <= 0.005, (fact["name"], key)


@pytest.mark.facts
def test_every_conflict_is_shown():
    named = {
        "MI308X": "unit count",
        "RX 9070 GRE": "memory",
        "MI455X": "clock",
        "RX 7900 XT": "clock that the driver reports",
        "MI350X": "tf32 peak",
    }
    assert len(facts_json("products")["conflicts"]) == 8
    for name, about in named.items():
        assert any(each.what.startswith(about) for each in explain_product(name).conflicts), name


def test_unknown_and_ambiguous_products():
    with pytest.raises(UnknownProduct, match='Closest: "rx 7900 xt", "rx 7900 xtx"'):
        explain_product("rx 7900 xty")
    with pytest.raises(UnknownProduct, match="the end of 6 names"):
        explain_product("xt")
