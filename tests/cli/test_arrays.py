"""Files of arrays as strangers make them: each that is not sound is a sentence."""

import bz2
import io
import os
import threading
import zipfile
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tests.cli.command import ran
from wavemma.cli import archive
from wavemma.cli.arrays import load
from wavemma.errors import FileMistake, UnknownFormat


def _npy(array: np.ndarray, **more: bool) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, **more)
    return stream.getvalue()


def _npz(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as made:
        for name, data in members:
            made.writestr(name, data)
    return stream.getvalue()


def _header(words: str, version: bytes = b"\x01\x00") -> bytes:
    text = words.encode()
    size = len(text).to_bytes(2 if version == b"\x01\x00" else 4, "little")
    return b"\x93NUMPY" + version + size + text


def _flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]


PLAIN = _npy(np.arange(600.0))
STORED = _npz(("a.npy", PLAIN), method=zipfile.ZIP_STORED)
SHAPE = "{{'descr': '<f2', 'fortran_order': False, 'shape': {}}}\n"
OBJECTS = _npy(np.array([{}], dtype=object), allow_pickle=True)

WHOLE = "must be a whole .npy or .npz file"
BROKEN = [
    ("cut.npz", STORED[:-40], WHOLE),
    ("half.npz", STORED[: len(STORED) // 2], WHOLE),
    ("magic.npz", b"PK\x03\x04", WHOLE),
    ("sum.npz", _flipped(STORED, len(STORED) // 2), WHOLE),
    ("deflated.npz", _flipped(_npz(("a.npy", PLAIN)), 120), WHOLE),
    ("header.npz", _npz(("a.npy", b"\x93NUMPY\x01\x00\x09\x00nonsense\n")), WHOLE),
    ("version.npz", _npz(("a.npy", b"\x93NUMPY\x09\x00" + PLAIN[8:])), WHOLE),
    ("short.npz", _npz(("a.npy", PLAIN[:-8])), "must have 4,800 bytes of elements, it has 4,792"),
    ("objects.npz", _npz(("a.npy", OBJECTS)), WHOLE),
    ("many.npz", _npz(("a.npy", _header(SHAPE.format("(10**10,)")))), WHOLE),
    ("negative.npz", _npz(("a.npy", _header(SHAPE.format("(-1,)")))), WHOLE),
    ("text.npz", _npz(("a.txt", b"words")), "must hold one array; it holds a.txt"),
    ("two.npz", _npz(("a.npy", PLAIN), ("b.npy", PLAIN)), "must hold one array; it holds a, b"),
    ("none.npz", _npz(), "must hold one array; it holds none"),
    ("huge.npy", _header(SHAPE.format((10**10, 10**10))), WHOLE),
    ("over.npy", _header(SHAPE.format((2**62, 4))), WHOLE),
    ("negative.npy", _header(SHAPE.format((-1,))), WHOLE),
    ("nested.npy", _header("(" * 9000), WHOLE),
    ("long.npy", _header("x" * 70000, b"\x02\x00"), WHOLE),
    ("words.npy", _header(SHAPE.format("'ab'")), WHOLE),
    ("bytes.npy", b"\x93NUMPY\x01\x00\x04\x00\xff\xfe\xfd\n", WHOLE),
    ("cut.npy", PLAIN[:-100], "it must have 4,800 bytes of elements, it has 4,700"),
    (
        "endless.npy",
        _header(SHAPE.format((10, 10))) + bytes(7),
        "must have 200 bytes of elements, it",
    ),
    ("bare.npy", _header(SHAPE.format((10, 10)))[:20], WHOLE),
    ("empty.npy", b"", "it starts with nothing, not with 93 4e 55 4d 50 59"),
    ("script.npy", b"#!/bin/sh", "it starts with 23 21 2f 62 69 6e, not with 93 4e"),
    ("objects.npy", OBJECTS, WHOLE),
    ("pickle.npy", b"\x80\x04N.", "it starts with 80 04 4e 2e, not with 93 4e"),
]


@pytest.mark.parametrize(("name", "data", "reason"), BROKEN, ids=[name for name, *_ in BROKEN])
def test_a_file_that_is_not_sound(capsys, recwarn, tmp_path: Path, name, data, reason) -> None:
    path, out = tmp_path / name, tmp_path / "out.npy"
    path.write_bytes(data)
    done = ran(capsys, "gemm", str(path), str(path), "-o", str(out), "--target", "gfx942")
    assert done.code == 2
    assert done.err.startswith("FileMistake: ")
    assert reason in done.err
    assert os.listdir(tmp_path) == [name]
    assert recwarn.list == []


def test_an_archive_that_unpacks_to_more_than_the_memory(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "bomb.npz"
    path.write_bytes(_npz(("a.npy", _npy(np.zeros(2_000_000)))))
    assert path.stat().st_size < 100_000
    assert load(str(path)).size == 2_000_000
    pages = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 2000}
    monkeypatch.setattr(archive.os, "sysconf", pages.__getitem__)
    with pytest.raises(FileMistake, match=r"its array has 0\.0 GB, this computer 0\.0 GB"):
        load(str(path))


def test_a_header_must_not_ask_for_more_than_the_file_has(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    body = _header(SHAPE.format((4_000_000_000, 4)))
    path.write_bytes(_npz(("a.npy", body + bytes(1000))))
    with pytest.raises(
        FileMistake, match="must have 32,000,000,000 bytes of elements, it has 1,000"
    ):
        load(str(path))


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("shape", [(), (0, 3), (4, 5)])
def test_sound_archives(tmp_path: Path, save, shape: tuple[int, ...]) -> None:
    array = np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)
    save(tmp_path / "a.npz", x=array)
    found = load(str(tmp_path / "a.npz"))
    assert (found.dtype, found.shape) == (array.dtype, shape)
    assert np.array_equal(found, array)


def test_other_methods_and_versions(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.arange(9), version=(2, 0))
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        path.write_bytes(_npz(("a.npy", stream.getvalue()), method=method))
        assert load(str(path)).tolist() == list(range(9))
    assert bz2.decompress(bz2.compress(b"a")) == b"a"


def test_an_empty_array_and_a_lost_type(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((0, 16), np.float32))
    assert load(str(tmp_path / "a.npy")).shape == (0, 16)
    np.save(tmp_path / "b.npy", np.ones((2, 3), ml_dtypes.bfloat16))
    assert load(f"{tmp_path / 'b.npy'}:bf16").astype(float).tolist() == [[1] * 3] * 2
    with pytest.raises(UnknownFormat, match="All: wavemma list formats"):
        load(f"{tmp_path / 'b.npy'}:qqqqqqq")


@pytest.mark.parametrize(
    ("target", "dtype"),
    [("gfx942", ml_dtypes.float8_e4m3fnuz), ("gfx950", ml_dtypes.float8_e4m3fn)],
)
def test_a_type_of_two_families_is_the_targets(tmp_path: Path, target: str, dtype: type) -> None:
    np.save(tmp_path / "a.npy", np.arange(256, dtype=np.uint8))
    for word in ("fp8", "E4M3", "fp8_e4m3"):
        found = load(f"{tmp_path / 'a.npy'}:{word}", target)
        np.testing.assert_array_equal(found.view(np.uint8), np.arange(256))
        assert found.dtype == np.dtype(dtype)
        with pytest.raises(UnknownFormat, match=r"may be float8_e4m3fn .* or float8_e4m3fnuz"):
            load(f"{tmp_path / 'a.npy'}:{word}")
    with pytest.raises(UnknownFormat, match=f"'float8' may be {np.dtype(dtype)}.* or float8_e5m2"):
        load(f"{tmp_path / 'a.npy'}:float8", target)


def test_two_numbers_a_byte_are_parted_the_low_one_first(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([[0x21, 0xF3]], np.uint8))
    found = load(f"{tmp_path / 'a.npy'}:float4_e2m1fn_x2")
    # 0b0001 is 0.5, 2 is 1, 3 is 1.5, and 15 is -6.
    assert found.astype(float).tolist() == [[0.5, 1, 1.5, -6]]
    assert found.dtype == np.dtype(ml_dtypes.float4_e2m1fn)


@pytest.mark.parametrize("data", [PLAIN, STORED], ids=["npy", "npz"])
def test_a_pipe_is_read(tmp_path: Path, data: bytes) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(data))
    writer.start()
    found = load(str(pipe))
    writer.join()
    assert found.tolist() == list(range(600))


def test_a_pipe_that_ends_too_soon(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for size, said in (
        (len(PLAIN) - 100, "must have 4,800 bytes of elements, it has 4,700"),
        (9, WHOLE),
    ):
        writer = threading.Thread(target=pipe.write_bytes, args=(PLAIN[:size],))
        writer.start()
        with pytest.raises(FileMistake, match=said):
            load(str(pipe))
        writer.join()


def test_a_long_file_name(capsys, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.ones((16, 16), np.float16))
    a, long = str(tmp_path / "a.npy"), str(tmp_path / ("x" * 300))
    for words in (
        ("gemm", a, a, "-o", long, "--target", "gfx942"),
        ("gemm", long, a, "-o", a, "--target", "gfx942"),
        ("gemm", f"{long}:f16", a, "-o", a, "--target", "gfx942"),
        ("asm", "gfx1100", "v_nop", "-o", long),
        ("diagnose", "gfx1100", "v_wmma_f32_16x16x16_f16", "--inputs", long),
        ("cache", "info", "--folder", long),
    ):
        done = ran(capsys, *words)
        assert done.code == 2
        assert done.err.startswith("FileMistake: "), words
        assert "File name too long" in done.err
    assert os.listdir(tmp_path) == ["a.npy"]


def test_a_sparse_a_without_elements(capsys, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((0, 32), np.float16))
    place = ("--target", "gfx942", "--op", "v_smfmac_f32_16x16x32_f16")
    words = ("sparse", "pack", str(tmp_path / "a.npy"), "-o", str(tmp_path / "o.npy"), *place)
    done = ran(capsys, *words)
    assert (done.code, "must hold something" in done.err) == (2, True)
