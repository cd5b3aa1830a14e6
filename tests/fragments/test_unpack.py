"""Reading registers: copies that disagree, and operands that modifiers move."""

import numpy as np
import pytest

from tests.fragments.drawn import distinct_fragments, fragment_for, random_matrix, random_registers
from wavemma.errors import ArrayMistake
from wavemma.fragments import disagreement, pack, unpack
from wavemma.layouts import Shape, layout
from wavemma.layouts.movement import broadcast_blocks, swizzle_lanes


@pytest.mark.facts
def test_unused_places_do_not_matter() -> None:
    rng = np.random.default_rng(30)
    for fragment in distinct_fragments():
        matrix = random_matrix(fragment, rng)
        registers = pack(matrix, fragment, into=random_registers(fragment, rng))
        np.testing.assert_array_equal(unpack(registers, fragment), matrix)
        assert disagreement(registers, fragment) is None


def test_the_first_disagreement_is_named() -> None:
    fragment = fragment_for(layout("wmma_replicated", "a", Shape(16, 16, 16), 16, 32))
    matrix = random_matrix(fragment, np.random.default_rng(31), (2, 3))
    registers = pack(matrix, fragment)
    # Case 3: A[2][5] lies in v2[31:16] of lanes 2 and 18. A kernel that loads only one copy:
    registers[1, 2, 2, 18] ^= 0x8000_0000
    registers[1, 2, 7, 31] ^= 1
    found = disagreement(registers, fragment)
    assert found is not None
    assert (found.batch, found.element) == ((1, 2), {"i": 2, "k": 5})
    assert [place.lane for place in found.places] == [2, 18]
    value = int(matrix[1, 2, 2, 5])
    assert found.values == (value, value ^ 0x8000)
    np.testing.assert_array_equal(unpack(registers, fragment), matrix)


def test_disagreements_in_narrow_elements() -> None:
    fragment = fragment_for(layout("wmma_replicated", "b", Shape(16, 16, 16), 4, 64), "b")
    registers = pack(random_matrix(fragment, np.random.default_rng(32)), fragment)
    registers[1, 53] ^= 1 << 31
    found = disagreement(registers, fragment)
    assert found is not None
    assert found.element == {"k": 15, "j": 5}
    assert [place.lane for place in found.places] == [5, 53]


def test_b_is_read_from_swizzled_lanes() -> None:
    rng = np.random.default_rng(33)
    plain = fragment_for(layout("mfma", "b", Shape(32, 32, 8), 16, 64), "b")
    registers = random_registers(plain, rng, (2,))
    lanes = np.arange(64)
    rules = [
        lanes, lanes % 32, lanes % 32 + 32, (lanes + 16) % 64,
        lanes % 16, lanes % 16 + 16, lanes % 16 + 32, lanes % 16 + 48,
    ]  # fmt: skip
    for blgp, sources in enumerate(rules):
        moved = fragment_for(swizzle_lanes(plain.layout, blgp), "b")
        expected = unpack(registers[..., sources], plain)
        np.testing.assert_array_equal(unpack(registers, moved), expected)


def test_a_is_read_from_the_named_block() -> None:
    rng = np.random.default_rng(34)
    plain = fragment_for(layout("mfma", "a", Shape(4, 4, 4, 16), 16, 64))
    matrix = random_matrix(plain, rng)
    registers = pack(matrix, plain)
    for cbsz in range(5):
        for abid in range(1 << cbsz):
            moved = fragment_for(broadcast_blocks(plain.layout, cbsz, abid))
            blocks = [b // (1 << cbsz) * (1 << cbsz) + abid for b in range(16)]
            np.testing.assert_array_equal(unpack(registers, moved), matrix[blocks])


def test_other_arrays_are_refused() -> None:
    fragment = fragment_for(layout("mfma", "a", Shape(16, 16, 16), 16, 64))
    for wrong in (
        np.zeros((2, 64), np.int32),
        np.zeros((64, 2), np.uint32),
        np.zeros(2, np.uint32),
    ):
        with pytest.raises(ArrayMistake, match=r"uint32 \[\.\.\., 2, 64\]"):
            unpack(wrong, fragment)
        with pytest.raises(ArrayMistake, match=r"uint32 \[\.\.\., 2, 64\]"):
            disagreement(wrong, fragment)
