import pytest

from wavemma.errors import OutOfRange
from wavemma.explain.contents import contents

ASKED = ("gfx1100", "v_wmma_f32_16x16x16_f16", "A")


def test_low_bits_come_first() -> None:
    found = contents(*ASKED, 20, 3)
    assert [(e.element, e.bits.hi, e.bits.lo) for e in found.held] == [
        ("A[4][6]", 15, 0),
        ("A[4][7]", 31, 16),
    ]


def test_an_element_over_a_border_is_in_both_registers() -> None:
    asked = ("gfx950", "v_mfma_f32_16x16x128_f8f6f4", "A", 0)
    low, high = (contents(*asked, register, format="fp6").held for register in (0, 1))
    assert (low[-1].element, low[-1].bits.hi, low[-1].bits.lo) == ("A[0][5]", 31, 30)
    assert (high[0].element, high[0].bits.hi, high[0].bits.lo) == ("A[0][5]", 3, 0)


def test_a_place_that_several_blocks_read_holds_them_all() -> None:
    moved = {"cbsz": 2, "abid": 1}
    found = contents("gfx942", "v_mfma_f32_4x4x4_16b_f16", "A", 7, 0, modifiers=moved)
    assert {each.indices["b"] for each in found.held} == {0, 1, 2, 3}
    nothing = contents("gfx942", "v_mfma_f32_4x4x4_16b_f16", "A", 3, 0, modifiers=moved)
    assert nothing.held == ()


def test_lanes_and_registers_must_exist() -> None:
    with pytest.raises(OutOfRange, match=r"lane must be 0\.\.31; it is 32"):
        contents(*ASKED, 32, 0)
    with pytest.raises(OutOfRange, match=r"register must be 0\.\.7; it is 8"):
        contents(*ASKED, 0, 8)
