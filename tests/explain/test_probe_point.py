import pytest

from wavemma.errors import OutOfRange, UnknownName, UnknownTarget
from wavemma.explain.probe_point import find_points


def test_a_point_and_its_instruction_lead_to_the_same() -> None:
    [by_name] = find_points("gfx1100", "wmma_clamp")
    [by_instruction] = find_points("gfx1100", "v_wmma_i32_16x16x16_iu8")
    assert by_name == by_instruction
    assert by_name.wave == 32
    assert by_name.effects == {"signed_a": 1, "signed_b": 1, "saturate": 1}
    assert by_name.candidates[0].name == "integer"


def test_an_instruction_may_have_several_points() -> None:
    names = [each.row.name for each in find_points("gfx1250", "v_wmma_f32_16x16x64_fp8_fp8")]
    assert names == ["wmma_chain", "wmma_byte_order"]


def test_waves() -> None:
    [narrow] = find_points("gfx1201", "v_wmma_f32_16x16x16_fp8_fp8")
    [wide] = find_points("gfx1201", "v_wmma_f32_16x16x16_fp8_fp8", 64)
    assert (narrow.wave, wide.wave) == (32, 64)
    [point] = find_points("gfx1201", "v_wmma_i32_16x16x16_iu8")
    assert (point.row.name, point.wave) == ("wmma_clamp_wave64", 64)


def test_formats_of_a_point_are_chosen() -> None:
    [point] = find_points("gfx950", "mfma_scaled_narrow")
    assert point.effects == {"format_a": 4, "format_b": 4}
    assert point.operands.formats["a"] == "fp4"


def test_models_that_do_not_fit_the_formats_are_no_candidates() -> None:
    [point] = find_points("gfx1200", "v_wmma_bf16_16x16x16_bf16")[:1]
    assert [each.name for each in point.candidates] == ["paired_4", "fma_chain_first_nan"]


@pytest.mark.parametrize(
    ("target", "word", "wave", "error", "text"),
    [
        ("gfx9", "wmma_clamp", None, UnknownTarget, "gfx9"),
        ("gfx1201", "wmma_clam", None, UnknownName, "wmma_clamp_wave64"),
        ("gfx1201", "wmma_clamp", None, UnknownName, "is open on gfx1100, "),
        ("gfx1201", "wmma_clamp_wave64", 32, UnknownName, "wave64; gfx1201, wave32 was given"),
        ("gfx942", "nan_bits", 32, OutOfRange, "32 was given"),
    ],
)
def test_what_is_not_open(target, word, wave, error, text) -> None:
    with pytest.raises(error, match=text):
        find_points(target, word, wave)


def test_nothing_open_about_an_instruction_is_no_mistake() -> None:
    assert find_points("gfx942", "v_mfma_f32_32x32x1_2b_f32") == ()
