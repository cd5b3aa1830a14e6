"""Arrays in files: .npy and .npz, with a suffix for types that those lose."""

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wavemma.errors import FileMistake
from wavemma.formats.dtypes import dtype_called

Array = npt.NDArray[Any]


def load(text: str) -> Array:
    """Read an array from "FILE", or from "FILE:TYPE" where the file has lost the type.

    Args:
        text: A .npy, or a .npz with one array, and optionally a colon and a number format or
            type, such as a.npy:bf16 or a.npy:fp8_e4m3fn; the file's bytes are then read as it.

    Raises:
        FileMistake: The file cannot be read or is not such a file.
        UnknownFormat: No format has the name.

    """
    path, kind = _split(text)
    array = _read(path)
    if kind is None:
        return array
    if array.dtype.itemsize != kind.itemsize:
        raise FileMistake(
            f"{path} must hold elements of {kind.itemsize} bytes to be read as {kind}; it holds"
            f" {array.dtype}.",
            subject=path,
        )
    return np.ascontiguousarray(array).view(kind)


def save(path: Path, array: Array) -> None:
    """Write a .npy file, whole or not at all.

    Raises:
        FileMistake: The folder cannot be written.

    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                np.save(file, array)
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise FileMistake(f"{path} cannot be written: {error.strerror}.", subject=path) from None


def check_writable(path: Path) -> None:
    """Find out before the work whether a file can be written.

    Raises:
        FileMistake: The folder is missing or cannot be written, or the path is a folder.

    """
    if path.is_dir():
        raise FileMistake(f"{path} must be a file to write; it is a folder.", subject=path)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
        os.unlink(name)
    except OSError as error:
        raise FileMistake(f"{path} cannot be written: {error.strerror}.", subject=path) from None


def _umask() -> int:
    """Read the mask of new files; there is no way but to set and restore it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _split(text: str) -> tuple[Path, "np.dtype[Any] | None"]:
    """Part the file from the type; a name that exists as it is has no type."""
    path, colon, name = text.rpartition(":")
    if not colon or Path(text).exists():
        return Path(text), None
    return Path(path), dtype_called(name)


def _read(path: Path) -> Array:
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileMistake(f"{path} cannot be read: {reason}.", subject=path) from None
    except (ValueError, EOFError, SyntaxError) as error:
        reason = str(error).split(chr(10))[0].rstrip(".")
        raise FileMistake(
            f"{path} must be a whole .npy or .npz file: {reason}.", subject=path
        ) from None
    if isinstance(found, np.ndarray):
        return found
    return _only(path, found)


def _only(path: Path, archive: Any) -> Array:  # noqa: ANN401 - NumPy names no public type
    """Give the one array of a .npz."""
    with archive:
        if len(archive.files) != 1:
            raise FileMistake(
                f"{path} must hold one array; it holds {', '.join(archive.files) or 'none'}.",
                subject=path,
            )
        return np.asarray(archive[archive.files[0]])
