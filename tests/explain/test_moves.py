import pytest

from tests.facts import facts_json
from wavemma.errors import EncodingMistake, OutOfRange
from wavemma.explain.moves import CHOICES, MOVERS, effects_of, idle_choices
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction


def moving(row: dict, word: str) -> bool:
    """Whether the facts say that a modifier moves data: it has a meaning, and is no format."""
    if word not in row["modifiers"]:
        return False
    meaning = row["modifiers"][word].get("meaning") or ""
    return "format" not in meaning and bool(meaning or (word == "cbsz" and row["sparse"]))


@pytest.mark.facts
@pytest.mark.parametrize("name", ["cbsz", "abid", "blgp"])
def test_exactly_the_legal_values_of_the_facts_are_taken(name: str) -> None:
    taken = refused = 0
    for row in facts_json("instructions")["instructions"]:
        instruction = catalog.instruction(row["mnemonic"], row["targets"][0])
        legal = row["modifiers"].get(name, {}).get("legal")
        if not moving(row, name) or isinstance(legal, str):
            continue
        for value in range(16):
            # Any value of cbsz is taken by a sparse form, which only looks whether it is 0.
            allowed = (0, 1) if name == "cbsz" and row["sparse"] else legal
            if value in allowed:
                assert effects_of(instruction, instruction.waves[0], {name: value})
                taken += 1
            else:
                with pytest.raises(OutOfRange, match=f"{name} must be"):
                    effects_of(instruction, instruction.waves[0], {name: value})
                refused += 1
    assert taken > 40
    assert refused > 100


def find(name: str, target: str) -> Instruction:
    return catalog.instruction(name, target)


def test_abid_counts_below_the_size_of_a_group() -> None:
    instruction = find("v_mfma_f32_4x4x4_16b_f16", "gfx942")
    for cbsz in range(5):
        last = (1 << cbsz) - 1
        assert effects_of(instruction, 64, {"cbsz": cbsz, "abid": last})["broadcast_block"] == last
        with pytest.raises(OutOfRange, match="abid must be"):
            effects_of(instruction, 64, {"cbsz": cbsz, "abid": last + 1})


def test_what_an_instruction_does_not_take_is_told_with_what_it_takes() -> None:
    with pytest.raises(EncodingMistake, match=r"takes no blgp .* it takes: index_key"):
        effects_of(find("v_swmmac_f32_16x16x32_f16", "gfx1201"), 32, {"blgp": 1})
    with pytest.raises(EncodingMistake, match="it takes: none"):
        effects_of(find("v_wmma_f32_16x16x16_f16", "gfx1201"), 32, {"opsel": 1})


def test_wave_decides_what_an_index_key_may_be() -> None:
    instruction = find("v_swmmac_f32_16x16x32_f16", "gfx1201")
    assert effects_of(instruction, 64, {"index_key": 3}) == {"index_part": 3}
    with pytest.raises(OutOfRange, match=r"index_key must be 0\.\.1; it is 3"):
        effects_of(instruction, 32, {"index_key": 3})


def test_every_mover_has_a_choice() -> None:
    chosen = {effect for choice in CHOICES.values() for effect in choice.effects}
    assert {effect for effects in MOVERS.values() for effect in effects} <= chosen


def test_idle_choices() -> None:
    assert idle_choices("a", {"cbsz": 1, "abid": 1, "blgp": 1}) == ("blgp",)
    assert idle_choices("index", {"cbsz": 1, "abid": 1}) == ()
    assert idle_choices("d", {"scale_byte": 1}) == ("scale_byte",)
