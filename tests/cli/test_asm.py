import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import ran

LINE = "v_mfma_f32_16x16x16_f16 v[10:13], a[2:3], v[4:5], v[6:9]"
HEX = "0a00cdd302091a0c"


def test_text_has_bytes_and_words(capsys) -> None:
    found = ran(capsys, "asm", "gfx942", LINE)
    assert found.code == 0
    assert "bytes 0a 00 cd d3 02 09 1a 0c; words 0xd3cd000a 0x0c1a0902" in found.out


def test_hex(capsys) -> None:
    assert ran(capsys, "asm", "gfx942", LINE, LINE, "--hex").out == f"{HEX}\n{HEX}\n"


def test_json(capsys) -> None:
    answer = json.loads(ran(capsys, "asm", "gfx942", LINE, "--json").out)
    assert answer["answer"] == "Assembly"
    assert answer["instructions"][0]["words"] == ["0xd3cd000a", "0x0c1a0902"]


def test_a_file_of_lines_and_a_file_of_bytes(capsys, tmp_path: Path) -> None:
    lines, code = tmp_path / "k.s", tmp_path / "k.bin"
    lines.write_text(f"// comment\n{LINE}\n")
    found = ran(capsys, "asm", "gfx942", str(lines), "-o", str(code))
    assert found.out == f"wrote 8 bytes to {code}\n"
    assert code.read_bytes().hex() == HEX
    assert LINE in ran(capsys, "dis", "gfx942", str(code)).out


def test_stdin_by_its_file() -> None:
    command = [sys.executable, "-m", "wavemma", "asm", "gfx942", "/dev/stdin", "--hex"]
    done = subprocess.run(command, input=LINE, capture_output=True, text=True, check=True)
    assert done.stdout == f"{HEX}\n"


def test_wave_changes_what_is_legal(capsys) -> None:
    line = "v_wmma_f32_16x16x16_f16 v[0:3], v[8:15], v[16:23], v[0:3]"
    assert ran(capsys, "asm", "gfx1100", line, "--wave", "64").code == 0
    found = ran(capsys, "asm", "gfx1100", line)
    assert found.code == 2
    assert "EncodingMistake" in found.err


MISTAKES = [
    ((), "at least one instruction"),
    (("nonsense",), "UnknownInstruction"),
    (("nofile.s",), "FileMistake: nofile.s cannot be read: No such file"),
    (("/tmp",), "FileMistake: /tmp must be a file; it is a folder"),
    (("v_mfma ???",), "SyntaxMistake"),
    ((LINE + " abid:9",), "EncodingMistake"),
    ((LINE.replace("a[2:3]", "a[2:4]"),), "EncodingMistake"),
    ((LINE, "-o", "/nonexistent/none/k.bin"), "FileMistake"),
]


@pytest.mark.parametrize(("words", "message"), MISTAKES)
def test_mistakes_are_sentences(capsys, words, message) -> None:
    found = ran(capsys, "asm", "gfx942", *words)
    assert found.code == 2
    assert message in found.err
    assert found.out == ""


def test_a_mark_in_front_of_the_source(capsys, tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_bytes(b"\xef\xbb\xbf" + LINE.encode() + b"\r\n")
    assert ran(capsys, "asm", "gfx942", str(path), "--hex").out == f"{HEX}\n"


def test_source_that_is_not_utf8(capsys, tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_bytes(b"// fine\n// \xff\n")
    found = ran(capsys, "asm", "gfx942", str(path))
    assert found.code == 2
    assert "must be UTF-8 text; byte 11 (line 2) is not" in found.err
