import pytest

from tests.render.answers import every_layout
from wavemma.explain.layout import layout
from wavemma.render.register_map import (
    cell_text,
    element_axes,
    held_by_register,
    matrix_indices,
    matrix_sizes,
)


@pytest.mark.parametrize(
    ("held", "text"),
    [
        ([(2, 3)], "2,3"),
        ([(2, 4), (2, 5), (2, 6)], "2,4-6"),
        ([(0, 2, 4), (1, 2, 4)], "0-1,2,4"),
        ([(0, 0), (0, 2)], "0,0 0,2"),
        ([(0, 0), (1, 1)], "0,0 1,1"),
    ],
)
def test_cells(held, text) -> None:
    assert cell_text(held) == text


def test_kept_elements_stand_side_by_side() -> None:
    answer = layout("gfx942", "v_smfmac_f32_16x16x32_f16", "A")
    assert element_axes(answer) == ("i", "2g+s")
    assert matrix_sizes(answer) == (16, 16)
    assert matrix_indices(answer, (3, 5, 1)) == (3, 11)


def test_every_bit_of_a_register_is_held_by_what_the_layout_says() -> None:
    for answer in every_layout()[::13]:
        held = held_by_register(answer)
        count = sum(len(spot.bits) for each in answer.elements for spot in each.places)
        assert sum(map(len, held.values())) == count
        for lane, register in held:
            assert lane in answer.lanes
            assert register < answer.registers
