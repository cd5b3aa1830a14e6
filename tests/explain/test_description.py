"""What an instruction computes, in sentences."""

import pytest

from wavemma.explain.description import described
from wavemma.isa.catalog import instruction, instructions


def _words(name, target):
    return " ".join(described(instruction(name, target)))


def test_every_instruction_is_described():
    every = instructions()
    assert len(every) == 264
    for each in every:
        text = " ".join(described(each))
        assert text.endswith(".")
        if each.is_matrix:
            m, n, k = each.shape
            assert f"{m}x{k} matrix A" in text
            assert f"{k}x{n} matrix B" in text
            assert f"{m}x{n} matrix D" in text
            assert ("two are kept" in text) == each.is_sparse
            assert ("share a scale" in text) == each.is_scaled
            assert ("independent blocks" in text) == (each.blocks > 1)
            for role in ("a", "b", "c", "d"):
                assert all(name in text for name in each.formats[role])


@pytest.mark.parametrize(
    ("name", "target", "words"),
    [
        ("v_wmma_f16_16x16x64_fp8_bf8", "gfx1250", "64x16 matrix B of bf8_ocp (8-bit float, E5M2)"),
        ("v_wmma_i32_16x16x16_iu8", "gfx1100", "neg_lo says whether A and B are signed"),
        ("v_mfma_scale_f32_16x16x128_f8f6f4", "gfx950", "cbsz chooses the format of A"),
        ("v_swmmac_bf16f32_16x16x64_bf16", "gfx1250", "overwrites it with the result, bf16"),
        ("v_wmma_ld_scale_paired_b32", "gfx1250", "Hands the scales of A and B"),
        ("v_mfma_f32_4x4x4_16b_f16", "gfx942", "16 independent blocks"),
    ],
)
def test_sentences(name, target, words):
    assert words in _words(name, target)
