import pytest

from wavemma.explain.formula_pairs import Formula, Formulas
from wavemma.explain.operand import Asked
from wavemma.explain.spots import Bits, Spot
from wavemma.render.document import Code, Heading, Text
from wavemma.render.spots import (
    asked_facts,
    bits_text,
    formula_blocks,
    lanes_text,
    runs,
    spot_text,
)


def test_bits() -> None:
    assert bits_text(Bits(1, 31, 0)) == "v1"
    assert bits_text(Bits(2, 31, 16)) == "v2[31:16]"


def test_high_bits_come_first_as_in_manuals() -> None:
    assert spot_text(Spot(0, 0, (Bits(0, 31, 30), Bits(1, 3, 0)))) == "v1[3:0] and v0[31:30]"


@pytest.mark.parametrize(
    ("lanes", "text"),
    [((3,), "lane 3"), ((2, 18), "lanes 2 and 18"), ((0, 16, 32), "lanes 0, 16 and 32")],
)
def test_lanes(lanes, text) -> None:
    assert lanes_text([Spot(lane, 0, (Bits(0, 31, 0),)) for lane in lanes]) == text


@pytest.mark.parametrize(
    ("numbers", "text"),
    [((0, 1, 2, 3, 8, 9, 4), "0-3, 8-9, 4"), ((5,), "5"), ((), ""), ((2, 1, 0), "2, 1, 0")],
)
def test_runs_keep_the_order(numbers, text) -> None:
    assert runs(numbers) == text


def test_modifiers_are_named_only_if_given() -> None:
    plain = Asked("gfx1100", "x", "D", 32, "f16", {})
    assert asked_facts(plain) == (("format", "f16"),)
    moved = Asked("gfx1100", "x", "D", 32, "f16", {"high_half": 1})
    assert asked_facts(moved)[1] == ("modifiers", "high half 1")


def test_c_stands_beside_where_it_differs() -> None:
    place = (Formula("lane", "i // 2", "i / 2"), Formula("slot", "k", "k"))
    blocks = formula_blocks(Formulas(place, (), (), (16,)))
    assert blocks == (
        Heading("Place of an element", 3),
        Code("lane = i // 2   in C: i / 2\nslot = k", "python"),
        Text("The same element is also at lane + 16."),
    )


def test_c_stands_below_where_both_are_too_long() -> None:
    long = "(i // 2) + " * 6 + "k"
    place = (Formula("lane", long, long.replace("//", "/")),)
    code = formula_blocks(Formulas(place, (), (), ()))[1]
    assert code == Code(f"lane = {long}\n    C: {long.replace('//', '/')}", "python")


def test_a_layout_without_formulas_says_so() -> None:
    assert formula_blocks(Formulas((), (), (), ())) == (
        Text("No short formula describes how these lanes are moved."),
    )
