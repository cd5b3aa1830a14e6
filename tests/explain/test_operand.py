import pytest

from wavemma.errors import UnknownFormat, UnknownInstruction, UnknownName
from wavemma.explain.element import where
from wavemma.explain.operand import asked_of, operand
from wavemma.isa import catalog
from wavemma.tables.format_names import formats_called

SCALED = "v_mfma_scale_f32_16x16x128_f8f6f4"


@pytest.mark.parametrize("word", ["A", "a"])
def test_case_of_a_role_does_not_matter(word: str) -> None:
    assert operand("gfx950", SCALED, word).role == "a"


@pytest.mark.parametrize("word", ["fp8", "fp8_ocp", "FP8"])
def test_a_format_by_name_or_by_the_assemblers_word(word: str) -> None:
    assert operand("gfx950", SCALED, "A", format=word).format == "fp8_ocp"


def test_case_of_a_target_does_not_matter() -> None:
    assert operand("GFX950", SCALED, "A").target == "gfx950"


def test_fp16_is_f16() -> None:
    assert operand("gfx1100", "v_wmma_f32_16x16x16_f16", "A", format="fp16").format == "f16"
    assert formats_called("FP32") == ("f32",)
    assert formats_called("half") == ("f16",)
    assert formats_called("double") == ("f64",)
    assert formats_called("int8") == ("i8", "iu8")
    assert formats_called("fp8") == ("fp8_ocp", "fp8_fnuz")
    with pytest.raises(UnknownFormat, match="'fp17'"):
        formats_called("fp17")


@pytest.mark.parametrize("lanes", [32, 64])
def test_a_builtin_stands_for_its_instruction_and_wave(lanes: int) -> None:
    name = f"__builtin_amdgcn_wmma_f32_16x16x16_f16_w{lanes}"
    found = operand("gfx1100", name, "D")
    assert (found.instruction.name, found.wave) == ("v_wmma_f32_16x16x16_f16", lanes)


def test_a_builtin_of_two_instructions_is_told_them() -> None:
    name = "__builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4"
    with pytest.raises(UnknownInstruction, match="on gfx950 becomes v_mfma_f32_16x16x128_f8f6f4"):
        operand("gfx950", name, "D")


def test_a_builtin_of_another_target_is_told_its_instruction() -> None:
    name = "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32"
    with pytest.raises(UnknownInstruction, match="which gfx1201 has not; it becomes v_wmma"):
        operand("gfx1201", name, "D")


def test_a_format_of_another_generation_is_refused() -> None:
    with pytest.raises(UnknownFormat, match="must be fp8_ocp or bf8_ocp or fp6 or bf6 or fp4"):
        operand("gfx950", SCALED, "A", format="fp8_fnuz")


def test_an_operand_that_it_lacks_names_those_it_has() -> None:
    with pytest.raises(UnknownName, match="A, B, C, D, scale_a, scale_b; 'index' was given"):
        operand("gfx950", SCALED, "index")


def test_a_sibling_keeps_format_and_wave_where_it_can() -> None:
    chosen = operand("gfx950", SCALED, "A", format="fp4")
    assert chosen.sibling("b").format == "fp4"
    assert chosen.sibling("d").format == "f32"
    wide = operand("gfx1201", "v_swmmac_f32_16x16x32_f16", "A", wave=64)
    assert wide.sibling("index").wave == 64


def test_what_is_asked_is_written_down() -> None:
    chosen = operand("gfx1100", "v_wmma_f16_16x16x16_f16", "D", wave=64, modifiers={"opsel": 1})
    asked = asked_of(chosen)
    assert str(asked) == "v_wmma_f16_16x16x16_f16 on gfx1100, wave64"
    assert (asked.operand, asked.format, asked.modifiers) == ("D", "f16", {"high_half": 1})


def test_an_alias_gives_the_name_that_the_target_prints() -> None:
    assert operand("gfx942", "v_mfma_f32_16x16x16f16", "A").instruction.name == (
        "v_mfma_f32_16x16x16_f16"
    )


@pytest.mark.parametrize("target", ["gfx908", "gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250"])
def test_notes_speak_of_the_operand_asked_about_alone(target: str) -> None:
    for instruction in catalog.instructions(target):
        if not instruction.is_matrix:
            continue
        for role in instruction.roles:
            found = where(target, instruction.name, role, 0, 0)
            text = " ".join(found.notes)
            copied = {len(spots.places) > 1 for spots in (found, *found.other_waves)}
            assert ("must be present in each" in text) == (True in copied and role != "index"), role
            assert ("A keeps two elements" in text) == (
                instruction.is_sparse and role in ("a", "index")
            )
            assert ("q numbers the scales" in text) == (role in ("scale_a", "scale_b"))
            assert ("op_sel[2] chooses" not in text) or role in ("c", "d")
            assert text.count("][") == 1
