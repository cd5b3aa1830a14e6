"""Modifiers that move data, against the facts' rules and cases."""

import pytest

from tests.facts import facts_json
from tests.layouts.facts_rows import instruction_rows, row_layout, widths
from wavemma.errors import OutOfRange
from wavemma.layouts import Shape, layout
from wavemma.layouts.movement import (
    broadcast_blocks,
    index_sets,
    moved,
    select_half,
    select_index_set,
    select_scale_byte,
    select_scale_row,
    swizzle_lanes,
)


@pytest.mark.facts
def test_lane_swizzles_are_those_of_the_facts() -> None:
    rules = facts_json("layouts")["data_movement"]["blgp"]["lane_of"]
    assert len(rules) == 8
    b = layout("mfma", "b", Shape(16, 16, 4), 32, 64)
    for blgp, rule in rules.items():
        moved = swizzle_lanes(b, int(blgp))
        for k in range(4):
            for j in range(16):
                lane = eval(rule, {}, {"l": b.place(k=k, j=j)[0].lane})
                assert [place.lane for place in moved.place(k=k, j=j)] == [lane]


@pytest.mark.facts
def test_index_bits_and_sets_of_every_sparse_row() -> None:
    checked = 0
    for row in instruction_rows():
        for wave, bits in row.get("index_bits", {}).items():
            made = row_layout(row, "index", widths()[row["types"]["A"]], int(wave))
            assert made.slots * made.stride_bits == bits
            assert index_sets(made) == max(32 // bits, 1)
            for number in range(index_sets(made)):
                places = select_index_set(made, number).place(i=1, g=0, s=0)
                assert [(p.register, p.bit_lo) for p in places] == [(0, number * bits)]
            with pytest.raises(OutOfRange):
                select_index_set(made, index_sets(made))
            checked += 1
    assert checked == 100


def test_index_sets_of_the_doubled_form_are_two() -> None:
    # Case 36: 16 index bits a lane there, 8 bits in the form with half the k.
    doubled = layout("mfma", "index", Shape(16, 16, 64), 16, 64, sparse=True)
    single = layout("mfma", "index", Shape(16, 16, 32), 16, 64, sparse=True)
    assert (index_sets(doubled), index_sets(single)) == (2, 4)
    with pytest.raises(OutOfRange, match=r"index set must be 0\.\.1; it is 2"):
        select_index_set(doubled, 2)


def test_blocks_of_a() -> None:
    a = layout("mfma", "a", Shape(4, 4, 1, 16), 32, 64)
    for cbsz in range(5):
        for abid in range(1 << cbsz):
            moved = broadcast_blocks(a, cbsz, abid)
            for b in range(16):
                source = b - b % (1 << cbsz) + abid
                assert moved.place(i=3, b=b) == a.place(i=3, b=source)
    with pytest.raises(OutOfRange, match=r"cbsz must be 0\.\.4"):
        broadcast_blocks(a, 5, 0)
    with pytest.raises(OutOfRange, match=r"abid must be 0\.\.3; it is 4"):
        broadcast_blocks(a, 2, 4)
    with pytest.raises(OutOfRange, match=r"cbsz must be 0\.\.0"):
        broadcast_blocks(layout("mfma", "a", Shape(16, 16, 16), 16, 64), 1, 0)


def test_shared_places_name_all_their_elements() -> None:
    a = broadcast_blocks(layout("mfma", "a", Shape(16, 16, 4, 4), 16, 64), 1, 1)
    assert a.elements(16, 2) == ({"b": 0, "i": 0, "k": 2}, {"b": 1, "i": 0, "k": 2})
    assert a.elements(0, 2) == ()
    b = swizzle_lanes(layout("mfma", "b", Shape(16, 16, 16), 16, 64), 4)
    assert [each["k"] for each in b.elements(3, 1)] == [1, 5, 9, 13]
    assert b.element(20, 0) is None


def test_the_half_of_a_16_bit_result() -> None:
    # Case 4.
    d = layout("wmma_replicated", "d", Shape(16, 16, 16), 16, 32)
    assert d.place(i=2, j=3)[0] == (1, 3, 1, 0, 15)
    assert select_half(d, 1).place(i=2, j=3)[0] == (1, 3, 1, 16, 31)
    assert select_half(d, 1).registers == d.registers == 8
    with pytest.raises(OutOfRange, match="fill 16 of 16 bits"):
        select_half(layout("wmma_chunks_64", "d", Shape(16, 16, 16), 16, 32), 1)


def test_scales_by_byte_and_by_row() -> None:
    lanes = layout("scale_lanes", "scale_a", Shape(32, 32, 64), 8, 64)
    assert select_scale_byte(lanes, 2).place(i=5, q=1)[0] == (0, 37, 0, 16, 23)
    assert select_scale_byte(lanes, 3).place(i=5, q=1)[0] == (0, 37, 0, 24, 31)
    with pytest.raises(OutOfRange, match=r"must be 0\.\.3; it is 4"):
        select_scale_byte(lanes, 4)
    rows = layout("scale_bytes", "scale_b", Shape(16, 16, 128), 8, 32, scale_block=16)
    with pytest.raises(OutOfRange, match=r"must be 0\.\.0; it is 1"):
        select_scale_byte(rows, 1)
    assert select_scale_row(rows, 0).place(q=5, j=3)[0] == (1, 3, 5, 8, 15)
    assert select_scale_row(rows, 1).place(q=5, j=3)[0] == (1, 19, 5, 8, 15)
    assert select_scale_row(rows, 1).element(19, 5) == {"q": 5, "j": 3}
    assert select_scale_row(rows, 1).element(3, 5) is None
    tall = layout("scale_bytes", "scale_a", Shape(32, 16, 128), 8, 32)
    assert select_scale_row(tall, 1).place(q=2, i=21) == tall.place(q=2, i=21)
    for each in (rows, tall):
        with pytest.raises(OutOfRange, match=r"scale row must be 0\.\.1; it is 2"):
            select_scale_row(each, 2)


def test_effects_move_the_operand_of_their_role() -> None:
    shape = Shape(16, 16, 4, 4)
    a, b, c = (layout("mfma", role, shape, 16, 64) for role in "abc")
    effects = {"broadcast_size": 1, "broadcast_block": 1, "swizzle_b": 3, "saturate": 1}
    assert moved(a, "a", effects) == broadcast_blocks(a, 1, 1)
    assert moved(b, "b", effects) == swizzle_lanes(b, 3)
    assert moved(c, "c", effects) == c
    half = layout("wmma_replicated", "d", Shape(16, 16, 16), 16, 32)
    assert moved(half, "d", {"high_half": 1}) == select_half(half, 1)
    index = layout("mfma", "index", Shape(16, 16, 32), 16, 64, sparse=True)
    assert moved(index, "index", {"index_part": 2}) == select_index_set(index, 2)
    assert moved(index, "index", {"index_part": 2, "index_set_off": 3}) == index
    lanes = layout("scale_lanes", "scale_b", Shape(16, 16, 128), 8, 64)
    assert moved(lanes, "scale_b", {"scale_byte_b": 3, "scale_byte_a": 1}).offset_bits == 24
    rows = layout("scale_bytes", "scale_a", Shape(16, 16, 128), 8, 32)
    assert moved(rows, "scale_a", {"scale_row_a": 1}).copies == (16,)
