import pytest

from wavemma.errors import UnknownInstruction, UnknownName
from wavemma.explain.layout import layout
from wavemma.explain.layout_pair import OTHER_AXES, layout_pair

WMMA = "v_wmma_f32_16x16x16_f16"


def test_rows_that_two_targets_keep_alike() -> None:
    # gfx1100 keeps row i of D in register i // 2 of lane half i % 2, gfx1201 in register i % 8 of
    # half i // 8: the same for rows 0 and 15 alone.
    found = layout_pair(layout("gfx1100", WMMA, "D"), "gfx1201")
    assert found.compared == 256
    expected = {(i, j) for i in range(16) for j in range(16) if (i // 2, i % 2) != (i % 8, i // 8)}
    assert set(found.elsewhere) == expected
    assert found.right.asked.instruction == WMMA


def test_waves_of_one_target() -> None:
    # Wave64 has four lane groups of 16: row i in register i // 4 of group i % 4.
    found = layout_pair(layout("gfx1100", WMMA, "D"), "gfx1100", wave=64)
    expected = {(i, j) for i in range(16) for j in range(16) if (i // 2, i % 2) != (i // 4, i % 4)}
    assert set(found.elsewhere) == expected


def test_the_nearest_instruction_stands_in_for_an_absent_one() -> None:
    found = layout_pair(layout("gfx942", "v_mfma_f32_16x16x16_f16", "A"), "gfx1201")
    assert (found.right.asked.target, found.right.asked.instruction) == ("gfx1201", WMMA)
    assert found.right.asked.format == "f16"


def test_formats_stay_where_both_have_them() -> None:
    left = layout("gfx950", "v_mfma_f32_16x16x128_f8f6f4", "A", format="fp4")
    found = layout_pair(left, "gfx1250", instruction="v_wmma_f32_16x16x128_f8f6f4")
    assert found.right.asked.format == left.asked.format


def test_other_axes_are_not_compared() -> None:
    sparse = layout("gfx1201", "v_swmmac_f32_16x16x32_f16", "A")
    found = layout_pair(sparse, "gfx1201", instruction=WMMA)
    assert (found.compared, found.elsewhere) == (0, ())
    assert OTHER_AXES in found.notes


def test_what_is_not_there() -> None:
    left = layout("gfx1100", WMMA, "D")
    with pytest.raises(UnknownInstruction, match="v_nope"):
        layout_pair(left, "gfx1201", instruction="v_nope")
    sparse = layout("gfx1201", "v_swmmac_f32_16x16x32_f16", "index")
    with pytest.raises(UnknownName, match="index"):
        layout_pair(sparse, "gfx1201", instruction=WMMA)
