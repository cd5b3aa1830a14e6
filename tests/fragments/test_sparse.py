"""Compressing to two of four: every pattern of a group, and the bits of index operands."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fragments.drawn import fragment_for, random_registers
from wavemma.errors import ArrayMistake
from wavemma.fragments import compress, expand, illegal_group, kept_k, pack, unpack
from wavemma.layouts import Shape, layout
from wavemma.layouts.movement import index_sets, select_index_set

# numerics.md 8: the legal 4-bit groups, first position in bits 0-1, second in bits 2-3.
LEGAL = {0x4, 0x8, 0xC, 0x9, 0xD, 0xE}


def _word(positions: np.ndarray) -> int:
    return int(positions[0]) | int(positions[1]) << 2


def test_every_pattern_of_a_group() -> None:
    seen = set()
    for group in itertools.product((0, 0x8000, 0x3C00), repeat=4):
        dense = np.array([group], dtype=np.uint16)
        if sum(value == 0x3C00 for value in group) > 2:
            with pytest.raises(ArrayMistake):
                compress(dense, negative_zero=0x8000)
            continue
        kept, positions = compress(dense, negative_zero=0x8000)
        assert kept.shape == positions.shape == (1, 2)
        assert _word(positions[0]) in LEGAL
        seen.add(_word(positions[0]))
        back = expand(kept, positions)
        for before, after in zip(group, back[0].tolist(), strict=True):
            assert after == before or (before == 0x8000 and after == 0)
        if sum(value != 0 for value in group) <= 2:
            assert back.tolist() == dense.tolist()
    assert seen == LEGAL


def test_one_element_at_the_end_of_its_group() -> None:
    # Case 37: one product; the other slot holds zero with a legal index.
    kept, positions = compress(np.array([[0, 0, 0, 7]], dtype=np.uint8))
    assert kept.tolist() == [[0, 7]]
    assert positions.tolist() == [[0, 3]]
    kept, positions = compress(np.zeros((1, 4), dtype=np.uint8))
    assert (kept.tolist(), positions.tolist()) == ([[0, 0]], [[0, 1]])


@given(st.data())
def test_expand_undoes_compress(data: st.DataObject) -> None:
    rows, groups = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    dense = np.zeros((2, rows, groups, 4), dtype=np.uint32)
    for place in itertools.product(range(2), range(rows), range(groups)):
        for position in data.draw(st.sets(st.integers(0, 3), max_size=2)):
            dense[(*place, position)] = data.draw(st.integers(0, 2**32 - 1))
    dense = dense.reshape(2, rows, -1)
    kept, positions = compress(dense)
    assert illegal_group(positions) is None
    np.testing.assert_array_equal(expand(kept, positions), dense)
    np.testing.assert_array_equal(np.take_along_axis(dense, kept_k(positions), axis=-1), kept)


def test_the_sparse_product_is_the_dense_one() -> None:
    rng = np.random.default_rng(40)
    dense = rng.integers(1, 100, size=(16, 8, 4), dtype=np.uint32)
    drop = rng.permuted(np.tile([True, True, False, False], (16, 8, 1)), axis=-1)
    dense[drop] = 0
    dense = dense.reshape(16, 32)
    b = rng.integers(0, 100, size=(32, 16), dtype=np.uint32)
    kept, positions = compress(dense)
    rows_of_b = b[kept_k(positions)]
    np.testing.assert_array_equal((kept[..., None] * rows_of_b).sum(axis=1), dense @ b)


def test_crowded_groups_are_named() -> None:
    dense = np.zeros((2, 3, 8), dtype=np.uint8)
    dense[1, 2, 4:7] = (1, 2, 3)
    with pytest.raises(ArrayMistake, match=r"matrix \[1\], row 2, k 4\.\.7 has \[0x1, 0x2, 0x3"):
        compress(dense)
    with pytest.raises(ArrayMistake, match="K a multiple of 4"):
        compress(np.zeros((2, 6), dtype=np.uint8))
    # 0x80 is no second zero in every format: without the argument it must be kept.
    with pytest.raises(ArrayMistake, match="0x80"):
        compress(np.array([[0x80, 1, 2, 0]], dtype=np.uint8))


def test_illegal_positions_are_named() -> None:
    positions = np.array([[0, 1, 2, 2], [3, 1, 0, 1]], dtype=np.uint8)
    assert illegal_group(positions) == (0, 1)
    with pytest.raises(ArrayMistake, match=r"row 0, k 4\.\.7 are \[2, 2\]"):
        expand(np.ones((2, 4), dtype=np.uint8), positions)
    with pytest.raises(ArrayMistake, match="one shape"):
        expand(np.ones((2, 2), dtype=np.uint8), positions)
    assert illegal_group(np.array([[0, 4]], dtype=np.uint8)) == (0, 0)
    # Hardware takes each position for itself.
    assert kept_k(positions).tolist() == [[0, 1, 6, 6], [3, 1, 4, 5]]


def test_index_operands_in_every_set() -> None:
    rng = np.random.default_rng(41)
    index = layout("mfma", "index", Shape(16, 16, 32), 16, 64, sparse=True)
    assert index_sets(index) == 4
    positions = np.sort(
        rng.permuted(np.tile(np.arange(4, dtype=np.uint8), (16, 8, 1)), axis=-1)[..., :2]
    ).reshape(16, 16)
    registers = random_registers(fragment_for(index), rng)
    for number in range(4):
        fragment = fragment_for(select_index_set(index, number), "index")
        assert fragment.matrix_shape == (16, 16)
        registers = pack(positions ^ np.uint8(number), fragment, into=registers)
    for number in range(4):
        fragment = fragment_for(select_index_set(index, number), "index")
        np.testing.assert_array_equal(unpack(registers, fragment), positions ^ np.uint8(number))
    # numerics.md 8: pair q of row i lies in lane 16*(q/2)+i, group q%2, 4 bits each.
    word = int(registers[0, 16 * 2 + 3])
    assert word & 0xF == int(positions[3, 8]) | int(positions[3, 9]) << 2
    assert word >> 4 & 0xF == int(positions[3, 10]) | int(positions[3, 11]) << 2


@pytest.mark.parametrize("shape", [(0, 8), (3, 0), (2, 0, 4)])
def test_nothing_kept_is_nothing_wrong(shape: tuple[int, ...]) -> None:
    places = np.zeros(shape, np.uint8)
    assert illegal_group(places) is None
    assert expand(places, places).shape == (*shape[:-1], 2 * shape[-1])
