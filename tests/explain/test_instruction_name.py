"""Words and shortened names lead every question to the instruction that they mean."""

import pytest

from wavemma.errors import UnknownInstruction
from wavemma.explain.element import where
from wavemma.explain.instruction_name import instruction_named, mnemonic_named
from wavemma.explain.name import explain_name
from wavemma.explain.probe_point import find_points
from wavemma.explain.rates import explain_rate


@pytest.mark.parametrize(
    ("words", "target", "name"),
    [
        ("wmma_f32_16x16x16_f16", "gfx1100", "v_wmma_f32_16x16x16_f16"),
        ("WMMA_I32_16x16x16_IU8", "gfx1201", "v_wmma_i32_16x16x16_iu8"),
        ("mfma_f32_32x32x8f16", "gfx90a", "v_mfma_f32_32x32x8f16"),
        ("wmma_f32_16x16x16_f16_w64", "gfx1100", "v_wmma_f32_16x16x16_f16"),
        ("__builtin_amdgcn_wmma_f32_16x16x16_f16_w32", "gfx1100", "v_wmma_f32_16x16x16_f16"),
        ("fp8 16x16x16", "gfx1201", "v_wmma_f32_16x16x16_fp8_fp8"),
        ("f32 16x16x16 f16", "MI300X", "v_mfma_f32_16x16x16_f16"),
        ("mfma bf16 32x32x8", "gfx942", "v_mfma_f32_32x32x8_bf16"),
        ("sparse f16 32x32x16", "gfx942", "v_smfmac_f32_32x32x16_f16"),
        ("scaled 32x32x64", "gfx950", "v_mfma_scale_f32_32x32x64_f8f6f4"),
    ],
)
def test_one_instruction_is_found(words: str, target: str, name: str) -> None:
    assert instruction_named(words, target).name == name
    assert where(target, words, "D", 0, 0).asked.instruction == name
    assert explain_rate(target, words).instruction == name
    shown = explain_name(words, target)
    # What is a builtin's name too is shown as that.
    assert shown.name in (name, f"__builtin_amdgcn_{words.removeprefix('__builtin_amdgcn_')}")


def test_words_that_fit_more_than_one_are_answered_with_those() -> None:
    with pytest.raises(UnknownInstruction) as caught:
        instruction_named("f16 16x16x16", "gfx1100")
    assert caught.value.message == (
        "One instruction must be named; 'f16 16x16x16' fits 2 of gfx1100:"
        " v_wmma_f32_16x16x16_f16, v_wmma_f16_16x16x16_f16."
    )
    with pytest.raises(UnknownInstruction, match="fits 2 of gfx1100"):
        find_points("gfx1100", "f16 16x16x16")


@pytest.mark.parametrize("words", ["v_wmma_f32_16x16x17_f16", "f16 16x16x17", "nothing", "gfx942"])
def test_what_fits_nothing_is_answered_with_the_nearest(words: str) -> None:
    with pytest.raises(UnknownInstruction, match="is not a matrix instruction of gfx1100"):
        instruction_named(words, "gfx1100")


def test_an_instruction_of_other_targets_is_not_read_as_words() -> None:
    with pytest.raises(UnknownInstruction, match="It is one of gfx942, gfx950"):
        instruction_named("v_mfma_f32_16x16x16_f16", "gfx1100")


def test_without_a_target_a_mnemonic_is_found() -> None:
    assert mnemonic_named("swmmac_f32_16x16x32_f16") == "v_swmmac_f32_16x16x32_f16"
    assert mnemonic_named("xf32 16x16x8") == "v_mfma_f32_16x16x8_xf32"
    with pytest.raises(UnknownInstruction, match=r"fits \d+ of all targets: .* and \d+ more\."):
        mnemonic_named("wmma")
