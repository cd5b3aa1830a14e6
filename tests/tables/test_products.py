"""data/products.toml against products.json, and its own rules."""

import re

import pytest

from tests.facts import facts_json
from wavemma.errors import UnknownProduct
from wavemma.tables.products import boards, conflicts, product, products, without_product
from wavemma.tables.targets import targets, units

OPTIONAL = {
    "xcds": "xcds",
    "xcds_grade": "xcds_grade",
    "units_per_xcd_physical": "cus_per_xcd_physical",
    "shader_engines": "shader_engines",
    "ai_accelerators": "ai_accelerators",
    "bandwidth_gb_s": "memory_bandwidth_gb_s",
    "driver_name": "driver_name",
    "reported_memory_mib": "reported_memory_mib",
}
THIRD_PARTIES = {"tpu", "third-party", "amd-page-quoted", "derived"}


def _identity(row):
    """What the row says by itself and by its target."""
    target = row.target_row
    return {
        "name": row.name,
        "target": row.target,
        "gcn_arch_name": target.gcn_arch_name,
        "arch": target.architecture,
        "cus": row.units,
        "simds_per_cu": target.simds_per_unit,
        "boost_mhz": None if row.boost_mhz == "unknown" else row.boost_mhz,
        "boost_source": None if row.boost_source == "none" else row.boost_source,
        "memory_gb": row.memory_gb if isinstance(row.memory_gb, int) else None,
        "default_wave": target.default_wave,
        "lds_kib_per_workgroup": target.lds_kib_per_workgroup,
        "cu_source": row.source,
        "hip_multiprocessor_count": row.multiprocessors,
        "note": bool(row.note),
    }


def _conditional(row):
    """What only some products have."""
    target = row.target_row
    unit = units()[target.unit]
    block = "wgp" if unit.units_per_block > 1 else "unit"
    fact = {
        f"lds_kib_per_{block}": target.lds_kib,
        f"vgpr_file_kib_per_{block}": target.vgpr_file_kib,
    }
    if unit.block == "WGP":
        fact["wgps"] = row.blocks
    if row.apu:
        fact["apu"] = True
    if row.memory_gb == "shared":
        fact["memory"] = "system memory (shared)"
    if row.driver_clocks_mhz:
        fact["driver_max_clock_mhz"] = list(row.driver_clocks_mhz)
    if row.devices > 1:
        fact["hip_devices"] = row.devices
        fact["cus_per_gcd"] = row.units // row.devices
        fact["memory_gb_per_device"] = row.memory_gb // row.devices
    for ours, theirs in OPTIONAL.items():
        if getattr(row, ours) is not None:
            fact[theirs] = getattr(row, ours)
    return fact


@pytest.mark.facts
def test_products_are_those_of_the_facts():
    facts = facts_json("products")["products"]
    assert len(products()) == len(facts) == 64
    assert list(products()) == [fact["name"] for fact in facts]
    for fact in facts:
        row = products()[fact["name"]]
        wanted = dict(fact)
        wanted["note"] = bool(wanted.get("note"))
        for apart in ("peaks", "computed_peaks"):  # below, and test_roofline.py
            wanted.pop(apart, None)
        if wanted.get("xcds", 0) is None:
            del wanted["xcds"]  # null: the facts do not know it, we leave it out
        assert wanted.pop("gcds", 1) == row.devices
        if "cus_per_xcd" in wanted:
            assert wanted.pop("cus_per_xcd") == row.units // row.xcds
        assert wanted.pop("circular", []) == ([row.clock_from] if row.clock_from == "fp64" else [])
        assert wanted.pop("cus_grade", row.grade) == row.grade
        assert wanted.pop("boost_grade", row.boost_grade) == row.boost_grade
        assert {**_identity(row), **_conditional(row)} == wanted, row.name


def test_third_parties_never_give_better_than_derived():
    for row in products().values():
        for source, grade in ((row.source, row.grade), (row.boost_source, row.boost_grade)):
            best = "unknown" if source == "none" else "D" if source in THIRD_PARTIES else "V"
            assert grade == best, row.name


@pytest.mark.facts
def test_conflicts_keep_every_number_of_the_facts():
    facts = facts_json("products")["conflicts"]
    assert len(conflicts()) == len(facts) == 8
    for row, fact in zip(conflicts(), facts, strict=True):
        assert row.grade == fact["grade"]
        words = " ".join((*row.products, row.about, row.taken, *row.claims))
        numbers = re.findall(r"\d+\.?\d*", f"{fact['what']} {fact.get('fact', '')}")
        missing = [number for number in numbers if number not in words]
        assert not missing, (row.name, missing)


@pytest.mark.facts
def test_boards_say_what_the_facts_say():
    fact = facts_json("products")["hip_properties"]
    assert {(row.target, row.compute_capability, row.warp_size) for row in boards()} == {
        ("gfx1100", "11.0", 32),
        ("gfx90a", "9.0", 64),
    }
    limits = {
        (row.max_threads_per_block, row.registers_per_block, row.shared_memory_per_block)
        for row in boards()
    }
    assert limits == {(1024, 65536, 65536)}
    for row in boards():
        assert row.grade == fact["grade"]
        assert f"{row.target} compute capability {row.compute_capability}" in fact["fact"] or (
            f"{row.target} {row.compute_capability}" in fact["fact"]
        )
    caches = {row.name: row.l2_mib for row in products().values() if row.l2_mib}
    assert caches == {
        "AMD Radeon RX 7900 XTX": 6,
        "AMD Radeon RX 7900 XT": 6,
        "AMD Radeon RX 7800 XT": 4,
    }


@pytest.mark.facts
def test_logged_multiprocessor_counts_are_those_we_compute():
    sentence = facts_json("products")["fields"]["hip_multiprocessor_count"]
    logged = [row for row in products().values() if row.logged_multiprocessors is not None]
    assert len(logged) == 4
    for row in logged:
        short = row.name.removeprefix("AMD Radeon RX ")
        assert f"{short} {row.logged_multiprocessors}" in sentence
        assert row.multiprocessors == row.logged_multiprocessors


@pytest.mark.facts
def test_targets_without_a_product():
    facts = facts_json("products")["without_product"]
    assert len(facts) == len(without_product()) == 2
    listed = {name for row in without_product() for name in row.targets}
    assert listed == set(re.findall(r"gfx\w+", " ".join(facts)))
    assert listed & {row.target for row in products().values()} == set()


@pytest.mark.parametrize("word", ["AMD Radeon RX 7900 XTX", "rx 7900 xtx", " RX  7900 XTX"])
def test_products_are_found_by_the_end_of_their_names(word):
    assert product(word).name == "AMD Radeon RX 7900 XTX"


def test_every_product_is_found_by_its_own_name():
    for name in products():
        assert product(name).name == name


def test_an_unknown_product_offers_the_nearest():
    with pytest.raises(UnknownProduct, match='Closest: "rx 7900 xtx"'):
        product("rx 7900 xtxx")


def test_the_name_of_a_target_leads_to_its_option_and_products():
    with pytest.raises(UnknownProduct, match="a target, which --target takes") as found:
        product("gfx942")
    wanted = [name for name, each in products().items() if each.target == "gfx942"]
    assert wanted
    assert all(name in str(found.value) for name in wanted)
    alone = sorted(set(targets()) - {each.target for each in products().values()})
    assert alone
    with pytest.raises(UnknownProduct, match="no product; we know none of it"):
        product(alone[0])


@pytest.mark.parametrize("name", ["7900XTX", "rx 7900xtx", "RX7900 XTX", "radeonrx7900xtx"])
def test_spaces_may_be_left_out(name):
    assert product(name).name == "AMD Radeon RX 7900 XTX"


def test_an_ambiguous_product_lists_its_candidates():
    with pytest.raises(UnknownProduct, match="must name one product, it is the end of 6 names"):
        product("xt")
