import json
from pathlib import Path

import pytest

from tests.cli.command import ran
from tests.explain.code_objects import mfma_object
from tests.objects.compiled import linked, wmma_options, wmma_source

MFMA = "v_mfma_f32_16x16x16_f16 v[10:13], a[2:3], v[4:5], v[6:9]"
WMMA = "v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], v[0:7] neg_lo:[1,1,0] clamp"


def test_case_31(capsys) -> None:
    found = ran(capsys, "dis", "gfx942", "0a00cdd3", "02091a0c")
    assert found.code == 0
    assert MFMA in found.out
    assert "The words were read as bytes in memory order." in found.out


def test_case_32(capsys) -> None:
    found = ran(capsys, "dis", "gfx1100", "00c044cc", "0819027c", "--explain")
    assert WMMA in found.out
    assert "A is signed, B is signed" in found.out
    assert "clamp" in found.out
    assert all(len(line) <= 82 for line in found.out.splitlines())


def test_json(capsys) -> None:
    found = ran(capsys, "dis", "gfx1100", "00c044cc 0819027c", "--explain", "--json")
    answer = json.loads(found.out)
    assert answer["answer"] == "Disassembly"
    fields = answer["instructions"][0]["fields"]
    assert {"name", "lo", "hi", "value", "meaning"} == set(fields[0])


def test_nothing_found_is_a_negative_answer(capsys) -> None:
    found = ran(capsys, "dis", "gfx942", "f0f000f0")
    assert found.code == 1
    assert ".long 0xf000f0f0" in found.out
    assert "No instruction that we know" in found.out


def test_an_ordinary_instruction_is_no_negative_answer(capsys) -> None:
    found = ran(capsys, "dis", "gfx1100", "0xbfb00000")
    assert found.code == 0
    assert "s_endpgm" in found.out


def test_code_object_without_and_with_a_target(capsys, tmp_path: Path) -> None:
    path = tmp_path / "k.hsaco"
    path.write_bytes(mfma_object())
    for words in ((str(path),), ("gfx942", str(path))):
        found = ran(capsys, "dis", *words)
        assert found.code == 0
        assert found.out.count("v_mfma_f32_16x16x16_f16") == 2
        assert "Kernel product: gfx942, wave64 by its descriptor" in found.out


def test_a_kernel_of_64_lanes_is_printed_as_one(capsys, tmp_path: Path) -> None:
    path = tmp_path / "k.hsaco"
    path.write_bytes(linked("gfx1100", *wmma_options(64), source=wmma_source("product", 64)))
    found = ran(capsys, "dis", str(path))
    assert found.code == 0
    assert "Kernel product: gfx1100, wave64 by its descriptor" in found.out
    assert "v_wmma_f32_16x16x16_f16 v[16:19], v[0:7], v[8:15], v[16:19]  //" in found.out
    assert "\n  s_endpgm" in found.out
    refused = ran(capsys, "dis", str(path), "--wave", "32")
    assert refused.code == 2
    assert "Leave --wave out" in refused.err
    fields = ran(capsys, "dis", str(path), "--explain")
    assert "A: v[0:7], 8 registers of f16" not in found.out
    assert "A: v[0:7], 8 registers of f16" in fields.out
    stretch = json.loads(ran(capsys, "dis", str(path), "--json").out)["stretches"][0]
    assert (stretch["name"], stretch["kind"], stretch["wave"]) == ("product", "kernel", 64)


def test_a_file_of_text_holds_words(capsys, tmp_path: Path) -> None:
    path = tmp_path / "listing.txt"
    path.write_text("00000000: 0a00 cdd3 0209 1a0c  ....ab..\n")
    found = ran(capsys, "dis", "gfx942", str(path))
    assert found.code == 0
    assert MFMA in found.out
    path.write_text("hello, world\n")
    assert "hexadecimal digits" in ran(capsys, "dis", "gfx942", str(path)).err


MISTAKES = [
    (("gfx942",), "at least one word"),
    (("gfx942", "hello"), "2, 4, 8, 16 or 32 hexadecimal digits"),
    (("gfx942", "/nonexistent/k.hsaco"), "/nonexistent/k.hsaco cannot be read: No such file"),
    (("nofile.hsaco",), "FileMistake: nofile.hsaco cannot be read: No such file"),
    (("gfx942", "nofile.o"), "FileMistake: nofile.o cannot be read: No such file"),
    (("/tmp",), "FileMistake: /tmp must be a file; it is a folder"),
    (("gfx942", "/tmp"), "FileMistake: /tmp must be a file; it is a folder"),
    (("gfx1030", "0a00cdd3", "02091a0c"), "UnknownTarget"),
    (("gfx942", "0a00cdd3", "02091a0c", "--wave", "32"), "OutOfRange"),
]


@pytest.mark.parametrize(("words", "message"), MISTAKES)
def test_mistakes_are_sentences(capsys, words, message) -> None:
    found = ran(capsys, "dis", *words)
    assert found.code == 2
    assert message in found.err


def test_a_cut_off_code_object(capsys, tmp_path: Path) -> None:
    path = tmp_path / "k.hsaco"
    path.write_bytes(mfma_object()[:300])
    found = ran(capsys, "dis", "gfx942", str(path))
    assert found.code == 2
    assert "damaged or cut off" in found.err
