import re

from hypothesis import given
from hypothesis import strategies as st

from wavemma.explain.formula_pairs import formulas_of
from wavemma.isa import catalog
from wavemma.layouts.movement import moved

ASKABLE = [
    (instruction, role, wave)
    for instruction in catalog.instructions()
    if instruction.is_matrix
    for role in instruction.roles
    for wave in instruction.waves
]


@given(st.sampled_from(ASKABLE), st.data())
def test_both_languages_compute_the_place(asked, data) -> None:
    instruction, role, wave = asked
    layout = instruction.layout(role, wave)
    indices = {
        letter: data.draw(st.integers(0, size - 1), label=letter) for letter, size in layout.extents
    }
    place = layout.place(**indices)[0]
    # Numbers are never negative, so C's division is Python's.
    for language in ("python", "c"):
        found: dict[str, int] = dict(indices)
        for each in formulas_of(layout).place:
            text = getattr(each, language)
            if language == "c":
                assert "//" not in text
                text = re.sub("/", "//", text)
            found[each.name] = eval(text, {}, found)
        assert (found["lane"], found["slot"]) == (place.lane, place.slot)
        assert (found["v"], found["bit"]) == (place.register, place.bit_lo)


def test_copies_are_told_from_the_first_lane() -> None:
    wide = catalog.instruction("v_wmma_f32_16x16x16_f16", "gfx1100").layout("a", 64)
    assert formulas_of(wide).copies == (16, 32, 48)
    scale = catalog.instruction("v_wmma_scale_f32_16x16x128_f8f6f4", "gfx1250").layout("scale_a")
    assert formulas_of(moved(scale, "scale_a", {"scale_row_a": 1})).copies == ()


def test_a_moved_layout_has_no_formula_backwards() -> None:
    plain = catalog.instruction("v_mfma_f32_4x4x4_16b_f16", "gfx942").layout("a")
    found = formulas_of(moved(plain, "a", {"broadcast_size": 2, "broadcast_block": 1}))
    assert found.place
    assert found.element == found.register_element == ()
