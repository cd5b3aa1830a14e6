"""Single questions about places, mostly those that people really asked."""

import pytest

from wavemma.errors import DataMistake, OutOfRange
from wavemma.layouts import Bit, Layout, Shape, layout

SQUARE = Shape(16, 16, 16)


def test_where_is_d_2_3() -> None:
    # Cases 1, 2, 3 and 6.
    replicated = {wave: layout("wmma_replicated", "d", SQUARE, 32, wave) for wave in (32, 64)}
    assert [p[:2] for p in replicated[32].place(i=2, j=3)] == [(1, 3)]
    assert [p[:2] for p in replicated[64].place(i=2, j=3)] == [(0, 35)]
    split = layout("wmma_chunks_64", "d", SQUARE, 32, 32)
    assert [p[:2] for p in split.place(i=2, j=3)] == [(2, 3)]
    a = layout("wmma_replicated", "a", SQUARE, 16, 32)
    assert a.place(i=2, k=5) == ((2, 2, 5, 16, 31), (2, 18, 5, 16, 31))
    tall = layout("mfma", "d", Shape(32, 32, 8), 32, 64)
    assert [p[:2] for p in tall.place(i=8, j=0)] == [(4, 0)]


def test_unused_lanes_hold_nothing() -> None:
    a = layout("wmma_chunks_64", "a", SQUARE, 4, 64)
    assert a.registers == 1
    assert a.element(31, 0) == {"i": 15, "k": 8}
    assert a.element(32, 0) is None


def test_elements_over_the_border_of_a_register() -> None:
    six = layout("mfma", "a", Shape(16, 16, 128), 6, 64)
    place = six.place(i=0, k=5)[0]
    assert place == (0, 0, 5, 30, 35)
    assert place.pieces() == ((0, 30, 31), (1, 0, 3))
    double = layout("mfma_f64", "d", Shape(16, 16, 4), 64, 64).place(i=5, j=2)[0]
    assert double == (2, 18, 1, 0, 63)
    assert double.pieces() == ((2, 0, 31), (3, 0, 31))


def test_indices_of_extent_one_may_be_left_out() -> None:
    a = layout("mfma", "a", Shape(32, 32, 1, 2), 32, 64)
    assert a.place(i=3, k=0, b=1) == a.place(i=3, b=1)
    assert a.element(35, 0) == {"b": 1, "i": 3, "k": 0}
    d = layout("mfma", "d", SQUARE, 32, 64)
    assert d.place(i=1, j=1, b=0) == d.place(i=1, j=1)


def test_mistakes_say_what_must_be() -> None:
    d = layout("mfma", "d", SQUARE, 32, 64)
    with pytest.raises(OutOfRange, match=r"i must be 0\.\.15; it is 16"):
        d.place(i=16, j=0)
    with pytest.raises(OutOfRange, match=r"Index 'j' \(0\.\.15\) is missing"):
        d.place(i=1)
    with pytest.raises(OutOfRange, match="one of i, j; 'k' was given"):
        d.place(i=1, j=1, k=1)
    with pytest.raises(OutOfRange, match=r"lane must be 0\.\.63; it is 64"):
        d.element(64, 0)
    with pytest.raises(OutOfRange, match=r"slot must be 0\.\.3; it is 4"):
        d.element(0, 4)


def test_a_layout_names_each_bit_once() -> None:
    with pytest.raises(DataMistake, match="given: i0 i0"):
        Layout((("i", 4),), (Bit("i", 0), Bit("i", 0)), (), 32, 32, 32)
    with pytest.raises(DataMistake, match="fit into a wave of 32"):
        Layout((("i", 32),), tuple(Bit("i", n) for n in range(5)), (), 32, 32, 32, (0, 16))
