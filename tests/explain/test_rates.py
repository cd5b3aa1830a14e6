"""The speed of every instruction on every target, against the facts."""

import json

import pytest

from tests.facts import facts_json
from wavemma.errors import OutOfRange, UnknownInstruction, UnknownName, UnknownTarget
from wavemma.explain.rates import UNKNOWN_NOTE, WAVE_NOTE, explain_rate
from wavemma.render.structure import as_json

# A pair of formats that stands for each case which the facts tell apart.
PAIRS = {
    "both A and B in {fp6,bf6,fp4}": ["bf6", "fp4"],
    "A or B in {fp8,bf8}": ["fp4", "fp8_ocp"],
    "both fp4": ["fp4", "fp4"],
    "neither fp8 nor bf8": ["fp6", "fp4"],
    "otherwise": ["bf8_ocp", "fp4"],
}


def _cases(timing, target):
    """Yield (stepping, pair of formats or None, cycles) of a fact."""
    cycles = timing.get("cycles_by_format", timing.get("cycles"))
    if not isinstance(cycles, dict):
        yield "", None, cycles
        return
    for key, value in cycles.items():
        if key in PAIRS:
            yield "", PAIRS[key], value
        elif key.split()[0] == target:
            stepping = key.partition(" stepping ")[2]
            inner = value if isinstance(value, dict) else {None: value}
            yield from ((stepping, PAIRS.get(case), each) for case, each in inner.items())


@pytest.mark.facts
def test_every_instruction_on_every_target():
    asked = cases = 0
    for fact in facts_json("instructions")["instructions"]:
        for target in fact["targets"]:
            answer = json.loads(as_json(explain_rate(target, fact["mnemonic"])))
            assert (answer["answer"], answer["target"]) == ("RateFacts", target)
            assert answer["instruction"] == fact["mnemonic"]
            asked += 1
            for stepping, pair, cycles in _cases(fact["timing"], target):
                found = [
                    each["cycles"]
                    for each in answer["speeds"]
                    if each["stepping"] == stepping and pair in (None, *each["formats"])
                ]
                assert found == [cycles], (fact["mnemonic"], target, pair)
                cases += 1
            unknown = any(each["cycles"] is None for each in answer["speeds"])
            assert unknown == (UNKNOWN_NOTE in answer["notes"])
            assert (WAVE_NOTE in answer["notes"]) == (len(fact["wave_sizes"]) > 1)
            assert answer["evidence"]
    assert (asked, cases) == (411, 438)


def test_the_case_names_the_formats():
    speeds = explain_rate("gfx950", "v_mfma_f32_16x16x128_f8f6f4").speeds
    assert {each.case: each.cycles for each in speeds} == {
        "A or B of fp8_ocp, bf8_ocp": 32,
        "A and B of fp6, bf6, fp4": 16,
    }
    assert sum(len(each.formats) for each in speeds) == 25


def test_disagreeing_sources_are_shown():
    (conflict,) = explain_rate("gfx950", "v_mfma_f64_4x4x4_4b_f64").conflicts
    assert conflict.taken.startswith("32 ")
    assert conflict.other == "16"


@pytest.mark.parametrize(("type", "ops"), [("f16", 2048), ("bf16", 2048), ("fp8_fp8", 4096)])
def test_case_25(type, ops):
    name = {"f16": "32x32x8_f16", "bf16": "32x32x8_bf16", "fp8_fp8": "16x16x32_fp8_fp8"}[type]
    (speed,) = explain_rate("gfx942", f"v_mfma_f32_{name}").speeds
    assert speed.ops_per_cu_per_cycle == ops


def test_port_from_gfx1100_to_gfx1201_takes_a_quarter_of_the_cycles():
    """Case 17."""
    cycles = [
        explain_rate(target, "v_wmma_i32_16x16x16_iu8").speeds[0].cycles
        for target in ("gfx1100", "gfx1201")
    ]
    assert cycles == [32, 8]


def test_one_stepping_only():
    (speed,) = explain_rate("gfx1250", "v_wmma_f32_16x16x64_fp8_fp8", stepping="A0").speeds
    assert (speed.stepping, speed.cycles) == ("A0", 8)


def test_mistakes():
    with pytest.raises(UnknownTarget, match="gfx1030"):
        explain_rate("gfx1030", "v_wmma_f32_16x16x16_f16")
    with pytest.raises(UnknownInstruction, match="It is one of gfx1100"):
        explain_rate("gfx942", "v_wmma_f32_16x16x16_f16")
    with pytest.raises(OutOfRange, match="must have 64 lanes"):
        explain_rate("gfx942", "v_mfma_f32_32x32x8_f16", wave=32)
    with pytest.raises(UnknownName, match="not a stepping of gfx1250"):
        explain_rate("gfx1250", "v_wmma_f32_16x16x64_fp8_fp8", stepping="B7")
