import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from wavemma.cli import read
from wavemma.cli.arrays import load
from wavemma.cli.read import is_file, names_file, read_bytes, read_text
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


@pytest.mark.parametrize("word", ["nofile.hsaco", "x/0a00cdd3", "k.s", "/none", "./k", ".", "src"])
def test_what_is_spelled_as_a_file_is_one(word: str) -> None:
    assert names_file(word)


@pytest.mark.parametrize(
    "word", ["", "0a00cdd3", "0xd3cd000a", "s_endpgm", "v_add.f32", "// a comment", "a b.s", "\0"]
)
def test_what_is_not(word: str) -> None:
    assert not names_file(word)


def test_folders(tmp_path: Path) -> None:
    with pytest.raises(FileMistake, match="must be a file; it is a folder"):
        read_bytes(str(tmp_path))


def test_a_mark_in_front_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\xef\xbb\xbfs_endpgm\n")
    assert read_text(str(path)) == "s_endpgm\n"


@pytest.mark.parametrize("size", [99, 100, 101])
def test_the_most_bytes_are_read_and_one_more_is_refused(tmp_path: Path, size: int) -> None:
    path, pipe = tmp_path / "a", tmp_path / "pipe"
    path.write_bytes(bytes(size))
    os.mkfifo(pipe)
    for place in (path, pipe):
        writer = threading.Thread(target=lambda: pipe.write_bytes(bytes(size)))
        if place == pipe:
            writer.start()
        if size <= 100:
            assert read_bytes(str(place), 100) == bytes(size)
        else:
            said = "it has 101 bytes" if place == path else "it has more"
            with pytest.raises(FileMistake, match=f"must have 0 MiB at most; {said}"):
                read_bytes(str(place), 100)
        if place == pipe:
            writer.join()


def test_a_large_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with path.open("wb") as stream:
        stream.truncate(1 << 40)
    with pytest.raises(FileMistake, match="must have 256 MiB at most; it has 1,099,511,627,776"):
        read_bytes(str(path))


ENDLESS = [
    ("dis", "gfx1100", "/dev/zero"),
    ("dis", "/dev/zero"),
    ("asm", "gfx1100", "/dev/zero"),
    ("lint", "/dev/zero", "--target", "gfx1100"),
    ("check-layout", "gfx1100", "v_wmma_f32_16x16x16_f16", "A", "endless.csv"),
    ("gemm", "/dev/zero", "/dev/zero", "-o", "o.npy", "--target", "gfx1100"),
]


@pytest.mark.parametrize("words", ENDLESS, ids=" ".join)
def test_endless_files_are_refused_in_little_memory(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "endless.csv").symlink_to("/dev/zero")
    done = limited(tmp_path, words)
    assert done.returncode == 2, done.stderr
    assert re.match("FileMistake: (/dev/zero|endless.csv) must ", done.stderr)


HEADER = b"{'descr': '<f4', 'fortran_order': False, 'shape': (%s)}\n"


def npy_start(shape: bytes, version: int = 1) -> bytes:
    text = HEADER % shape
    return b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(2 * version, "little") + text


# What an endless pipe starts with, and what must be said of it.
PIPES = {
    "zeros": (b"", "it starts with 00 00 00 00 00 00"),
    "header of gigabytes": (b"\x93NUMPY\x02\x00\xff\xff\xff\xff", "header has 4294967295 bytes"),
    "too large an array": (npy_start(b"1099511627776,"), "fit into"),
    "an array that no limit allows": (npy_start(b"1000000000,"), "fit into"),
    "zip": (b"PK\x03\x04", "a pipe may bring 1024 MiB of .npz"),
}


@pytest.mark.parametrize(("start", "said"), PIPES.values(), ids=PIPES)
def test_endless_pipes_are_refused_in_little_memory(
    tmp_path: Path, start: bytes, said: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "start").write_bytes(start)
    with subprocess.Popen(["sh", "-c", "cat start /dev/zero > pipe"], cwd=tmp_path) as writer:
        done = limited(tmp_path, ("gemm", "pipe", "pipe", "-o", "o.npy", "--target", "gfx1100"))
        writer.terminate()
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("FileMistake: pipe must ")
    assert said in done.stderr


def test_a_pipe_that_goes_on_behind_its_array_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "start").write_bytes(npy_start(b"2, 3"))
    with subprocess.Popen(["sh", "-c", "cat start /dev/zero > pipe"], cwd=tmp_path) as writer:
        assert load(str(pipe)).tolist() == [[0, 0, 0]] * 2
        writer.terminate()


def limited(folder: Path, words: tuple[str, ...], **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that may have 3 GB of addresses."""
    ours = str(Path(read.__file__).parents[2])
    command = ["sh", "-c", 'ulimit -v 3000000; exec "$@"', "sh", sys.executable, "-m", "wavemma"]
    environment = {**os.environ, "PYTHONPATH": ours}
    return subprocess.run(
        [*command, *words], cwd=folder, env=environment, timeout=120, capture_output=True,
        text=True, check=False, **more,
    )  # fmt: skip
