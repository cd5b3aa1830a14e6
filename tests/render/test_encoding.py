from wavemma.explain.disassembly import disassembly
from wavemma.render.document import Code, Table, Text
from wavemma.render.encoding import occurrence_blocks


def test_what_modifiers_say_stands_below_the_text() -> None:
    found = disassembly("gfx1100", "00c044cc 0819027c").instructions[0]
    code, said = occurrence_blocks(found)
    assert isinstance(code, Code)
    assert code.text.splitlines()[1] == (
        "  0x0: bytes 00 c0 44 cc 08 19 02 7c; words 0xcc44c000 0x7c021908"
    )
    assert isinstance(said, Text)
    assert "neg_lo: A is signed, B is signed." in said.text


def test_fields_from_the_high_bits_down() -> None:
    found = disassembly("gfx1100", "00c044cc 0819027c", fields=True).instructions[0]
    table = occurrence_blocks(found)[-1]
    assert isinstance(table, Table)
    assert table.rows[0][:3] == ("63:61", "NEG", "0x3")
    assert table.rows[-1][:3] == ("7:0", "VDST", "0")


def test_the_reason_why_it_is_none() -> None:
    found = disassembly("gfx950", "0xffffffff").instructions[0]
    text = occurrence_blocks(found)[-1]
    assert isinstance(text, Text)
    assert text.text.startswith("No instruction that we know: 0xffffffff")
