"""Instructions against the fact file: bits, counts, formats; one record a row."""

from typing import Any

import pytest

from tests.facts import facts_json
from wavemma.errors import EncodingMistake, UnknownFormat
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction

ROLES = {"A": "a", "B": "b", "C": "c", "D": "d", "A scale": "scale_a", "B scale": "scale_b"}
# The operand has 8 registers, the bf16 result of its layout fills 4 (result_registers_written).
SHORTER_RESULT = "v_swmmac_bf16f32_16x16x64_bf16"


def pairs() -> list[tuple[dict[str, Any], Instruction]]:
    facts = facts_json("instructions")["instructions"]
    return [(fact, catalog.instruction(fact["mnemonic"], fact["targets"][0])) for fact in facts]


@pytest.mark.facts
def test_words_and_sizes() -> None:
    for fact, each in pairs():
        assert each.template == int(fact["template"], 16), each
        assert each.size_bytes == fact["size_bytes"]
        assert each.targets == tuple(fact["targets"])
        assert each.waves == tuple(fact["wave_sizes"])
        assert each.ops == fact.get("ops", 0)
        assert each.is_sparse == fact["sparse"]
        assert each.shape == (fact.get("M", 0), fact.get("N", 0), fact.get("K", 0))
    assert len(pairs()) == 264


@pytest.mark.facts
def test_registers() -> None:
    compared = 0
    for fact, each in pairs():
        for wave, counts in fact.get("vgprs", {}).items():
            for name, count in counts.items():
                if each.name == SHORTER_RESULT and name == "D":
                    count = fact["result_registers_written"]
                role = ROLES.get(name, name)
                assert each.registers(role, int(wave)) == count, (each, role, wave)
                compared += 1
    assert compared > 1200


@pytest.mark.facts
def test_registers_by_format() -> None:
    compared = 0
    for fact, each in pairs():
        for name, counts in fact.get("vgprs_by_format", {}).items():
            formats = each.formats[ROLES[name]]
            for count, format in zip(counts.values(), formats, strict=True):
                assert each.registers(ROLES[name], None, format) == count
                compared += 1
        for name, scale in fact.get("scale", {}).items():
            if name in ("A", "B"):
                assert each.registers(f"scale_{name.lower()}") == scale["vgprs"]
                compared += 1
    # Seven rows take five formats on both sides; six rows have two scales.
    assert compared == 7 * 10 + 6 * 2


@pytest.mark.facts
def test_index_bits() -> None:
    compared = 0
    for fact, each in pairs():
        for wave, bits in fact.get("index_bits", {}).items():
            layout = each.layout("index", int(wave))
            assert layout.slots * layout.stride_bits == bits, (each, wave)
            compared += 1
    assert compared == 14 + 28 + 14 + 2 * (11 + 11)


@pytest.mark.facts
def test_modifier_bits() -> None:
    compared = 0
    order = facts_json("instructions")["asm_modifier_order"]["order"]
    for fact, each in pairs():
        for wave in each.waves:
            extra = fact.get("modifiers_by_wave", {}).get(str(wave), {})
            want = fact["modifiers"] | extra
            got = {modifier.word: modifier for modifier in each.modifiers(wave)}
            assert list(got) == sorted(want, key=order.index)
            for word, modifier in want.items():
                assert list(got[word].bits) == modifier["bits"]
                compared += 1
    assert compared > 900


def test_roles_and_formats() -> None:
    sparse = catalog.instruction("v_swmmac_i32_16x16x32_iu8", "gfx1201")
    assert sparse.roles == ("a", "b", "c", "d", "index")
    assert sparse.operand_of("c") is sparse.operand_of("d")
    scaled = catalog.instruction("v_wmma_scale_f32_16x16x128_f8f6f4", "gfx1250")
    assert scaled.roles == ("a", "b", "c", "d", "scale_a", "scale_b")
    assert len(scaled.formats["a"]) == 5
    assert scaled.formats["scale_a"] == ("e8m0", "e5m3", "e4m3")
    load = catalog.instruction("v_mfma_ld_scale_b32", "gfx950")
    assert (load.roles, load.kind, load.formats) == (("scale_a", "scale_b"), "scale_load", {})


def test_wrong_roles_and_formats_are_refused() -> None:
    dense = catalog.instruction("v_wmma_f32_16x16x16_f16", "gfx1100")
    with pytest.raises(EncodingMistake, match="no operand 'index'"):
        dense.layout("index")
    with pytest.raises(UnknownFormat, match="must be f16; 'bf16' was given"):
        dense.layout("a", None, "bf16")
    with pytest.raises(EncodingMistake, match="loads scales"):
        catalog.instruction("v_mfma_ld_scale_b32", "gfx950").layout("scale_a")
