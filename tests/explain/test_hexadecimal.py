import pytest

from wavemma.errors import SyntaxMistake
from wavemma.explain.disassembly import disassembly
from wavemma.explain.hexadecimal import readings


@pytest.mark.parametrize("words", ["", "xyz", "0a00cdd", "0x", "0a00cdd3 0", "0xd3cd000a, 5g"])
def test_what_is_no_word_is_refused(words: str) -> None:
    with pytest.raises(SyntaxMistake):
        disassembly("gfx942", words)


def test_readings() -> None:
    assert [each.data.hex() for each in readings("01020304")] == ["01020304", "04030201"]
    assert [each.data.hex() for each in readings("0x01020304")] == ["04030201"]
    assert [each.data.hex() for each in readings("01 02")] == ["0102"]
