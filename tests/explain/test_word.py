"""The word of every instruction: identifier, template, bits and modifiers, against the facts."""

import json

import msgspec
import pytest

from tests.facts import facts_json
from wavemma.explain.instruction import explain_instruction
from wavemma.explain.word import word_facts
from wavemma.isa.catalog import instruction


@pytest.fixture(scope="module")
def shown():
    """Every instruction: (fact, plain data of its word)."""
    found = [
        (
            fact,
            json.loads(
                msgspec.json.encode(word_facts(instruction(fact["mnemonic"], fact["targets"][-1])))
            ),
        )
        for fact in facts_json("instructions")["instructions"]
    ]
    assert len(found) == 264
    return found


@pytest.mark.facts
def test_word(shown):
    for fact, word in shown:
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
        if entry.get("identify"):
            opcode = next(f["bits"] for f in entry["fields"] if f["name"] == "OP")
            for name in entry["architectures"]:
                encodings[name] = (entry["identify"], opcode)
    checked = 0
    for fact, word in shown:
        identify, opcode = encodings[fact["arch"]]
        named = identify["value"] << identify["bits"][0]
        if fact.get("scaled"):
            want = named | fact["opcode_scale_half"] << opcode[0]
            want |= (named | fact["opcode_second_half"] << opcode[0]) << 64
        else:
            want = named | fact["opcode"] << opcode[0]
        assert int(word["identifier"], 16) == want, fact["mnemonic"]
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
    for fact, word in shown:
        bits = word["bits"]
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
def test_modifiers(shown):
    checked = 0
    for fact, word in shown:
        for wave in fact["wave_sizes"]:
            want = {**fact["modifiers"], **fact.get("modifiers_by_wave", {}).get(str(wave), {})}
            mine = {each["word"]: each for each in word["modifiers"] if wave in each["waves"]}
            assert set(mine) == set(want), fact["mnemonic"]
            for name, modifier in want.items():
                assert mine[name]["kind"] == modifier["type"]
                assert mine[name]["bits"] == modifier["bits"]
                if "values" in modifier:
                    assert mine[name]["values"] == list(modifier["values"].values())
                if "assembler_names" in modifier:
                    assert mine[name]["names"] == modifier["assembler_names"]
                default = modifier.get("default", [0])
                assert mine[name]["default"] == sum(b << p for p, b in enumerate(default))
                checked += 1
    assert checked > 800


def _legal(text):
    """Expand "0..7" or "0, 1"; "0..2^cbsz-1" stays text, as in the facts."""
    if "cbsz" in text:
        return text
    first, _, last = text.partition("..")
    return list(range(int(first), int(last) + 1)) if last else [int(n) for n in text.split(", ")]


@pytest.mark.facts
def test_legal_values(shown):
    checked = 0
    for fact, word in shown:
        mine = {(each["word"], wave): each for each in word["modifiers"] for wave in each["waves"]}
        for wave in fact["wave_sizes"]:
            want = {**fact["modifiers"], **fact.get("modifiers_by_wave", {}).get(str(wave), {})}
            for name, modifier in want.items():
                text = mine[name, wave]["legal"]
                if modifier["type"] == "int":
                    assert _legal(text) == modifier["legal"], (fact["mnemonic"], name)
                if modifier["type"] == "mask":
                    assert len(text.split(", ")) == sum(modifier["allowed"]) or text == "none"
                    assert (text == "none") == (not any(modifier["allowed"]))
                checked += 1
    assert checked > 800
