"""Packing, against a twin that works on Python integers from the formulas of the facts."""

import itertools
from typing import Any

import numpy as np
import pytest

from tests.fragments.drawn import (
    all_fragments,
    distinct_fragments,
    fragment_for,
    random_matrix,
    random_registers,
)
from wavemma.errors import ArrayMistake, Unsupported
from wavemma.fragments import Fragment, fragments_of, pack, unpack
from wavemma.isa import catalog
from wavemma.layouts import Shape, layout
from wavemma.layouts.movement import (
    select_half,
    select_index_set,
    select_scale_byte,
    select_scale_row,
    swizzle_lanes,
)


def _twin(matrix: np.ndarray, fact: dict[str, Any], wave: int, registers: int) -> list[list[int]]:
    """Place each element in one long integer a lane, then cut that into registers."""
    lane_of, slot_of = (compile(fact[key], key, "eval") for key in ("lane", "slot"))
    letters = "".join(key for key in "bkgijsq" if key in lane_of.co_names + slot_of.co_names)
    long = [0] * wave
    for names in _elements(fact):
        scope = {key: names.get(key, 0) for key in {*letters, *names}}
        lane, slot = eval(lane_of, {}, scope), eval(slot_of, {}, scope)
        value = int(matrix[tuple(_axes(fact, names))])
        for copy in fact["copies"]:
            long[lane + copy] |= value << slot * fact["stride_bits"]
    return [[line >> 32 * number & 0xFFFFFFFF for line in long] for number in range(registers)]


def _elements(fact: dict[str, Any]) -> list[dict[str, int]]:
    sizes = _sizes(fact)
    return [
        dict(zip(sizes, values, strict=True))
        for values in itertools.product(*map(range, sizes.values()))
    ]


def _sizes(fact: dict[str, Any]) -> dict[str, int]:
    dims, operand = fact["dims"], fact["operand"]
    sizes = {"b": dims["b"]} if dims.get("b", 1) > 1 else {}
    if "scale" in operand:
        letters = "iq" if operand == "A scale" else "qj"
    elif "s" in fact["slot_bits"]:
        dims = dims | {"g": dims["k"] // 4, "s": 2}
        letters = "igs"
    else:
        letters = {"A": "ik", "B": "kj", "C": "ij", "D": "ij"}[operand]
    return sizes | {letter: dims[letter] for letter in letters}


def _axes(fact: dict[str, Any], names: dict[str, int]) -> list[int]:
    """Give the matrix's indices: A [M, K], B [K, N], C and D [M, N], sparse A [M, K/2]."""
    if "s" in names:
        return [names["i"], 2 * names["g"] + names["s"]]
    return [names[letter] for letter in _sizes(fact)]


@pytest.mark.facts
def test_unpack_undoes_pack_for_every_layout_of_the_facts() -> None:
    rng = np.random.default_rng(20)
    assert len(all_fragments()) == 572
    for _, fragment in all_fragments():
        matrix = random_matrix(fragment, rng, (2,))
        registers = pack(matrix, fragment)
        assert registers.shape == (2, fragment.registers, fragment.lanes)
        assert registers.dtype == np.uint32
        found = unpack(registers, fragment)
        assert found.dtype == fragment.dtype
        np.testing.assert_array_equal(found, matrix)


@pytest.mark.facts
def test_registers_are_those_of_the_twin() -> None:
    rng = np.random.default_rng(21)
    cases = distinct_fragments()
    assert len(cases) == 195
    for fragment, fact in cases.items():
        matrix = random_matrix(fragment, rng)
        expected = _twin(matrix, fact, fragment.lanes, fragment.registers)
        assert pack(matrix, fragment).tolist() == expected


@pytest.mark.facts
def test_other_bits_are_kept() -> None:
    rng = np.random.default_rng(22)
    for fragment in distinct_fragments():
        matrix, before = random_matrix(fragment, rng, (3,)), random_registers(fragment, rng)
        ones = np.full(fragment.matrix_shape, (1 << fragment.bits) - 1, dtype=fragment.dtype)
        owned = pack(ones, fragment)
        after = pack(matrix, fragment, into=before)
        assert after.shape == (3, *before.shape)
        np.testing.assert_array_equal(after & ~owned, np.broadcast_to(before & ~owned, after.shape))
        np.testing.assert_array_equal(after & owned, pack(matrix, fragment))


def test_moved_fragments_keep_the_rest() -> None:
    rng = np.random.default_rng(23)
    result = layout("wmma_replicated", "d", Shape(16, 16, 16), 16, 32)
    index = layout("wmma_chunks_64", "index", Shape(16, 16, 32), 16, 64, sparse=True)
    lanes = layout("scale_lanes", "scale_a", Shape(16, 16, 128), 8, 64)
    rows = layout("scale_bytes", "scale_b", Shape(16, 16, 128), 8, 32)
    masks = {
        select_half(result, 1): 0xFFFF0000,
        select_half(result, 0): 0x0000FFFF,
        select_index_set(index, 2): 0x00FF0000,
        select_scale_byte(lanes, 3): 0xFF000000,
    }
    for moved, mask in masks.items():
        fragment = fragment_for(moved)
        before, matrix = random_registers(fragment, rng), random_matrix(fragment, rng)
        after = pack(matrix, fragment, into=before)
        np.testing.assert_array_equal(after & ~np.uint32(mask), before & ~np.uint32(mask))
        np.testing.assert_array_equal(unpack(after, fragment), matrix)
    row1 = fragment_for(select_scale_row(rows, 1))
    before, matrix = random_registers(row1, rng), random_matrix(row1, rng)
    after = pack(matrix, row1, into=before)
    np.testing.assert_array_equal(after[:, :16], before[:, :16])
    np.testing.assert_array_equal(unpack(after, row1), matrix)


def test_more_registers_than_the_layout_fills() -> None:
    fragment = Fragment(
        "d", layout("wmma_chunks_128", "d", Shape(16, 16, 64), 16, 32), "bf16", registers=8
    )
    rng = np.random.default_rng(24)
    matrix, before = random_matrix(fragment, rng), random_registers(fragment, rng)
    after = pack(matrix, fragment, into=before)
    np.testing.assert_array_equal(after[4:], before[4:])
    np.testing.assert_array_equal(unpack(after, fragment), matrix)


def test_a_wider_type_is_taken_if_its_values_fit() -> None:
    fragment = fragment_for(layout("mfma", "a", Shape(16, 16, 16), 16, 64))
    matrix = random_matrix(fragment, np.random.default_rng(25))
    np.testing.assert_array_equal(pack(matrix.astype(np.uint64), fragment), pack(matrix, fragment))
    fortran = np.asfortranarray(matrix)
    np.testing.assert_array_equal(pack(fortran, fragment), pack(matrix, fragment))


def test_mistakes_are_named() -> None:
    fragment = fragment_for(layout("mfma", "a", Shape(16, 16, 128), 6, 64))
    good = np.zeros((16, 128), dtype=np.uint8)
    with pytest.raises(ArrayMistake, match=r"have 6 bits; the matrix holds 0x40"):
        pack(good + np.uint8(64), fragment)
    with pytest.raises(ArrayMistake, match=r"\[\.\.\., 16, 128\].*given uint8 \[128, 16\]"):
        pack(good.T, fragment)
    with pytest.raises(ArrayMistake, match="given int8"):
        pack(good.astype(np.int8), fragment)
    with pytest.raises(ArrayMistake, match=r"uint32 \[\.\.\., 6, 64\]"):
        pack(good, fragment, into=np.zeros((64, 6), dtype=np.uint32))
    with pytest.raises(ArrayMistake, match="must be unsigned integers"):
        pack(good[0], fragment)
    b = fragment_for(layout("mfma", "b", Shape(16, 16, 16), 16, 64), "b")
    moved = fragment_for(swizzle_lanes(b.layout, 1), "b")
    with pytest.raises(Unsupported, match="share places"):
        pack(np.zeros((16, 16), dtype=np.uint16), moved)


def test_no_waves_are_packed_and_unpacked() -> None:
    for name, target in (
        ("v_wmma_f32_16x16x16_f16", "gfx1100"),
        ("v_wmma_scale_f32_16x16x128_f8f6f4", "gfx1250"),
    ):
        for role, fragment in fragments_of(catalog.instruction(name, target)).items():
            nothing = np.zeros((0, *fragment.matrix_shape), fragment.dtype)
            made = pack(nothing, fragment)
            assert made.shape == (0, fragment.registers, fragment.lanes), role
            assert unpack(made, fragment).shape == nothing.shape, role
