import pytest

from tests.facts import facts_json
from wavemma.errors import SyntaxMistake
from wavemma.isa import catalog
from wavemma.isa.syntax import Line, parse_line, print_value, read_value, without_comment
from wavemma.tables.instructions import modifier_words


@pytest.mark.facts
def test_the_order_of_modifiers() -> None:
    order = facts_json("instructions")["asm_modifier_order"]["order"]
    assert list(modifier_words()) == order


def test_lines_come_apart() -> None:
    assert parse_line(
        "V_x V[0:7],v[ 8:15 ] , -1.0  neg_lo:[1, 0,0]  clamp cbsz : 3 // end"
    ) == Line(
        "v_x",
        ("v[0:7]", "v[ 8:15 ]", "-1.0"),
        (("neg_lo", "[1, 0,0]"), ("clamp", ""), ("cbsz", "3")),
    )
    assert parse_line("s_nop") == Line("s_nop", (), ())


@pytest.mark.parametrize("text", ["", "  // nothing", "v_x v0,", "v_x v0 v1 [", "1.0", "v_x: v0"])
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(SyntaxMistake):
        parse_line(text)


def test_comments() -> None:
    assert without_comment(" a /* b */ c ; d") == "a   c"
    assert without_comment("// a") == ""


def test_values_are_read_and_printed() -> None:
    each = catalog.instruction("v_wmma_f32_16x16x128_f8f6f4", "gfx1250")
    modifiers = {modifier.word: modifier for modifier in each.modifiers()}
    format = modifiers["matrix_a_fmt"]
    assert read_value(format, "MATRIX_FMT_FP4") == read_value(format, "4") == 4
    assert print_value(format, 4) == "matrix_a_fmt:MATRIX_FMT_FP4"
    assert print_value(format, 7) == "matrix_a_fmt:7"
    mask = modifiers["neg_lo"]
    assert read_value(mask, "[0,0,1]") == 4
    assert print_value(mask, 4) == "neg_lo:[0,0,1]"
    for text in ("8", "-1", "x", "", "[1]"):
        with pytest.raises(SyntaxMistake):
            read_value(format, text)
    for text in ("1", "[]", "[1,0,0,0]", "[2]", "[1,]"):
        with pytest.raises(SyntaxMistake):
            read_value(mask, text)
