from random import Random

from tests.isa.drawn_lines import draw_line
from wavemma.explain.assembly import assembly
from wavemma.explain.disassembly import disassembly
from wavemma.explain.encoding import words_of
from wavemma.explain.file_disassembly import file_disassembly
from wavemma.isa import catalog

WMMA = "v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], v[0:7] neg_lo:[1,1,0] clamp"


def test_case_32_in_words() -> None:
    found = disassembly("gfx1100", "00c044cc 0819027c", fields=True)
    assert [each.text for each in found.instructions] == [WMMA]
    said = " ".join(found.instructions[0].said)
    assert "A is signed" in said
    assert "B is signed" in said
    assert "clamp" in said
    assert "becomes its nearest limit" in said
    named = {each.name: each for each in found.instructions[0].fields}
    assert (named["NEG"].hi, named["NEG"].lo, named["NEG"].value) == (63, 61, 3)
    assert (named["CLAMP"].hi, named["CLAMP"].value) == (15, 1)
    assert "v[8:11]" in named["SRC0"].meaning
    assert "signed" in named["SRC0"].meaning


def test_every_field_has_its_place_and_they_cover_the_word() -> None:
    for target, words in (("gfx1100", "00c044cc 0819027c"), ("gfx942", "0a00cdd3 02091a0c")):
        fields = disassembly(target, words, fields=True).instructions[0].fields
        bits = [bit for each in fields for bit in range(each.lo, each.hi + 1)]
        assert sorted(bits) == list(range(64))
        assert all(each.meaning for each in fields)


def test_which_half_is_written_is_said() -> None:
    line = "v_wmma_f16_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7] op_sel:[0,0,1]"
    data = assembly("gfx1100", line).data
    said = " ".join(disassembly("gfx1100", data.hex()).instructions[0].said)
    assert "high 16 bits" in said


def test_every_row_comes_back_from_its_bytes() -> None:
    rng = Random(1)
    count = 0
    for instruction in catalog.instructions():
        for wave in instruction.waves:
            line = draw_line(instruction, wave, rng)
            target = instruction.targets[0]
            made = assembly(target, line, wave=wave)
            assert [each.text for each in made.instructions] == [line]
            back = disassembly(target, made.data.hex(), wave=wave)
            assert [each.text for each in back.instructions] == [line]
            assert back.other_bytes == 0
            bare = file_disassembly(target, made.data, wave=wave)
            assert [each.text for each in bare.instructions] == [line]
            count += 1
    assert count == sum(len(each.waves) for each in catalog.instructions())
    assert count > 264


def test_words_are_little_endian_numbers() -> None:
    assert words_of(bytes.fromhex("0a00cdd3 02091a0c")) == ("0xd3cd000a", "0x0c1a0902")
    assert words_of(bytes.fromhex("0a00cdd3 02")) == ("0xd3cd000a", "0x02")
