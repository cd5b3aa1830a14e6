import pytest

from wavemma.errors import EncodingMistake, SyntaxMistake, UnknownInstruction
from wavemma.explain.assembly import assembly

MFMA = "v_mfma_f32_16x16x16_f16 v[10:13], a[2:3], v[4:5], v[6:9]"


def test_case_33_unsigned_is_said_although_it_is_the_default() -> None:
    line = "v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], v[0:7]"
    found = assembly("gfx1100", line)
    assert found.instructions[0].said == ("neg_lo: A is unsigned, B is unsigned",)


def test_a_file_of_lines_names_the_line_of_a_mistake() -> None:
    lines = f"; two lines\n{MFMA}\n\n{MFMA} // and again\n"
    assert len(assembly("gfx942", lines).instructions) == 2
    assert [each.offset for each in assembly("gfx942", lines).instructions] == [0, 8]
    with pytest.raises(UnknownInstruction, match="Line 2: 'v_nop' is not a matrix instruction"):
        assembly("gfx942", f"{MFMA}\nv_nop\n")
    with pytest.raises(EncodingMistake, match="multiple of 2"):
        assembly("gfx942", MFMA.replace("v[4:5]", "v[5:6]"))
    with pytest.raises(SyntaxMistake, match="at least one instruction"):
        assembly("gfx942", " \n; nothing\n")


def test_lines_that_come_again_are_as_if_alone() -> None:
    other = MFMA.replace("v[4:5]", "v[8:9]")
    alone = [assembly("gfx942", line).data for line in (MFMA, other)]
    found = assembly("gfx942", "\n".join([MFMA, f" {MFMA} ; again", other, "", MFMA]))
    assert alone[0] != alone[1]
    assert found.data == alone[0] + alone[0] + alone[1] + alone[0]
    assert [each.offset for each in found.instructions] == [0, 8, 16, 24]
    with pytest.raises(UnknownInstruction, match="Line 4: 'v_nop' is not a matrix instruction"):
        assembly("gfx942", f"{MFMA}\n{MFMA}\n\nv_nop\n")


def test_a_long_file() -> None:
    lines = [MFMA.replace("10:13", f"{d}:{d + 3}") for _ in range(1000) for d in range(0, 200, 4)]
    assert len(assembly("gfx942", "\n".join(lines)).data) == 8 * len(lines)


def test_evidence_is_that_of_the_row() -> None:
    found = assembly("gfx942", MFMA).evidence
    assert [(each.what, each.grade) for each in found] == [("encoding", "V")]
