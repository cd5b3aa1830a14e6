import json
import os
import stat
from pathlib import Path

import pytest

from tests.cli.command import ran

ASKED = ("layout", "gfx1100", "v_wmma_f32_16x16x16_f16", "A")


def test_text(capsys) -> None:
    found = ran(capsys, *ASKED)
    assert found.code == 0
    assert all(len(line) <= 80 for line in found.out.splitlines())
    assert "Order of k" in found.out
    assert "\n 0-15  0..15,0-1  " in found.out
    assert len(found.out.splitlines()) < 70


def test_every_lane_on_request(capsys) -> None:
    found = ran(capsys, *ASKED, "--full")
    assert all(len(line) <= 80 for line in found.out.splitlines())
    assert "Lanes and registers of each row" in found.out
    assert "\n  17   1,0-1   1,2-3   1,4-5   1,6-7" in found.out


def test_json(capsys) -> None:
    answer = json.loads(ran(capsys, *ASKED, "--json").out)
    assert answer["answer"] == "RegisterLayout"
    assert len(answer["elements"]) == 256


def test_csv_goes_to_stdout(capsys) -> None:
    lines = ran(capsys, *ASKED, "--csv").out.splitlines()
    assert lines[0] == "i,k,copy,lane,register,hi,lo,slot"
    assert len(lines) == 1 + 512


def test_sources(capsys) -> None:
    assert "def load_a(matrix):" in ran(capsys, *ASKED, "--python").out
    assert "void load_a(uint32_t *v" in ran(capsys, *ASKED, "--c").out


def test_files(capsys, tmp_path: Path) -> None:
    page, picture = tmp_path / "a.html", tmp_path / "a.svg"
    found = ran(capsys, *ASKED, "--html", str(page), "--svg", str(picture))
    assert found.code == 0
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert picture.read_text() in page.read_text()
    assert picture.read_text().startswith("<svg")
    assert sorted(os.listdir(tmp_path)) == ["a.html", "a.svg"]
    assert stat.S_IMODE(page.stat().st_mode) == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_two_targets_side_by_side(capsys, tmp_path: Path) -> None:
    page, picture = tmp_path / "a.html", tmp_path / "a.svg"
    files = ("--html", str(page), "--svg", str(picture))
    found = ran(capsys, *ASKED, "--beside", "gfx942", *files)
    assert found.code == 0
    assert picture.read_text() in page.read_text()
    assert "A of v_mfma_f32_16x16x16_f16 on gfx942, wave64" in picture.read_text()
    text = ran(capsys, *ASKED, "--beside", "gfx942").out
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "elsewhere  256 of 256 elements that both have" in text
    answer = json.loads(ran(capsys, *ASKED, "--beside", "gfx1100", "--json").out)
    assert answer["answer"] == "LayoutPair"
    assert answer["elsewhere"] == []


MISTAKES = [
    ((*ASKED, "--beside", "gfx9"), "UnknownTarget"),
    ((*ASKED, "--beside-wave", "64"), "--beside-wave needs --beside TARGET"),
    ((*ASKED, "--beside-op", "v_nope"), "--beside-op needs --beside TARGET"),
    ((*ASKED, "--beside", "gfx942", "--beside-op", "v_nope"), "UnknownInstruction"),
    ((*ASKED, "--beside", "gfx942", "--csv"), "--csv would not be heeded"),
    ((*ASKED, "--svg", "{dir}"), "is a folder"),
    ((*ASKED, "--svg", "{dir}/no/a.svg"), "no folder"),
    ((*ASKED, "--csv", "--json"), "Only one of"),
    ((*ASKED, "--c", "--python"), "Only one of"),
    (("layout", "gfx942", "v_mfma_f32_4x4x4_16b_f16", "A", "--cbsz", "1", "--c"), "Unsupported"),
    (("layout", "gfx942", "v_nope", "A"), "UnknownInstruction"),
]


@pytest.mark.parametrize(("words", "message"), MISTAKES)
def test_mistakes_leave_no_file(capsys, tmp_path: Path, words, message) -> None:
    found = ran(capsys, *(word.replace("{dir}", str(tmp_path)) for word in words))
    assert found.code == 2
    assert message in found.err
    assert os.listdir(tmp_path) == []


def test_an_output_that_cannot_be_written_is_found_before_the_question(capsys) -> None:
    found = ran(capsys, "layout", "gfx942", "v_nope", "A", "--svg", "/nonexistent/none/a.svg")
    assert "FileMistake" in found.err


def test_a_failing_disk_leaves_the_old_file(capsys, tmp_path: Path, monkeypatch) -> None:
    page = tmp_path / "a.html"
    page.write_text("old")

    def refuse(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    found = ran(capsys, *ASKED, "--html", str(page))
    assert found.code == 2
    assert "No space left on device" in found.err
    assert page.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.html"]
