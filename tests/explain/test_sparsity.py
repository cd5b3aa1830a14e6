import pytest

from tests.fragments.test_compressed import SPARSE, label
from wavemma.errors import EncodingMistake, OutOfRange, UnknownInstruction
from wavemma.explain.sparsity import explain_index
from wavemma.isa import catalog

DOUBLE_K = {
    *((16, (16, 16, 64)), (16, (32, 32, 32))),
    *((8, (16, 16, 128)), (8, (32, 32, 64))),
}


def facts(instruction, wave):
    """Groups of a lane and the word that selects a set: the table of numerics.md section 8."""
    target, (_, _, k) = instruction.targets[0], instruction.shape
    name = instruction.formats["a"][0]
    bits = {"f16": 16, "bf16": 16, "iu4": 4}.get(name, 8)
    if target == "gfx942":
        return (2, "abid") if bits == 16 else (4, "abid")
    if target == "gfx950":
        single = 2 if bits == 16 else 4
        return single * (2 if (bits, instruction.shape) in DOUBLE_K else 1), "abid"
    if target == "gfx1250":
        return (8 if k == 64 else 16), "index_key"
    if wave == 32:
        return (8, "") if k == 64 else (4, "index_key")
    return (4 if bits == 4 else 2), "index_key"


@pytest.mark.parametrize("found", SPARSE, ids=label)
def test_groups_and_selectors_are_those_of_the_facts(found):
    instruction, wave = found
    groups, word = facts(instruction, wave)
    answer = explain_index(instruction.targets[0], instruction.name, wave=wave)
    assert answer.groups_per_lane == groups
    assert answer.bits_per_lane == 4 * groups
    assert answer.parts == max(32 // (4 * groups), 1)
    assert answer.registers == max(4 * groups // 32, 1)
    words = {each.word for each in answer.selectors}
    assert words == ({"cbsz", "abid"} if word == "abid" else {word} - {""})
    _, _, k = instruction.shape
    assert len(answer.row) == k // 4
    assert [(each.first_k, each.last_k) for each in answer.row] == [
        (first, first + 3) for first in range(0, k, 4)
    ]
    assert answer.evidence


@pytest.mark.parametrize("found", SPARSE, ids=label)
def test_only_the_parts_that_there_are_can_be_chosen(found):
    instruction, wave = found
    groups, word = facts(instruction, wave)
    target, name = instruction.targets[0], instruction.name
    if not word or target == "gfx1250":
        return
    parts = 32 // (4 * groups)
    for part in range(parts):
        answer = explain_index(target, name, wave=wave, modifiers={word: part})
        assert answer.part == part
        first = answer.row[0].places[0].bits[0]
        assert (first.register, first.lo) == (0, 4 * groups * part)
    with pytest.raises(OutOfRange, match=f"{word} must be .*; it is {parts}"):
        explain_index(target, name, wave=wave, modifiers={word: parts})


def test_case_36_abid_2_is_too_much_for_16_bits_a_lane():
    with pytest.raises(OutOfRange, match=r"abid must be 0\.\.1; it is 2 \(which 16-bit part"):
        explain_index("gfx950", "v_smfmac_f32_16x16x64_f16", modifiers={"abid": 2})
    old = explain_index("gfx942", "v_smfmac_f32_16x16x32_f16", modifiers={"abid": 2})
    assert (old.bits_per_lane, old.parts, old.part) == (8, 4, 2)
    assert [each.values for each in old.selectors if each.word == "abid"] == [(0, 1, 2, 3)]


def test_cbsz_leaves_the_first_part():
    off = {"cbsz": 1, "abid": 3}
    answer = explain_index("gfx942", "v_smfmac_f32_16x16x32_f16", modifiers=off)
    assert answer.part == 0
    assert answer.row[0].places[0].bits[0].lo == 0


def test_what_is_unknown_is_said():
    answer = explain_index("gfx1250", "v_swmmac_f32_16x16x64_f16", modifiers={"index_key": 1})
    assert answer.unknown
    assert answer.row == ()


def test_mistakes():
    with pytest.raises(EncodingMistake, match="is not sparse: it has no index operand"):
        explain_index("gfx942", "v_mfma_f32_16x16x16_f16")
    with pytest.raises(UnknownInstruction):
        explain_index("gfx1100", "v_smfmac_f32_16x16x32_f16")
    with pytest.raises(EncodingMistake, match="takes no index_key"):
        explain_index("gfx942", "v_smfmac_f32_16x16x32_f16", modifiers={"index_key": 0})
    assert catalog.instructions("gfx1100", sparse=True) == ()
