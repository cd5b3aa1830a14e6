"""Assembly as compilers, disassemblers and people write it."""

import pytest

import wavemma
from tests.objects.compiled import assembled
from wavemma.checks.assembly_text import of_text, target_of_text, wave_of_text
from wavemma.checks.symbols import value_of, with_numbers
from wavemma.hazards import Reader

PAIR = """
v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[24:31]
v_wmma_f32_16x16x16_f16 v[40:47], v[0:7], v[16:23], v[40:47]
"""


def rules(text: str, target: str = "") -> list[tuple[str, int]]:
    found = wavemma.lint(text, target=target).findings
    return [(each.rule or each.what, each.at.place) for each in found if each.severity != "hint"]


def test_the_target_and_wave_size_are_taken_from_directives() -> None:
    text = '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-"\n'
    assert target_of_text(text) == "gfx942"
    assert wave_of_text(".amdhsa_wavefront_size32 0") == 64
    assert wave_of_text(".amdhsa_wavefront_size32 1") == 32
    assert (target_of_text("v_nop"), wave_of_text("v_nop")) == ("", None)


def test_directives_labels_and_comments_are_no_instructions() -> None:
    text = """
\t.text
\t.globl gemm ; -- Begin function gemm
gemm:   // @gemm
; %bb.0:
/* two
   lines */ v_nop /* inside */
.LBB0_1: s_nop 0
\t.p2align 8
\t.set .Lgemm.num_vgpr, 24
"""
    program = of_text(text, Reader("gfx942"))
    assert [(each.text, each.place, each.function) for each in program.items] == [
        ("v_nop", 7, "gemm"),
        ("s_nop 0", 8, "gemm"),
    ]
    assert not program.problems
    assert not program.notes


def test_what_objdump_prints_is_read_with_its_branches_by_number() -> None:
    text = """
k.o:\tfile format elf64-amdgpu

Disassembly of section .text:

0000000000001900 <gemm>:
\tv_add_f32_e32 v40, v0, v41                 // 000000001900: 02505300
\tv_mfma_f32_16x16x16_f16 v[0:3], v[32:33], v[34:35], v[0:3]// 000000001904: D3CD0000 04024520
\ts_cbranch_scc1 65532                       // 00000000190C: BF85FFFC
\ts_endpgm                                   // 000000001910: BF810000
"""
    (only,) = wavemma.lint(text, target="gfx942").findings
    assert (only.rule, only.at.function, only.has, only.round_the_loop) == (
        "942-valu",
        "gemm",
        1,
        True,
    )


def test_symbols_name_registers() -> None:
    text = f"""
.set vgprD, 0
.set vgprA, vgprD+8
next = vgprA*2
{PAIR.replace("v[0:7]", "v[vgprD:vgprD+7]").replace("v[16:23]", "v[next+0:next+7]")}
"""
    assert rules(text, "gfx1100") == [("rdna-wmma-ab", 7)]
    assert with_numbers("v_mov_b32 v[a+1], s[b:b+1]", {"a": 3, "b": 8}) == "v_mov_b32 v[4], s[8:9]"
    assert value_of("2*(a+1)-3", {"a": 5}) == 9
    for wrong in ("a", "1/0", "(", "a.b", "f(1)", "1<<99", "9" * 300, "[1]"):
        assert value_of(wrong, {}) is None


def test_a_missing_target_is_a_mistake_that_says_how() -> None:
    with pytest.raises(wavemma.WavemmaError, match=r"(?s)must say its target.*--target TARGET"):
        wavemma.lint("v_nop")


@pytest.mark.parametrize("text", ["", "; nothing\n.text\n"])
def test_no_instructions_are_a_mistake(text: str) -> None:
    with pytest.raises(wavemma.WavemmaError, match="must hold instructions"):
        wavemma.lint(text, target="gfx942")


@pytest.mark.parametrize("text", ["int main() {\n  return 0;\n}", "import os\nprint(os)\n"])
def test_what_is_no_assembly_is_a_mistake(text: str) -> None:
    with pytest.raises(wavemma.WavemmaError, match="must hold instructions of gfx1100; none of"):
        wavemma.lint(text, target="gfx1100")


def test_unknown_names_and_macros_are_told_not_guessed() -> None:
    text = (
        ".macro M a\nv_nop\n.endm\nM 1\nimage_sample v[0:3], v[4:5], s[0:7], s[8:11]\ns_branch 77"
    )
    notes = " ".join(wavemma.lint(text, target="gfx1100").notes)
    assert "registers of theirs are not followed: m, image_sample (first in line 4)" in notes
    assert "Macros and repetitions are not expanded" in notes
    assert "Not followed: 's_branch 77' in line 6." in notes


def test_only_one_kernel_is_told() -> None:
    text = f"one:\n{PAIR}s_endpgm\ntwo:\n{PAIR}s_endpgm\n"
    assert len(wavemma.lint(text, target="gfx1100").findings) == 3
    only = wavemma.lint(text, target="gfx1100", kernel="two")
    assert [each.at.function for each in only.findings if each.rule] == ["two"]
    with pytest.raises(wavemma.WavemmaError, match=r"(?s)no kernel or function 'tow'.*two"):
        wavemma.lint(text, target="gfx1100", kernel="tow")


def test_lines_of_other_targets_and_illegal_lines_are_errors() -> None:
    text = """
v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]
v_mfma_f32_16x16x16_f16 v[1:4], v[8:9], v[16:17], v[1:4]
v_mfma_f32_16x16x16_f16 v[0:3], v[8:10], v[16:17], v[0:3]
v_mfma_f32_16x16x16_f16 v[0:3], v[8:9]
"""
    every = wavemma.lint(text, target="gfx942").findings
    found = [each for each in every if each.what != "hazard"]
    assert [(each.severity, each.what, each.at.place) for each in found] == [
        ("error", "not there", 2),
        ("error", "not legal", 3),
        ("error", "not legal", 4),
        ("error", "not legal", 5),
    ]
    assert "gfx1100" in found[0].message
    assert "even" in found[1].message or "multiple of 2" in found[1].message


@pytest.mark.parametrize(
    ("name", "target", "nearest"),
    [
        ("v_mfma_f32_32x32x8_f17", "gfx942", "v_mfma_f32_32x32x8_f16"),
        ("v_mfma_f32_32x32x8_f16", "gfx90a", "v_mfma_f32_32x32x8f16"),
        ("v_wmma_f32_16x16x61_f16", "gfx1201", "v_wmma_f32_16x16x16_f16"),
        ("v_swmmac_f32_16x16x32_f61", "gfx1201", "v_swmmac_f32_16x16x32_f16"),
    ],
)
def test_a_matrix_instruction_that_no_row_has_is_an_error_with_the_nearest(
    name: str, target: str, nearest: str
) -> None:
    (found,) = wavemma.lint(
        f"s_nop 0\n{name} v[0:15], v[20:23], v[24:27], v[0:15]", target=target
    ).findings
    assert (found.severity, found.what, found.at.place) == ("error", "not there", 2)
    assert f"Closest: {nearest}" in found.message


@pytest.mark.parametrize(
    ("mode", "line", "meets"),
    [
        ("0", "v_mov_b32_e32 v40, v0", True),
        # Two bits each for src0, src1, src2 and the result, low first: here v256, v0, v256, ...
        ("1", "v_mov_b32_e32 v40, v0", False),
        ("0x4001", "v_mov_b32_e32 v40, v0", False),
        ("0x40", "v_mov_b32_e32 v40, v0", True),
        ("0x40", "v_mov_b32_e32 v0, v40", False),
        ("4", "v_add_f32_e32 v40, v41, v0", False),
        ("4", "v_add_f32_e32 v40, v0, v41", True),
        ("0x10", "v_fma_f32 v40, v41, v42, v0", False),
        ("1", "v_dual_mov_b32 v40, v0 :: v_dual_mov_b32 v43, v42", False),
        ("0x40", "v_dual_mov_b32 v40, v0 :: v_dual_mov_b32 v43, v42", True),
        ("1\ns_set_vgpr_msb 0x100", "v_mov_b32_e32 v40, v0", True),
        ("1\ns_branch l\nl:", "v_mov_b32_e32 v40, v0", True),
    ],
)
def test_a_mode_holds_high_bits_of_register_numbers(mode: str, line: str, meets: bool) -> None:
    text = f"""
.type f0,@function
f0:
v_wmma_f32_16x16x32_f16 v[0:7], v[8:15], v[16:23], v[0:7]
s_set_vgpr_msb {mode}
{line}
s_endpgm"""
    for found in (
        wavemma.lint(text, target="gfx1250"),
        wavemma.lint(assembled("gfx1250", text + "\n")),
    ):
        assert [each.rule for each in found.findings] == (["125x-valu-d"] if meets else [])
        assert any("A mode holds the high bits" in note for note in found.notes)


def test_tabs_and_letters_of_any_case_are_taken() -> None:
    text = PAIR.replace("f16 v", "f16\tv").replace("v_wmma", "V_WMMA").replace(", ", " ,\t")
    assert rules(text, "gfx1100") == [("rdna-wmma-ab", 3)]
    mixed = PAIR.replace("\nv_wmma", "\n\tV_Nop\t\nv_wmma").replace("\n\tV_Nop\t", "", 1)
    assert rules(mixed, "gfx1100") == []


def test_pairs_of_what_cannot_be_paired_are_unknown() -> None:
    found = wavemma.lint(
        "s_branch 1 :: v_dual_mov_b32 v2, v3\n:: v_nop\nv_nop ::", target="gfx1100"
    )
    assert any("s_branch" in note for note in found.notes)
    assert not found.findings
