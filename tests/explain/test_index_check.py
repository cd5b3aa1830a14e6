import numpy as np
import pytest

from tests.fragments.test_compressed import SPARSE, label
from wavemma.errors import ArrayMistake, EncodingMistake, Unsupported
from wavemma.explain.index_check import verify_index
from wavemma.fragments.fragment import fragment_of

LEGAL = (0x4, 0x8, 0xC, 0x9, 0xD, 0xE)
OP = "v_smfmac_f32_16x16x32_f16"


def index(instruction, wave, nibble):
    registers = fragment_of(instruction, "index", wave).registers
    return np.full((registers, wave), nibble * 0x11111111, np.uint32)


@pytest.mark.parametrize("shape", [(0,), (0, 1, 64), (1, 0), (0, 64)])
def test_an_index_without_words(shape):
    with pytest.raises(ArrayMistake, match=r"Index registers must hold words; an array of shape"):
        verify_index(np.zeros(shape, np.uint32), "gfx942", OP)


@pytest.mark.parametrize("found", SPARSE, ids=label)
def test_six_of_sixteen_groups_are_legal(found):
    instruction, wave = found
    target, name = instruction.targets[0], instruction.name
    m, _, k = instruction.shape
    for nibble in range(16):
        verdict = verify_index(index(instruction, wave, nibble), target, name, wave=wave)
        assert verdict.groups == m * k // 4
        assert verdict.is_legal == (nibble in LEGAL)
        assert verdict.faults == (0 if nibble in LEGAL else m * k // 4)
        assert bool(verdict.fault) == (nibble not in LEGAL)


def test_the_first_fault_is_named():
    words = np.full((2, 1, 64), 0x44444444, np.uint32)
    words[1, 0, 19] = 0x44444464
    verdict = verify_index(words, "gfx942", OP)
    # numerics.md 8: pair q of row i in lane 16*(q//2) + i, group q % 2 of the lane.
    assert verdict.fault == "tile [1], row 3, k 12..15: places 2 and 1 (0x6) do not ascend"
    assert [(spot.lane, spot.bits[0].hi, spot.bits[0].lo) for spot in verdict.places] == [
        (19, 5, 4),
        (19, 7, 6),
    ]
    assert (verdict.faults, verdict.groups) == (1, 2 * 128)
    assert verify_index(words, "gfx942", OP, modifiers={"abid": 1}).is_legal


def test_lanes_alone_are_enough_for_one_register():
    assert verify_index(np.full(64, 0x44444444, np.uint32), "gfx942", OP).is_legal
    assert verify_index(np.full((5, 64), 0x44444444, np.uint32), "gfx942", OP).groups == 5 * 128


@pytest.mark.parametrize(
    ("array", "op", "mistake", "match"),
    [
        (np.zeros((1, 64), np.int32), OP, ArrayMistake, "must be uint32; the array is int32"),
        (np.zeros((1, 32), np.uint32), OP, ArrayMistake, "64"),
        (np.zeros((2, 1, 63), np.uint32), OP, ArrayMistake, "64"),
        (np.zeros((1, 64), np.uint32), "v_mfma_f32_16x16x16_f16", EncodingMistake, "not sparse"),
    ],
)
def test_mistakes(array, op, mistake, match):
    with pytest.raises(mistake, match=match):
        verify_index(array, "gfx942", op)


def test_an_unknown_part_is_not_read():
    words = np.zeros((1, 32), np.uint32)
    with pytest.raises(Unsupported, match="Leave the modifier out"):
        verify_index(words, "gfx1250", "v_swmmac_f32_16x16x64_f16", modifiers={"index_key": 1})
