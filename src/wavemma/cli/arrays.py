"""Arrays in files: .npy, .npz and text, with a suffix for types that those lose."""

import os
import warnings
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
from numpy.lib.format import MAGIC_PREFIX

from wavemma.cli.archive import is_archive, read_archive
from wavemma.cli.npy_header import check_start, read_header
from wavemma.cli.pipe import drained
from wavemma.cli.text_matrix import converted, is_text, read_text_matrix
from wavemma.cli.written import writing
from wavemma.errors import FileMistake, WavemmaError
from wavemma.formats.dtypes import dtype_called
from wavemma.isa.catalog import formats_taken
from wavemma.tables.format_names import meaning

Array = npt.NDArray[Any]


def load(text: str, target: str | None = None) -> Array:
    """Read an array from "FILE", or from "FILE:TYPE" where the file has lost the type.

    Args:
        text: A .npy, or a .npz with one array, and optionally a colon and a number format or
            type, such as a.npy:bf16 or a.npy:fp8_e4m3fn; the file's bytes are then read as it. Or
            a .txt or .csv with a matrix as programs print it, whose numbers become that type,
            f32 if none is named.
        target: Where a name may mean several types: one that this target has.

    Raises:
        FileMistake: The file cannot be read or is not such a file.
        UnknownFormat: No format has the name, or several have it.

    """
    path, word = _split(text)
    kind = None if word is None else dtype_called(word, formats_taken(target) if target else ())
    array = _read(path)
    if is_text(path):
        return converted(path, array, kind or np.dtype(np.float32))
    if kind is None:
        return array
    if array.dtype.itemsize != kind.itemsize:
        raise FileMistake(
            f"{path} must hold elements of {kind.itemsize} bytes to be read as {kind}; it holds"
            f" {array.dtype}.",
            subject=path,
        )
    codes = np.ascontiguousarray(array)
    packed = 1 if word is None else meaning(word).packed
    return (codes if packed == 1 else _unpacked(codes, packed)).view(kind)


def save(path: Path, array: Array) -> None:
    """Write a .npy file, whole or not at all.

    Raises:
        FileMistake: The folder cannot be written.

    """
    with writing(path) as stream:
        # What NumPy takes for a file it seeks in, which no pipe allows.
        np.save(_Sink(stream), array)


class _Sink:
    """A stream that can only be written to."""

    def __init__(self, stream: BinaryIO) -> None:
        self.write = stream.write


def _unpacked(codes: Array, packed: int) -> Array:
    """Part the bytes along the last axis into codes of fewer bits, the low ones first."""
    bits = 8 // packed
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    parts: Array = codes.view(np.uint8)[..., None] >> shifts & np.uint8((1 << bits) - 1)
    return parts.reshape(*codes.shape[:-1], -1)


def _split(text: str) -> tuple[Path, str | None]:
    """Part the file from the type; a name that exists as it is has no type."""
    path, colon, name = text.rpartition(":")
    if not colon or os.path.exists(text):
        return Path(text), None
    return Path(path), name


def _read(path: Path) -> Array:
    """Read a file, whatever a stranger has put into it."""
    try:
        with warnings.catch_warnings():
            # NumPy warns of headers that old versions wrote; the array is the same.
            warnings.simplefilter("ignore")
            return _parsed(path)
    except WavemmaError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileMistake(f"{path} cannot be read: {reason}.", subject=path) from None
    except MemoryError:
        raise FileMistake(
            f"{path} must fit into memory; its header asks for more than there is.", subject=path
        ) from None
    # The readers of NumPy and zipfile raise what comes: a file that they choke on is at fault.
    except Exception as error:
        reason = str(error).split(chr(10))[0].rstrip(".") or type(error).__name__
        raise FileMistake(
            f"{path} must be a whole .npy or .npz file: {reason}.", subject=path
        ) from None


def _parsed(path: Path) -> Array:
    """Read an array, in place where it can be."""
    if is_text(path):
        return read_text_matrix(path)
    with path.open("rb") as file:
        # A pipe can be read once only, and never from the front again.
        stream: BinaryIO = file if file.seekable() else drained(path, file)
        start = stream.read(len(MAGIC_PREFIX))
        stream.seek(0)
        if is_archive(start):
            return read_archive(path, stream)
        check_start(start)
        header = read_header(stream)
        size = stream.seek(0, os.SEEK_END) - header.end
        header.check(size)
        if stream is file:
            mapped: Array = np.load(path, mmap_mode="r", allow_pickle=False)
            return mapped
        stream.seek(0)
        found: Array = np.load(stream, allow_pickle=False)
        return found
