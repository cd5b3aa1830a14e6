import pytest

from wavemma.errors import SyntaxMistake
from wavemma.explain.disassembly import disassembly
from wavemma.explain.hexadecimal import readings


@pytest.mark.parametrize(
    "words", ["", "xyz", "0a00cdd", "0x", "0a00cdd3 0", "0xd3cd000a, 5g", "0x" + 33 * "1"]
)
def test_what_is_no_word_is_refused(words: str) -> None:
    with pytest.raises(SyntaxMistake):
        disassembly("gfx942", words)


def test_readings() -> None:
    assert [each.data.hex() for each in readings("01020304")] == ["01020304", "04030201"]
    assert [each.data.hex() for each in readings("0x01020304")] == ["04030201"]
    assert [each.data.hex() for each in readings("01 02")] == ["0102"]


LINE = "0a00cdd302091a0c"


@pytest.mark.parametrize(
    "pasted",
    [
        "0000: 0a00cdd3 02091a0c",
        "0x1900: 0xd3cd000a 0x0c1a0902",
        "00000000  0a 00 cd d3 02 09 1a 0c  |........|",
        "00000000: 0a00 cdd3 0209 1a0c  ......ab",
        "0000000 000a d3cd 0902 0c1a",
        "0000000 d3cd000a 0c1a0902",
        "v_mfma_f32 v[10:13], a[2:3], v[4:5] // 000000001900: D3CD000A 0C1A0902",
        "v_mfma_f32 v[10:13] ; encoding: [0x0a,0x00,0xcd,0xd3,0x02,0x09,0x1a,0x0c]",
        ".long 0xd3cd000a, 0xc1a0902",
        r"\x0a\x00\xcd\xd3\x02\x09\x1a\x0c",
        "{0xd3cd000au, 0x0c1a0902UL}",
        "0xd3cd_000a 0x0c1a_0902",
        "0000: 0a00cdd3\n0004: 02091a0c\n",
    ],
)
def test_what_listings_and_dumps_put_beside_the_words_is_left_out(pasted: str) -> None:
    assert LINE in [each.data.hex() for each in readings(pasted)]
