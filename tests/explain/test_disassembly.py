import pytest

from wavemma.errors import SyntaxMistake
from wavemma.explain.assembly import assembly
from wavemma.explain.disassembly import disassembly

MFMA = "v_mfma_f32_16x16x16_f16 v[10:13], a[2:3], v[4:5], v[6:9]"


@pytest.mark.parametrize(
    "words",
    [
        "0a00cdd3 02091a0c",
        "0a00cdd3,02091a0c",
        "0xd3cd000a 0x0c1a0902",
        "D3CD000A 0C1A0902",
        "[0x0a,0x00,0xcd,0xd3,0x02,0x09,0x1a,0x0c]",
        "0a 00 cd d3 02 09 1a 0c",
        "0x0c1a0902d3cd000a",
        "0a00cdd302091a0c",
    ],
)
def test_case_31_words_in_every_way_that_tools_print_them(words: str) -> None:
    found = disassembly("gfx942", words)
    assert [each.text for each in found.instructions] == [MFMA]
    assert found.instructions[0].words == ("0xd3cd000a", "0x0c1a0902")
    assert found.instructions[0].bytes == "0a 00 cd d3 02 09 1a 0c"


def test_case_31_says_which_way_it_read() -> None:
    assert disassembly("gfx942", "0a00cdd3 02091a0c").order == "bytes in memory order"
    assert disassembly("gfx942", "d3cd000a 0c1a0902").order == "numbers"
    assert disassembly("gfx942", "0xd3cd000a 0x0c1a0902").order == "numbers"
    assert any("memory order" in n for n in disassembly("gfx942", "0a00cdd3 02091a0c").notes)


def test_other_words_stay_in_sight() -> None:
    found = disassembly("gfx942", "0a00cdd3 02091a0c 000000f0")
    assert [each.is_matrix for each in found.instructions] == [True, False]
    assert found.instructions[1].text == ".long 0xf0000000"
    assert found.instructions[1].reason
    assert (found.size_bytes, found.other_bytes) == (12, 4)
    nothing = disassembly("gfx942", "f0f000f0")
    assert not any(each.is_matrix for each in nothing.instructions)
    assert nothing.evidence


def test_illegal_instructions_are_shown_with_the_reason() -> None:
    data = bytearray(
        assembly("gfx950", "v_smfmac_f32_16x16x64_f16 v[0:3], v[4:7], v[8:15], v16").data
    )
    data[1] |= 2 << 3
    found = disassembly("gfx950", data.hex()).instructions[0]
    assert "abid:2" in found.text
    assert any("abid" in fault for fault in found.faults)


def test_part_of_a_word_is_refused() -> None:
    with pytest.raises(SyntaxMistake, match="3 bytes were given"):
        disassembly("gfx942", "0a 00 cd")


def test_ordinary_instructions_are_told_where_the_tables_have_them() -> None:
    # s_endpgm of RDNA is 0xbfb00000, v_mov_b32 v1, v2 is 0x7e020302.
    found = disassembly("gfx1100", "0x7e020302 0xbfb00000 0xffffffff")
    assert [each.text for each in found.instructions] == [
        "v_mov_b32_e32 v1, v2",
        "s_endpgm",
        ".long 0xffffffff",
    ]
    assert [bool(each.reason) for each in found.instructions] == [False, False, True]
    assert not any(each.is_matrix for each in found.instructions)
    assert (found.size_bytes, found.other_bytes) == (12, 4)


def test_a_matrix_instruction_decides_how_words_are_read() -> None:
    line = "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]"
    for words in ("cc404000 1c022108", "004040cc 0821021c"):
        assert [each.text for each in disassembly("gfx1100", words).instructions] == [line]
