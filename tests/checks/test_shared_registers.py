"""Results over inputs: what compilers keep apart is suspect, what they do themselves is not.

The lines were taken from functions that zig's clang compiled with A in the first registers of the
function, where the result has to be returned: it moved A away, or did not.
"""

import pytest

import wavemma

WMMA = "v_wmma_f32_16x16x16_f16"


def named(target: str, line: str) -> list[str]:
    found = wavemma.lint(f"{line}\ns_nop 0\n", target=target).findings
    return [each.rule for each in found if each.what == "registers"]


@pytest.mark.parametrize(
    ("target", "line"),
    [
        ("gfx1201", f"{WMMA} v[0:7], v[12:15], v[8:11], 0"),
        ("gfx1201", f"{WMMA} v[8:15], v[0:3], v[4:7], v[8:15]"),
        # A is made of the D before: with LLVM 22, in waves of 32 lanes.
        ("gfx1250", "v_wmma_f16_16x16x32_f16 v[26:29], v[22:29], v[10:17], v[18:21]"),
        ("gfx1250", "v_wmma_f32_16x16x32_f16 v[16:23], v[0:7], v[8:15], 0"),
        ("gfx90a", "v_mfma_f32_16x16x16f16 v[0:3], v[0:1], v[2:3], v[4:7]"),
        ("gfx942", "v_mfma_f64_4x4x4_4b_f64 v[0:1], v[0:1], v[2:3], 0"),
        ("gfx942", "v_mfma_f32_32x32x8_f16 v[0:15], v[18:19], v[16:17], 0"),
        ("gfx908", "v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]"),
        ("gfx942", "v_smfmac_f32_16x16x32_f16 v[8:11], v[0:1], v[2:5], v6"),
    ],
)
def test_what_compilers_write_is_no_finding(target: str, line: str) -> None:
    assert named(target, line) == []


@pytest.mark.parametrize(
    ("target", "line", "rule"),
    [
        ("gfx942", "v_mfma_f32_32x32x8_f16 v[0:15], v[0:1], v[16:17], 0", "mfma-result"),
        ("gfx90a", "v_mfma_f64_16x16x4f64 v[0:7], v[10:11], v[6:7], 0", "mfma-result"),
        ("gfx950", "v_mfma_f32_32x32x16_f16 v[0:15], v[16:19], v[14:17], 0", "mfma-result"),
    ],
)
def test_what_compilers_keep_apart_is_suspect(target: str, line: str, rule: str) -> None:
    assert named(target, line) == [rule]


def test_the_sentence_names_both() -> None:
    line = "v_mfma_f32_32x32x8_f16 v[0:15], v[0:1], v[14:15], 0"
    found = wavemma.lint(f"{line}\n", target="gfx942").findings
    text = next(each.message for each in found if each.what == "registers")
    assert text.startswith(
        "D v[0:15] shares registers with A v[0:1] and B v[14:15]: compilers keep"
    )
