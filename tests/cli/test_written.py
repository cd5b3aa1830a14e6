import contextlib
import os
import pty
import stat
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.cli.command import ran
from wavemma.cli.arrays import save
from wavemma.cli.written import check_distinct, check_writable, write_file
from wavemma.errors import FileMistake

LINE = "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]"


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


@pytest.mark.parametrize("name", ["a" * 300, "\0"])
def test_names_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    for write in (check_writable, lambda path: write_file(path, b"")):
        with pytest.raises(FileMistake, match="cannot be written"):
            write(tmp_path / name)


def test_the_longest_name(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 255)
    check_writable(path)
    write_file(path, b"new")
    assert path.read_bytes() == b"new"


def test_links_lead_to_what_is_written(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    place, link = tmp_path / "there" / "a", tmp_path / "link"
    link.symlink_to(place)
    for data in (b"first", b"second"):
        check_writable(link)
        write_file(link, data)
        assert link.is_symlink()
        assert place.read_bytes() == data
    assert os.listdir(tmp_path / "there") == ["a"]


def test_a_link_to_nowhere_and_one_to_itself(tmp_path: Path) -> None:
    (tmp_path / "lost").symlink_to(tmp_path / "none" / "a")
    (tmp_path / "ring").symlink_to(tmp_path / "ring")
    for name in ("lost", "ring"):
        with pytest.raises(FileMistake, match="cannot be written"):
            check_writable(tmp_path / name)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"")
    path.chmod(mode)
    write_file(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


WRITERS = {
    "bytes": lambda path: write_file(path, b"new"),
    "array": lambda path: save(path, np.arange(200_000)),
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_pipes_are_written_to(tmp_path: Path, write) -> None:
    pipe, other = tmp_path / "pipe", tmp_path / "other"
    os.mkfifo(pipe)
    check_writable(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write(pipe)
    reader.join()
    write(other)
    assert read == [other.read_bytes()]
    assert stat.S_ISFIFO(pipe.lstat().st_mode)


@pytest.fixture
def device() -> Iterator[tuple[Path, list[bytes]]]:
    """Make a device that anybody can have, a terminal, and collect what is written to it."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    seen: list[bytes] = []

    def listen() -> None:
        # Reading fails once the other side is closed.
        with contextlib.suppress(OSError):
            while block := os.read(ours, 1 << 16):
                seen.append(block)

    listener = threading.Thread(target=listen)
    listener.start()
    yield Path(os.ttyname(theirs)), seen
    os.close(theirs)
    listener.join()
    os.close(ours)


def test_devices_stay_devices(device: tuple[Path, list[bytes]], capsys) -> None:
    path, seen = device
    layout = ("layout", "gfx1100", LINE.split()[0], "A")
    commands = (
        ("asm", "gfx1100", LINE, "-o", str(path)),
        (*layout, "--svg", str(path), "--html", str(path)),
    )
    for words in commands:
        done = ran(capsys, *words)
        assert (done.code, done.err) == (0, "")
        assert stat.S_ISCHR(path.lstat().st_mode)
    save(path, np.arange(3.0))
    assert stat.S_ISCHR(path.lstat().st_mode)
    with path.open("wb") as file:
        file.write(b"the last")
    while not seen or not seen[-1].endswith(b"the last"):
        time.sleep(0.01)
    written = b"".join(seen)
    assert [written.count(part) for part in (b"<svg", b"<html", b"\x93NUMPY")] == [2, 1, 1]
    assert np.arange(3.0).tobytes() in written


def test_sockets_are_refused(tmp_path: Path) -> None:
    os.mknod(tmp_path / "socket", 0o600 | stat.S_IFSOCK)
    with pytest.raises(FileMistake, match="it is a socket"):
        check_writable(tmp_path / "socket")


def test_outputs_must_be_distinct(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "a")
    check_distinct([tmp_path / "a", tmp_path / "b"])
    for second in (tmp_path / "a", tmp_path / "." / "a", tmp_path / "link"):
        with pytest.raises(FileMistake, match="given twice"):
            check_distinct([tmp_path / "a", second])


def test_complaints_are_wrapped_on_a_terminal_alone(device: tuple[Path, list[bytes]]) -> None:
    path, seen = device
    words = [sys.executable, "-m", "wavemma", "where", "gfx1100", "v_wmma_f32_16x16x16_f61", "D"]
    environment = {**os.environ, "COLUMNS": "60"}
    piped = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    with path.open("wb") as terminal:
        subprocess.run(words, stderr=terminal, check=False, env=environment)
        terminal.write(b"the last")
    while not b"".join(seen).endswith(b"the last"):
        time.sleep(0.01)
    shown = b"".join(seen).decode().removesuffix("the last")
    assert max(map(len, piped.stderr.splitlines())) > 60
    assert max(map(len, shown.splitlines())) <= 60
    assert shown.split() == piped.stderr.split()
