from pathlib import Path

import pytest

from wavemma.cli.read import is_file, read_bytes, read_text
from wavemma.errors import FileMistake


def test_what_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x")
    assert is_file(str(path))
    assert is_file("/dev/null")
    assert not is_file(str(tmp_path))
    assert not is_file("0a00cdd3")
    assert not is_file("a\x00b")
    assert not is_file("x" * 5000)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileMistake, match="cannot be read: No such file"):
        read_bytes(str(tmp_path / "none"))


def test_text_must_be_utf8(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes("ä\n".encode() + b"\xc3(")
    with pytest.raises(FileMistake, match=r"byte 3 \(line 2\)"):
        read_text(str(path))
