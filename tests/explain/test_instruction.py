"""Everything that `show` says of an instruction, against the facts, row by row and target by target."""

import json

import pytest

from tests.facts import facts_json
from wavemma.errors import OutOfRange, UnknownInstruction, UnknownTarget
from wavemma.explain.instruction import explain_instruction
from wavemma.render.structure import as_json

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
def test_word(shown):
    for fact, _, _, form in shown:
        word = form["word"]
        assert word["encoding"] == fact["encoding"]
        assert word["size_bytes"] == fact["size_bytes"]
        assert int(word["template"], 16) == int(fact["template"], 16)
        assert len(word["template"]) == len(word["identifier"]) == 2 + 2 * fact["size_bytes"]
        if fact.get("scaled"):
            assert word["opcode"] == fact["opcode_second_half"]
            assert word["scale_opcode"] == fact["opcode_scale_half"]
        else:
            assert word["opcode"] == fact["opcode"]
            assert word["scale_opcode"] is None


@pytest.mark.facts
def test_identifier_is_encoding_and_opcode_alone(shown):
    """An independent twin: the numbers that name encoding and opcode, shifted to their places."""
    encodings = {}
    for entry in facts_json("encodings")["encodings"]:
        if entry["identify"] if "identify" in entry else None:
            opcode = next(f["bits"] for f in entry["fields"] if f["name"] == "OP")
            for name in entry["architectures"]:
                encodings[name] = (entry["identify"], opcode)
    checked = 0
    for fact, _, _, form in shown:
        identify, opcode = encodings[fact["arch"]]
        named = identify["value"] << identify["bits"][0]
        if fact.get("scaled"):
            want = named | fact["opcode_scale_half"] << opcode[0]
            want |= (named | fact["opcode_second_half"] << opcode[0]) << 64
        else:
            want = named | fact["opcode"] << opcode[0]
        assert int(form["word"]["identifier"], 16) == want, fact["mnemonic"]
        checked += 1
    assert checked == len(shown)


def test_the_seed_document_s_identifier_and_bits():
    """The second seed prints these for its one instruction."""
    form = explain_instruction("v_wmma_f16_16x16x64_fp8_bf8").forms[0]
    assert form.word.identifier == "0x00000000CC6F0000"
    assert form.word.opcode == 111
    assert [(each.hi, each.lo) for each in form.word.bits] == [
        (63, 61), (60, 59), (58, 50), (49, 41), (40, 32), (31, 24), (23, 16), (15, 15), (14, 14),
        (13, 11), (10, 8), (7, 0),
    ]  # fmt: skip
    values = {each.name: each.value for each in form.word.bits}
    assert values["ENCODING"] == 0b11001100
    assert values["OP"] == 0b01101111


@pytest.mark.facts
def test_bits_cover_the_word_once_and_hold_the_template(shown):
    for fact, _, _, form in shown:
        bits = form["word"]["bits"]
        spans = [(each["hi"], each["lo"]) for each in bits]
        every = [bit for hi, lo in spans for bit in range(hi, lo - 1, -1)]
        assert every == list(range(8 * fact["size_bytes"] - 1, -1, -1))
        template = int(fact["template"], 16)
        for each in bits:
            if each["value"] is not None:
                width = each["hi"] - each["lo"] + 1
                assert template >> each["lo"] & ((1 << width) - 1) == each["value"]
        assert all(each["holds"] for each in bits)


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


def _names(fact, types):
    types = [types] if isinstance(types, str) else types
    return [WORDS.get((each, fact.get("fp8_variant")), each) for each in types]


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
        for letter, types in fact["types"].items():
            for wave in fact["wave_sizes"]:
                for word, name in zip(
                    [types] if isinstance(types, str) else types, _names(fact, types), strict=True
                ):
                    want = fact["vgprs"][str(wave)][letter]
                    if letter in fact.get("vgprs_by_format", {}):
                        want = fact["vgprs_by_format"][letter][word]
                    if letter == "D" and "result_registers_written" in fact:
                        want = fact["result_registers_written"]
                    assert counts[letter.lower(), wave, name] == want, (fact["mnemonic"], letter)
                    checked += 1
        for wave in fact["wave_sizes"]:
            if "index" in fact["vgprs"][str(wave)]:
                index = {w: c for (role, w, _), c in counts.items() if role == "index"}
                assert index[wave] == fact["vgprs"][str(wave)]["index"]
    assert checked > 1600


@pytest.mark.facts
def test_modifiers(shown):
    checked = 0
    for fact, _, _, form in shown:
        for wave in fact["wave_sizes"]:
            want = {**fact["modifiers"], **fact.get("modifiers_by_wave", {}).get(str(wave), {})}
            mine = {
                each["word"]: each for each in form["word"]["modifiers"] if wave in each["waves"]
            }
            assert set(mine) == set(want), fact["mnemonic"]
            for word, modifier in want.items():
                assert mine[word]["kind"] == modifier["type"]
                assert mine[word]["bits"] == modifier["bits"]
                if "values" in modifier:
                    assert mine[word]["values"] == list(modifier["values"].values())
                if "assembler_names" in modifier:
                    assert mine[word]["names"] == modifier["assembler_names"]
                default = modifier.get("default", [0])
                assert mine[word]["default"] == sum(b << p for p, b in enumerate(default))
                checked += 1
    assert checked > 1500


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


def test_case_and_wave_size():
    answer = explain_instruction("V_WMMA_F32_16X16X16_F16", "gfx1100", 64)
    assert {each.wave for each in answer.forms[0].layouts} == {64}
    with pytest.raises(OutOfRange, match="must have 64 lanes"):
        explain_instruction("v_mfma_f32_16x16x16_f16", "gfx942", 32)


def test_unknown_names_are_told():
    with pytest.raises(UnknownInstruction, match="Closest: v_mfma_f32_16x16x16_f16"):
        explain_instruction("v_mfma_f32_16x16x17_f16")
    with pytest.raises(
        UnknownInstruction, match="(?s)It is one of gfx1100, .*v_wmma_f32_16x16x32_f16"
    ):
        explain_instruction("v_wmma_f32_16x16x16_f16", "gfx1250")
    with pytest.raises(UnknownTarget, match="gfx1030"):
        explain_instruction("v_wmma_f32_16x16x16_f16", "gfx1030")
