from wavemma.explain.operand import operand
from wavemma.explain.spots import Bits, Spot, element_name, spots
from wavemma.layouts import Place


def test_a_place_is_cut_at_the_borders_of_registers() -> None:
    places = (Place(register=1, lane=4, slot=5, bit_lo=30, bit_hi=35),)
    assert spots(places) == (Spot(4, 5, (Bits(1, 31, 30), Bits(2, 3, 0))),)


def test_names_of_elements() -> None:
    dense = operand("gfx1100", "v_wmma_f32_16x16x16_f16", "D")
    assert element_name(dense, {"i": 2, "j": 3}) == "D[2][3]"
    blocks = operand("gfx942", "v_mfma_f32_4x4x4_16b_f16", "B")
    assert element_name(blocks, {"b": 7, "k": 1, "j": 2}) == "B[1][2] of block 7"
    sparse = operand("gfx942", "v_smfmac_f32_16x16x32_f16", "A")
    assert element_name(sparse, {"i": 2, "g": 3, "s": 1}) == "A[2] group 3, kept 1"
    scale = operand("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4", "scale_b")
    assert element_name(scale, {"q": 1, "j": 9}) == "scale_b[1][9]"
