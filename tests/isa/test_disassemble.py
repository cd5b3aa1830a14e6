from wavemma.isa.assemble import assemble
from wavemma.isa.decode import Undecoded
from wavemma.isa.decoded import Decoded
from wavemma.isa.disassemble import disassemble, sweep, text_of

IU8 = "v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], v[0:7]"


def test_default_modifiers_are_left_out() -> None:
    assert disassemble(assemble(f"{IU8} neg_lo:[0,0,0]", "gfx1100"), "gfx1100") == IU8
    scaled = "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[0:3], v20, v21"
    # LLVM prints this one always.
    text = disassemble(assemble(scaled, "gfx950"), "gfx950")
    assert text == f"{scaled} op_sel_hi:[0,0,0]"


def test_sweep_goes_over_what_it_does_not_know() -> None:
    code = assemble(IU8, "gfx1100")
    data = code + bytes.fromhex("000080bf") + code + bytes.fromhex("00407fcc00000000") + code[:5]
    found = sweep(data, "gfx1100")
    assert [place for place, _ in found] == [0, 8, 12, 20, 28, 32]
    kinds = [each.reason if isinstance(each, Undecoded) else text_of(each) for _, each in found]
    assert kinds == [IU8, "unknown encoding", IU8, "unknown opcode", "truncated", "truncated"]


def test_sweep_takes_halves_that_belong_together() -> None:
    scaled = (
        "v_wmma_scale_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:39], v[0:7], v40, v41"
        " matrix_b_scale:MATRIX_SCALE_ROW1"
    )
    load = "v_wmma_ld_scale_paired_b32 v1, s2"
    data = assemble(load, "gfx1250") + assemble(scaled, "gfx1250")
    found = sweep(data, "gfx1250")
    assert [text_of(each) for _, each in found if isinstance(each, Decoded)] == [load, scaled]
    assert sweep(b"", "gfx1250") == ()
