"""Everything that `show` says of an instruction, against the facts, on every target."""

import itertools
import json

import pytest

from tests.facts import facts_json
from wavemma.errors import OutOfRange, UnknownInstruction, UnknownTarget
from wavemma.explain.instruction import explain_instruction
from wavemma.render.structure import as_json
from wavemma.render.terminal import as_text

ROLES = {
    "A": ["a"],
    "B": ["b"],
    "C": ["c"],
    "D": ["d"],
    "C and D": ["c", "d"],
    "sparse index": ["index"],
    "A scale": ["scale_a"],
    "B scale": ["scale_b"],
}
# encodings.json lists the special registers of the CDNA4 scale load, instructions.json does not.
MORE_KINDS = ["special_sgpr"]
WORDS = {("fp8", "ocp"): "fp8_ocp", ("bf8", "ocp"): "bf8_ocp"}
WORDS |= {("fp8", "fnuz"): "fp8_fnuz", ("bf8", "fnuz"): "bf8_fnuz"}


@pytest.fixture(scope="module")
def facts():
    return facts_json("instructions")


@pytest.fixture(scope="module")
def shown(facts):
    """Every instruction on every target as JSON: (fact, target, document, its one form)."""
    found = []
    for fact in facts["instructions"]:
        for target in fact["targets"]:
            answer = json.loads(as_json(explain_instruction(fact["mnemonic"], target)))
            assert len(answer["forms"]) == 1
            found.append((fact, target, answer, answer["forms"][0]))
    assert len(facts["instructions"]) == 264
    assert len(found) == sum(len(fact["targets"]) for fact in facts["instructions"]) == 411
    return found


@pytest.mark.facts
def test_what_it_is(shown, facts):
    for fact, target, answer, form in shown:
        assert answer["schema"] == "wavemma/1"
        assert answer["answer"] == "InstructionFacts"
        assert answer["target"] == target
        assert answer["name"] == form["name"] == fact["mnemonic"]
        assert form["architecture"] == fact["arch"]
        assert form["title"] == facts["architectures"][fact["arch"]]["name"]
        assert form["targets"] == fact["targets"]
        assert form["waves"] == fact["wave_sizes"]
        assert form["aliases"] == fact["aliases"]
        assert form["kind"] == ("scale_load" if "kind" in fact else fact["family"])
        assert form["sparse"] == fact["sparse"]
        if "M" in fact:
            assert form["shape"] == [fact["M"], fact["N"], fact["K"]]
            assert form["blocks"] == fact["blocks"]
            assert form["ops"] == fact["ops"]
        assert form["scale_block"] == fact.get("scale", {}).get("block_k", 0)


@pytest.mark.facts
def test_operands(shown):
    fields = {"vdst": "VDST", "src0": "SRC0", "src1": "SRC1", "src2": "SRC2"}
    fields |= {"scale_src0": "SCALE_SRC0", "scale_src1": "SCALE_SRC1"}
    for fact, _, _, form in shown:
        found = {each["field"]: each for each in form["operands"]}
        assert len(found) == len(fact["operands"])
        for name, operand in fact["operands"].items():
            load = "kind" in fact
            mine = found[f"SCALE_{fields[name]}" if load else fields[name]]
            assert mine["roles"] == ROLES[operand["role"]]
            more = MORE_KINDS if load and fact["arch"] == "cdna4" else []
            assert set(mine["kinds"]) == {*operand["kinds"], *more}
            written = {"D": "written", "C and D": "read and written"}
            assert mine["access"] == written.get(operand["role"], "read")
            if "inline" in operand:
                low, high = operand["inline"]["integers"]
                floats = operand["inline"]["floats"]
                want = [f"{low}..{high}", *floats]
                want += ["1/(2*pi)"] if operand["inline"]["inv_2pi"] else []
                assert mine["constants"] == want
            elif "inline_constant" not in operand["kinds"]:
                assert mine["constants"] == []


def _wanted(fact):
    """Yield (role, wave, format) and the registers that the facts give."""
    for letter, types in fact["types"].items():
        words = [types] if isinstance(types, str) else types
        for wave, word in itertools.product(fact["wave_sizes"], words):
            want = fact["vgprs"][str(wave)][letter]
            want = fact.get("vgprs_by_format", {}).get(letter, {}).get(word, want)
            if letter == "D":
                want = fact.get("result_registers_written", want)
            yield (letter.lower(), wave, WORDS.get((word, fact.get("fp8_variant")), word)), want


@pytest.mark.facts
def test_formats_and_registers(shown):
    checked = 0
    for fact, _, _, form in shown:
        if "M" not in fact:
            continue
        counts = {
            (each["role"], each["wave"], name): each["registers"]
            for operand in form["operands"]
            for each in operand["registers"]
            for name in each["formats"]
        }
        for key, want in _wanted(fact):
            assert counts[key] == want, (fact["mnemonic"], key)
            checked += 1
        index = {wave: count for (role, wave, _), count in counts.items() if role == "index"}
        assert index == {
            wave: fact["vgprs"][str(wave)]["index"]
            for wave in fact["wave_sizes"]
            if "index" in fact["vgprs"][str(wave)]
        }
    assert checked > 1600


@pytest.mark.facts
def test_builtins_and_cycles(shown):
    for fact, target, _, form in shown:
        mine = set(form["builtins"])
        assert mine >= {each["name"] for each in fact["builtins"]}
        assert {each["target"] for each in form["speeds"]} == {target}
        cycles = fact["timing"].get("cycles")
        if isinstance(cycles, int):
            assert [each["cycles"] for each in form["speeds"]] == [cycles]
            assert form["speeds"][0]["passes"] == fact["timing"].get("passes")
            assert form["speeds"][0]["coexec_cycles"] == fact["timing"].get("valu_coexec_cycles")
        if fact["timing"]["grade"] == "missing":
            assert {each["cycles"] for each in form["speeds"]} == {None}
        assert {each["target"] for each in form["models"]} == ({target} if "M" in fact else set())


@pytest.mark.facts
def test_who_has_it_and_what_it_rests_on(shown, facts):
    owners = {}
    for fact in facts["instructions"]:
        for name in (fact["mnemonic"], *fact["aliases"]):
            owners.setdefault(name, set()).update(fact["targets"])
    for fact, target, answer, form in shown:
        have = {each["target"] for each in answer["support"] if each["has"]}
        assert len(answer["support"]) == 19
        assert target in have
        assert owners[fact["mnemonic"]] <= have
        assert answer["evidence"]
        assert all(
            each["grade"] in "HVD" or each["grade"] == "unknown" for each in answer["evidence"]
        )
        assert form["source"] in {each["source"] for each in answer["evidence"]}
        assert answer["description"]


@pytest.mark.facts
def test_conflicts_are_shown(shown):
    opcodes = timings = 0
    for fact, _, answer, _ in shown:
        texts = [each["what"] for each in answer["conflicts"]]
        if fact["verified"].get("calculator_opcode") is False:
            assert any(text.startswith("opcode") for text in texts)
            opcodes += 1
        if "disagrees" in fact["timing"] or "against" in fact["timing"]:
            assert any(text.startswith("cycles") for text in texts)
            timings += 1
    assert opcodes == 4


def test_every_architecture_without_a_target():
    answer = explain_instruction("v_mfma_f32_16x16x16f16")
    assert [form.architecture for form in answer.forms] == ["cdna1", "cdna2", "cdna3", "cdna4"]
    assert [form.name for form in answer.forms][2:] == ["v_mfma_f32_16x16x16_f16"] * 2
    assert [form.layouts[0].registers for form in answer.forms] == [2, 2, 2, 2]


def test_related():
    found = {
        each.name: each.relation
        for each in explain_instruction("v_wmma_f32_16x16x128_f8f6f4", "gfx1250").related
    }
    assert found["v_wmma_scale_f32_16x16x128_f8f6f4"] == "scaled form"
    assert found["v_wmma_f32_16x16x128_fp8_fp8"] == "other formats"
    found = {
        each.name: each.relation for each in explain_instruction("v_mfma_f32_32x32x8_f16").related
    }
    assert found["v_mfma_f32_16x16x16_f16"] == "other shape"
    assert found["v_smfmac_f32_32x32x16_f16"] == "sparse form"
    assert found["v_mfma_f32_32x32x8_bf16"] == "other formats"


def test_case_and_wave_size():
    answer = explain_instruction("V_WMMA_F32_16X16X16_F16", "gfx1100", 64)
    assert {each.wave for each in answer.forms[0].layouts} == {64}
    with pytest.raises(OutOfRange, match="must have 64 lanes"):
        explain_instruction("v_mfma_f32_16x16x16_f16", "gfx942", 32)


def test_unknown_names_are_told():
    with pytest.raises(UnknownInstruction, match="Closest: v_mfma_f32_16x16x16_f16"):
        explain_instruction("v_mfma_f32_16x16x17_f16")
    with pytest.raises(
        UnknownInstruction, match=r"(?s)It is one of gfx1100, .*v_wmma_f32_16x16x32_f16"
    ):
        explain_instruction("v_wmma_f32_16x16x16_f16", "gfx1250")
    with pytest.raises(UnknownTarget, match="gfx1030"):
        explain_instruction("v_wmma_f32_16x16x16_f16", "gfx1030")


def test_a_stepping_that_lacks_it_is_named() -> None:
    name = "v_wmma_scale_f32_32x16x128_f4"
    answer = explain_instruction(name)
    (absence,) = answer.absences
    assert absence.startswith(f"Stepping A0 (revision 0) of gfx1250 lacks {name}: ")
    # It is read in the short form too.
    assert "of gfx1250 lacks" in as_text(answer, width=99, colour=False)
    assert any(each.source == "rocm-libraries-pr-11040" for each in answer.evidence)
    assert not explain_instruction(name, "gfx1251").absences
