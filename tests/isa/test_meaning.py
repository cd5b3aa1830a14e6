import random

import pytest

from tests.isa.drawn_lines import draw_line
from wavemma.isa import catalog
from wavemma.isa.assemble import parse
from wavemma.isa.decode import decode
from wavemma.isa.meaning import SWITCHES, TELLERS, explain
from wavemma.tables.instructions import architecture_rows
from wavemma.tables.targets import architectures, targets


def told(line: str, target: str, wave: int | None = None) -> dict[str, str]:
    return {row.name: row.meaning for row in explain(parse(line, target, wave))}


def test_case_32_in_words() -> None:
    found = decode(bytes.fromhex("00c044cc0819027c"), "gfx1100")
    rows = {row.name: row for row in explain(found)}
    assert (rows["NEG"].lo, rows["NEG"].hi, rows["NEG"].value) == (61, 63, 3)
    assert rows["NEG"].meaning == "neg_lo: A is signed, B is signed"
    assert rows["SRC0"].meaning == "A: v[8:11], 4 registers of iu8 (signed)"
    assert rows["CLAMP"].meaning.startswith("clamp: a sum that leaves the range of D becomes")
    assert rows["VDST"].meaning == "D: v[0:7], 8 registers of i32"
    assert rows["OP"].meaning == "opcode of v_wmma_i32_16x16x16_iu8"
    assert rows["ENCODING"].meaning == "names the encoding, VOP3P"


def test_case_33_unsigned_is_said() -> None:
    line = "v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], v[0:7] neg_lo:[0,1,0]"
    rows = told(line, "gfx1100")
    assert rows["NEG"] == "neg_lo: A is unsigned, B is signed"
    assert rows["SRC0"].endswith("iu8 (unsigned)")
    assert "wraps around" in rows["CLAMP"]


def test_the_written_half_is_said() -> None:
    line = "v_wmma_f16_16x16x16_f16 v[0:7], v[8:15], v[12:19], 1.0{}"
    assert "low 16 bits" in told(line.format(""), "gfx1100")["OPSEL"]
    assert "high 16 bits" in told(line.format(" op_sel:[0,0,1]"), "gfx1100")["OPSEL"]
    assert told(line.format(""), "gfx1100")["SRC2"] == "C: the constant 1.0 for every element"


def test_scales_are_said() -> None:
    line = (
        "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:17], v[0:3], v20, v21"
        " op_sel:[1,0,0] op_sel_hi:[1,1,0] cbsz:1 blgp:2"
    )
    rows = told(line, "gfx950")
    bytes_used = "byte 3 (bits 24..31) of each scale of A, byte 2 (bits 16..23) of each scale of B"
    assert rows["SCALE_BYTE_0"] == f"op_sel: {bytes_used}"
    assert rows["CBSZ"] == "cbsz: A is bf8_ocp"
    assert rows["SRC1"] == "B: v[12:17], 6 registers of fp6"
    assert rows["SCALE_SRC0"] == "The scale of A: v20, 1 register of e8m0"
    line = (
        "v_wmma_scale_f32_16x16x128_f8f6f4 v[0:7], v[8:15], v[24:39], v[0:7], v1, v2"
        " matrix_a_fmt:MATRIX_FMT_FP4 matrix_a_scale:MATRIX_SCALE_ROW1"
        " matrix_a_scale_fmt:MATRIX_SCALE_FMT_E5M3"
    )
    rows = told(line, "gfx1250")
    assert rows["OPSEL"] == "matrix_a_fmt: A is fp4"
    assert rows["OPSEL_HI_2"] == "bit 2 of matrix_b_fmt: B is fp8_ocp"
    assert rows["MATRIX_A_SCALE"] == "matrix_a_scale: the scales of A are in lanes 16..31"
    assert rows["MATRIX_A_SCALE_FMT"] == "matrix_a_scale_fmt: the scale of A is e5m3"


@pytest.mark.parametrize("half", ["", " matrix_a_scale:MATRIX_SCALE_ROW1"])
def test_scales_of_as_many_rows_as_lanes_are_said_to_fill_them(half: str) -> None:
    line = "v_wmma_scale_f32_32x16x128_f4 v[0:15], v[16:31], v[32:39], v[0:15], v40, v41"
    rows = told(line + half, "gfx1250")
    lanes = "the scales of A fill all lanes, 0..31: no half is chosen"
    assert rows["MATRIX_A_SCALE"] == f"matrix_a_scale: {lanes}"
    assert rows["MATRIX_B_SCALE"] == "matrix_b_scale: the scales of B are in lanes 0..15"


def test_moves_are_said() -> None:
    line = "v_mfma_f32_32x32x1f32 a[0:31], v1, a2, a[0:31] cbsz:1 abid:1 blgp:{}"
    rows = told(line.format(3), "gfx908")
    assert (
        rows["BLGP"] == "blgp: the B of other lanes is read: 0..47 read 16..63, 48..63 read 0..15"
    )
    assert rows["CBSZ"] == "cbsz: each 2 blocks of A use one of them"
    assert rows["ABID"] == "abid: block 1 of each group of A"
    assert rows["ACC_SRC1"] == "B is in AGPRs"
    assert told(line.format(0), "gfx908")["BLGP"] == "blgp: each lane reads its own B"
    line = "v_smfmac_f32_16x16x64_f16 v[0:3], v[4:7], v[8:15], v3 abid:1"
    assert told(line, "gfx950")["ABID"] == "abid: bits 16..31 of the index are used"
    line = "v_swmmac_f32_16x16x32_f16 v[0:3], v[4:5], v[8:11], v9 index_key:3"
    assert told(line, "gfx1201", 64)["OPSEL"] == "index_key: bits 24..31 of the index are used"


@pytest.mark.parametrize("target", sorted(targets()))
def test_every_field_of_every_row_has_words(target: str) -> None:
    rng = random.Random(2)
    for each in catalog.instructions(target):
        for wave in each.waves:
            rows = explain(parse(draw_line(each, wave, rng), target, wave))
            bits = [bit for row in rows for bit in range(row.lo, row.hi + 1)]
            assert bits == list(range(8 * each.size_bytes))
            assert all(row.meaning and "{" not in row.meaning for row in rows)


def test_every_effect_has_words() -> None:
    effects = {
        effect
        for name in architectures()
        for row in architecture_rows(name).modifiers
        for effect in row.effect
    }
    assert effects - set(SWITCHES) - set(TELLERS) == {"", "none", "hint"}
