"""data/targets.toml against the fact files, and its own rules."""

import subprocess
import sys

import pytest

from tests.facts import facts_json
from wavemma.errors import UnknownTarget
from wavemma.tables.products import products
from wavemma.tables.targets import architectures, target, targets, targets_of, units

UNIT_TEXTS = {
    "cu": "CU",
    "wgp": "WGP, called CU by the drivers and here",
    "cu_of_wgp": "CU; two make a WGP",
}
MULTIPROCESSOR_TEXTS = {
    "cu": "CU",
    "wgp": "unknown, taken as the WGP",
    "cu_of_wgp": "WGP (half the CUs): the HIP runtime launches in WGP mode by default",
}
ACCUMULATORS = {"agpr": "AGPR only for C and D", "either": "VGPR or AGPR", "vgpr": None}


def _fact_of_target(name):
    """The record of products.json that our row stands for, notes as a yes or no."""
    row = targets()[name]
    unit = units()[row.unit]
    block = "wgp" if unit.units_per_block > 1 else "unit"
    fact = {
        "arch": row.architecture,
        "gcn_arch_name": row.gcn_arch_name,
        "features_configurable": list(row.configurable),
        "unit": UNIT_TEXTS[row.unit],
        "simds_per_unit": unit.simds,
        "default_wave": row.default_wave,
        "waves": list(row.waves),
        "vgprs_per_lane_per_simd": row.vgprs,
        "max_waves_per_simd": row.max_waves,
        "max_vgprs_per_wave": row.max_vgprs,
        f"vgpr_file_kib_per_{block}": row.vgpr_file_kib,
        f"lds_kib_per_{block}": row.lds_kib,
        "lds_kib_per_workgroup": row.lds_kib_per_workgroup,
        "hip_multiprocessor": MULTIPROCESSOR_TEXTS[row.unit],
        "vgpr_grade": row.grade,
        "gcn_arch_name_grade": row.gcn_arch_name_grade,
        "vgpr_alloc_granule": row.vgpr_granule,
        "note": bool(row.note),
    }
    if row.gcn_arch_name_alternatives:
        fact["gcn_arch_name_alternatives"] = list(row.gcn_arch_name_alternatives)
    return fact


@pytest.mark.facts
def test_targets_are_those_of_the_facts():
    facts = facts_json("products")["targets"]
    assert len(targets()) == 19
    assert list(targets()) == list(facts)
    for name, fact in facts.items():
        # rates: computed, tests/throughput/test_roofline.py
        wanted = {key: value for key, value in fact.items() if key != "rates"}
        wanted["note"] = bool(wanted.get("note"))
        assert _fact_of_target(name) == wanted, name


@pytest.mark.facts
def test_architectures_are_those_of_the_facts():
    facts = facts_json("instructions")["architectures"]
    assert len(architectures()) == 9
    assert set(architectures()) == set(facts)
    for name, fact in facts.items():
        row = architectures()[name]
        ours = {
            "name": row.title,
            "targets": list(targets_of(name)),
            "wave_sizes": list(row.waves),
            "accumulator_registers": ACCUMULATORS[row.accumulators],
            "alignment": row.alignment,
            "fp8": row.fp8,
            "note": bool(row.note),
        }
        # instructions: counted where the rows are, tests/tables/test_instructions.py
        wanted = {key: value for key, value in fact.items() if key != "instructions"}
        wanted.setdefault("fp8", "none")
        wanted.setdefault("accumulator_registers", None)
        wanted["note"] = bool(wanted.get("note"))
        assert ours == wanted, name


@pytest.mark.facts
def test_llvm_22_lacks_the_targets_that_the_facts_say():
    sentence = facts_json("instructions")["sources"]["llvm24"]
    assert "gfx1170-1172" in sentence
    newer = {row.name for row in targets().values() if row.oldest_llvm == 24}
    assert newer == {"gfx1170", "gfx1171", "gfx1172"}


def test_macros_name_each_target_once():
    macros = [row.macro for row in targets().values()]
    assert len(set(macros)) == len(macros)
    assert {row.family_macro for row in targets().values()} == {
        "__GFX9__",
        "__GFX11__",
        "__GFX12__",
    }


def test_macros_are_vendor_tested_where_the_older_compiler_has_the_target():
    for row in targets().values():
        assert row.macro_grade == ("V" if row.oldest_llvm == 22 else "D")


@pytest.mark.oracle
@pytest.mark.parametrize("name", [row.name for row in targets().values() if row.oldest_llvm == 22])
def test_clang_defines_the_macros(name):
    compiler = [sys.executable, "-m", "ziglang", "clang", "-target", "amdgcn-amd-amdhsa"]
    command = [*compiler, f"-mcpu={name}", "-x", "c", "-dM", "-E", "-"]
    made = subprocess.run(command, input="", capture_output=True, text=True, check=True).stdout
    defined = {line.split()[1] for line in made.splitlines()}
    families = {row.family_macro for row in targets().values()}
    assert defined & families == {target(name).family_macro}
    assert defined & {row.macro for row in targets().values()} == {target(name).macro}


@pytest.mark.parametrize("word", ["GFX90A", "Gfx90a", "gfx90a"])
def test_case_does_not_matter(word):
    assert target(word).name == "gfx90a"


@pytest.mark.parametrize("name", ["gfx1030", "GFX1032", "gfx906", "gfx9-generic"])
def test_a_processor_without_matrix_instructions_is_called_real(name):
    with pytest.raises(UnknownTarget) as caught:
        target(name)
    sentence = f"{name.lower()} is a real target, but it has no matrix instructions: neither WMMA"
    assert str(caught.value).startswith(sentence)
    assert "Closest" not in str(caught.value)


def test_a_generic_processor_names_its_targets():
    said = "gfx12-generic stands for several targets, gfx1200, gfx1201; name one of them"
    with pytest.raises(UnknownTarget, match=said):
        target("gfx12-generic")


def test_an_unknown_target_offers_the_nearest():
    with pytest.raises(UnknownTarget) as caught:
        target("gfx1102x")
    assert str(caught.value) == (
        "'gfx1102x' is not a target with matrix instructions.\n"
        "  Closest: gfx1102, gfx1172, gfx1170.  All: wavemma list targets, or products: the name of"
        " a product will do"
    )


@pytest.mark.parametrize("name", products())
def test_a_product_stands_for_its_target(name):
    """In any case, with or without the maker's words and spaces, where that names one target."""
    wanted = products()[name].target
    assert target(name).name == target(name.upper()).name == wanted
    assert target(name.replace(" ", "").lower()).name == wanted
    short = name.removeprefix("AMD ").removeprefix("Radeon ").removeprefix("Instinct ")
    assert target(short).name == wanted


def test_the_end_of_several_names_must_mean_one_target():
    with pytest.raises(UnknownTarget) as caught:
        target("XT")
    assert "'XT' must name one target; products of several targets are called so." in str(
        caught.value
    )
    assert "AMD Radeon RX 7900 XT (gfx1100)" in str(caught.value)
    assert "AMD Radeon RX 9070 XT (gfx1201)" in str(caught.value)


def test_an_unknown_product_offers_the_nearest():
    with pytest.raises(UnknownTarget, match='Closest: "rx 7900 xtx"'):
        target("RX 7901 XTX")
