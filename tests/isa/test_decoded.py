import pytest

from wavemma.errors import EncodingMistake
from wavemma.isa.assemble import assemble, parse
from wavemma.isa.decode import decode


def test_effects_put_bits_together() -> None:
    line = (
        "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:17], v[0:3], v20, v21"
        " op_sel:[1,0,0] op_sel_hi:[1,1,0] cbsz:1 blgp:2"
    )
    found = parse(line, "gfx950")
    assert found.effects == {"scale_byte_a": 3, "scale_byte_b": 2, "format_a": 1, "format_b": 2}
    assert found.formats == {
        "a": "bf8_ocp",
        "b": "fp6",
        "c": "f32",
        "d": "f32",
        "scale_a": "e8m0",
        "scale_b": "e8m0",
    }
    assert found.modifiers == {"op_sel": 1, "op_sel_hi": 3, "cbsz": 1, "blgp": 2}


def test_operands_by_role() -> None:
    line = "v_swmmac_i32_16x16x32_iu8 v[0:7], v[8:9], v[12:15], v20 neg_lo:[1,0,0] clamp"
    found = parse(line, "gfx1201")
    assert found.operand("c") is found.operand("d")
    assert list(found.operand("b").registers) == [12, 13, 14, 15]
    assert found.operand("index").text == "v20"
    assert found.effects == {"index_part": 0, "signed_a": 1, "signed_b": 0, "saturate": 1}
    with pytest.raises(EncodingMistake, match="no operand 'scale_a'"):
        found.operand("scale_a")


def test_a_code_without_a_format_is_refused_when_asked_for() -> None:
    line = "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[0:3]"
    data = bytearray(assemble(line, "gfx950"))
    data[1] |= 5
    found = decode(bytes(data), "gfx950")
    assert found.faults == ("cbsz must be 0..4; it is 5.",)
    with pytest.raises(EncodingMistake, match=r"format code of a must be 0\.\.4; it is 5"):
        _ = found.formats
