import os
import stat
import threading
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
def device(tmp_path: Path) -> Path:
    """Make a device like the one that drops all, in a folder of our own."""
    path = tmp_path / "null"
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        path.write_bytes(b"")
    except OSError:
        pytest.skip("only the administrator can make a device")
    return path


def test_devices_stay_devices(device: Path, capsys) -> None:
    layout = ("layout", "gfx1100", LINE.split()[0], "A")
    commands = (
        ("asm", "gfx1100", LINE, "-o", str(device)),
        (*layout, "--svg", str(device), "--html", str(device)),
    )
    for words in commands:
        done = ran(capsys, *words)
        assert (done.code, done.err) == (0, "")
        assert stat.S_ISCHR(device.lstat().st_mode)
    save(device, np.ones(3))
    assert stat.S_ISCHR(device.lstat().st_mode)
    assert os.listdir(device.parent) == ["null"]


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
