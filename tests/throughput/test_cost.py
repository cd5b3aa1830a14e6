"""Cycles and rates of single instructions."""

import pytest

from tests.facts import facts_json
from wavemma.errors import UnknownFormat, UnknownInstruction, UnknownName, UnknownTarget
from wavemma.throughput.cost import cost, cycles, ops_per_cu_per_cycle

# One pair of formats for each case that the facts tell apart.
PAIRS = {
    "both A and B in {fp6,bf6,fp4}": ("bf6", "fp4"),
    "A or B in {fp8,bf8}": ("fp4", "fp8_ocp"),
    "both fp4": ("fp4", "fp4"),
    "neither fp8 nor bf8": ("fp6", "fp4"),
    "otherwise": ("bf8_ocp", "fp4"),
    None: (None, None),
}


def _cases(fact):
    """List (target, stepping, case, rate) of a fact."""
    rate = fact["timing"].get("ops_per_cu_per_cycle")
    for name in fact["targets"]:
        if not isinstance(rate, dict):
            yield name, "", None, rate
            continue
        if name not in rate:
            yield from ((name, "", case, value) for case, value in rate.items())
            continue
        for key, value in rate.items():
            if key.split()[0] == name:
                stepping = key.partition(" stepping ")[2]
                inner = value if isinstance(value, dict) else {None: value}
                yield from ((name, stepping, case, one) for case, one in inner.items())


@pytest.mark.facts
def test_rates_of_all_instructions_are_those_of_the_facts():
    checked = 0
    for fact in facts_json("instructions")["instructions"]:
        for name, stepping, case, rate in _cases(fact):
            found = cost(name, fact["mnemonic"], *PAIRS[case], stepping=stepping)
            assert found.ops == (fact.get("ops") or 0)
            assert found.ops_per_cu_per_cycle == rate, (name, fact["mnemonic"], case)
            if "ops_per_wgp_per_cycle" in fact["timing"]:
                per_wgp = fact["timing"]["ops_per_wgp_per_cycle"]
                assert found.ops_per_block_per_cycle == per_wgp
            checked += 1
    assert checked == 438


@pytest.mark.parametrize(
    ("name", "instruction", "wanted"),
    [
        ("gfx942", "v_mfma_f32_32x32x8_f16", 32),
        ("gfx942", "v_mfma_f32_32x32x8f16", 32),
        ("gfx1100", "v_wmma_f32_16x16x16_f16", 32),
        ("gfx1201", "v_wmma_i32_16x16x16_iu8", 8),
        ("gfx1170", "v_wmma_f32_16x16x16_f16", None),
    ],
)
def test_cycles(name, instruction, wanted):
    """The second one is an alias; the last one is unknown. Case 17: iu8 takes 8 on gfx1201."""
    assert cycles(name, instruction) == wanted


def test_a_stepping_may_have_cycles_of_its_own():
    def taken(stepping):
        return cycles("gfx1250", "v_wmma_f32_16x16x128_f8f6f4", "fp8_ocp", "fp4", stepping)

    assert (taken(""), taken("A0")) == (8, 16)
    assert cycles("gfx1250", "v_wmma_f32_16x16x32_f16", stepping="A0") == 8


def test_passes_are_given_where_vendors_count_in_them():
    assert cost("gfx942", "v_mfma_f32_32x32x8_f16").passes == 8
    assert cost("gfx1100", "v_wmma_f32_16x16x16_f16").passes is None


def test_another_source_is_shown_beside_the_cycles():
    found = cost("gfx950", "v_mfma_f64_4x4x4_4b_f64")
    assert (found.cycles, [(o.source, o.cycles) for o in found.against]) == (
        32,
        [("llvm22-sched-model", 16)],
    )


def test_a_scale_load_has_no_operations_and_unknown_cycles():
    found = cost("gfx950", "v_mfma_ld_scale_b32")
    assert (found.ops, found.cycles, found.ops_per_cu_per_cycle) == (0, None, None)


def test_formats_must_be_named_where_there_are_several():
    with pytest.raises(UnknownFormat, match="A of v_mfma_f32_16x16x128_f8f6f4 must have one of"):
        cycles("gfx950", "v_mfma_f32_16x16x128_f8f6f4")
    with pytest.raises(UnknownFormat, match="B of v_mfma_f32_32x32x8_f16 must be f16; 'bf16'"):
        cycles("gfx942", "v_mfma_f32_32x32x8_f16", b="bf16")


def test_mistakes_are_told():
    with pytest.raises(UnknownTarget):
        cycles("gfx943", "v_mfma_f32_32x32x8_f16")
    with pytest.raises(UnknownInstruction, match="Closest: v_mfma_f32_32x32x8_f16"):
        ops_per_cu_per_cycle("gfx942", "v_mfma_f32_32x32x9_f16")
    with pytest.raises(UnknownInstruction):
        cycles("gfx1250", "v_wmma_f64_16x16x4_f64")
    with pytest.raises(UnknownName, match="'B0' is not a stepping of gfx1250"):
        cycles("gfx1250", "v_wmma_f32_16x16x32_f16", stepping="B0")
