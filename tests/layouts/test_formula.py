"""Formulas against the facts' texts, and against the layouts at every point."""

import itertools
from types import CodeType

import pytest

from tests.layouts.facts_rows import distinct
from wavemma.errors import Unsupported
from wavemma.layouts import Layout, Shape, layout
from wavemma.layouts.formula import element_formulas, place_formulas, register_formulas
from wavemma.layouts.movement import (
    broadcast_blocks,
    select_half,
    select_index_set,
    select_scale_row,
    swizzle_lanes,
)


def _compiled(formulas: dict[str, str]) -> dict[str, CodeType]:
    return {key: compile(text, key, "eval") for key, text in formulas.items()}


def _evaluate(formulas: dict[str, CodeType], names: dict[str, int]) -> dict[str, int]:
    scope = {"__builtins__": {}}
    return {key: eval(text, scope, names) for key, text in formulas.items()}


def _check_places(made: Layout, formulas: dict[str, str]) -> None:
    code = _compiled(formulas)
    split = [code.pop(key) for key in ("vgpr", "bit")]
    for values in itertools.product(*(range(size) for _, size in made.extents)):
        names = dict(zip(made.size, values, strict=True))
        place = made.place(**names)[0]
        found = _evaluate(code, names)
        assert found == {"lane": place.lane, "slot": place.slot}
        register, bit = (eval(text, {}, {"slot": place.slot}) for text in split)
        assert (register, bit) == (place.register, place.bit_lo)


@pytest.mark.facts
def test_formulas_have_the_words_of_the_facts() -> None:
    checked = 0
    for fact, _, made in distinct():
        found = place_formulas(made)
        assert (found["lane"], found["slot"], found["bit"]) == (
            fact["lane"],
            fact["slot"],
            fact["bit"],
        )
        # The facts add words where an element takes more than one register.
        assert fact["vgpr"].split(" and ")[0].split(" (")[0] == found["vgpr"]
        inverse = {key: text for key, text in element_formulas(made).items() if text != "0"}
        assert inverse == fact["inverse"]
        checked += 1
    assert checked == 572


@pytest.mark.facts
def test_formulas_evaluate_to_the_layout_in_both_syntaxes() -> None:
    checked = 0
    for made in {entry.layout for entry in distinct()}:
        formulas = place_formulas(made)
        _check_places(made, formulas)
        for write in (place_formulas, element_formulas):
            in_c = write(made, "c")
            assert {key: text.replace("/", "//") for key, text in in_c.items()} == write(made)
        checked += 1
    assert checked == 178


@pytest.mark.facts
def test_elements_by_lane_and_slot_and_by_register() -> None:
    checked = 0
    for made in {entry.layout for entry in distinct()}:
        by_slot = _compiled(element_formulas(made))
        by_register = None if made.element_bits == 6 else _compiled(register_formulas(made))
        for lane, slot in itertools.product(range(made.wave), range(made.slots)):
            element = made.element(lane, slot)
            if element is None:
                continue
            assert _evaluate(by_slot, {"lane": lane, "slot": slot}) == element
            place = made.place(**element)[0]
            n = place.bit_lo // made.stride_bits
            if by_register:
                names = {"lane": lane, "v": place.register, "n": n}
                assert _evaluate(by_register, names) == element
        checked += by_register is not None
    assert checked == 172


def test_the_rows_of_a_32x32_result() -> None:
    d = layout("mfma", "d", Shape(32, 32, 8), 32, 64)
    names = {"i": "row", "j": "col"}
    assert register_formulas(d, names=names) == {
        "row": "(v % 4) + 4*(lane // 32) + 8*(v // 4)",
        "col": "lane % 32",
    }
    assert register_formulas(d, "c", names)["row"] == "(v % 4) + 4*(lane / 32) + 8*(v / 4)"
    packed = layout("wmma_chunks_64", "d", Shape(16, 16, 16), 16, 32)
    assert register_formulas(packed)["i"] == "n + 2*v + 8*(lane // 16)"
    double = layout("mfma_f64", "d", Shape(16, 16, 4), 64, 64)
    assert register_formulas(double)["i"] == "(lane // 16) + 4*(v // 2)"


def test_moved_layouts() -> None:
    b = layout("mfma", "b", Shape(16, 16, 16), 16, 64)
    assert place_formulas(swizzle_lanes(b, 3))["lane"] == "(j + 16*(k // 4) + 16) % 64"
    assert place_formulas(swizzle_lanes(b, 6))["lane"] == "j + 32"
    a = layout("mfma", "a", Shape(4, 4, 4, 16), 16, 64)
    assert place_formulas(broadcast_blocks(a, 2, 1))["lane"] == "i + 16*(b // 4) + 4"
    for blgp in range(8):
        made = swizzle_lanes(b, blgp)
        _check_places(made, place_formulas(made))
    for cbsz in range(5):
        for abid in range(1 << cbsz):
            made = broadcast_blocks(a, cbsz, abid)
            _check_places(made, place_formulas(made))
    with pytest.raises(Unsupported, match="share a place"):
        element_formulas(swizzle_lanes(b, 1))


def test_layouts_at_an_offset() -> None:
    d = select_half(layout("wmma_replicated", "d", Shape(16, 16, 16), 16, 32), 1)
    index = layout("mfma", "index", Shape(16, 16, 32), 16, 64, sparse=True)
    scale = layout("scale_bytes", "scale_a", Shape(16, 16, 128), 8, 32)
    moved = (d, select_index_set(index, 3), select_scale_row(scale, 1))
    for made in moved:
        _check_places(made, place_formulas(made))
    assert place_formulas(moved[1])["bit"] == "2*slot + 24"
    assert place_formulas(moved[2])["lane"] == "i + 16"


def test_six_bits_have_no_formula_by_register() -> None:
    six = layout("mfma", "a", Shape(16, 16, 128), 6, 64)
    with pytest.raises(Unsupported, match="6 bits run over the borders"):
        register_formulas(six)
