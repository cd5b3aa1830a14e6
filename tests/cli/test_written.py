import os
from pathlib import Path

import pytest

from wavemma.cli.written import check_writable, write_file
from wavemma.errors import FileMistake


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old and longer")
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["a"]


def test_folders_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(FileMistake, match="it is a folder"):
        check_writable(tmp_path)
    with pytest.raises(FileMistake, match="no folder"):
        check_writable(tmp_path / "none" / "a")


def test_closed_folders_are_found_before(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(FileMistake, match="permission denied"):
        check_writable(tmp_path / "a")


def test_a_folder_that_went_away_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileMistake, match="cannot be written: No such file or directory"):
        write_file(tmp_path / "gone" / "a", b"")
