"""The one array of a .npz file, checked before any of it is unpacked."""

import os
import zipfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from wavemma.errors import FileMistake

_MAGIC = b"PK"
_SUFFIX = ".npy"
_GIGA = 1e9


def is_archive(start: bytes) -> bool:
    """Whether a file begins as zip files do."""
    return start.startswith(_MAGIC)


def read_archive(path: Path, stream: BinaryIO) -> npt.NDArray[Any]:
    """Read the array of a .npz that has one.

    Args:
        path: What to call it.
        stream: The file, which can seek.

    Raises:
        FileMistake: It holds no array or several, or one that is larger than the memory.
        Exception: Whatever zipfile and NumPy raise about a file that is not sound.

    """
    with zipfile.ZipFile(stream) as archive:
        inside = archive.infolist()
        names = [each.filename for each in inside]
        if len(inside) != 1 or not names[0].endswith(_SUFFIX):
            held = ", ".join(name.removesuffix(_SUFFIX) for name in names) or "none"
            raise FileMistake(f"{path} must hold one array; it holds {held}.", subject=path)
        _check_size(path, inside[0].file_size)
        with archive.open(inside[0]) as member:
            bytes_ = _array_bytes(member)
        if bytes_ > inside[0].file_size:
            raise ValueError(f"its header speaks of {bytes_} bytes, more than it has")
        with archive.open(inside[0]) as member:
            found: npt.NDArray[Any] = np.lib.format.read_array(member, allow_pickle=False)
            # Only what is read to its end is checked against its sum.
            member.read(1)
        return found


def _array_bytes(stream: Any) -> int:  # noqa: ANN401 - NumPy names no type of its streams
    """Read the header of an array: how many bytes it has."""
    version = np.lib.format.read_magic(stream)
    read = (
        np.lib.format.read_array_header_1_0
        if version == (1, 0)
        else np.lib.format.read_array_header_2_0
    )
    shape, _, dtype = read(stream)
    size = dtype.itemsize
    for extent in shape:
        size *= extent
    return int(size)


def _check_size(path: Path, size_bytes: int) -> None:
    """Refuse what cannot fit into the memory; a small zip file can hold a huge array."""
    try:
        memory_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return
    if size_bytes > memory_bytes:
        raise FileMistake(
            f"{path} must fit into memory; its array has {size_bytes / _GIGA:.1f} GB, this computer"
            f" {memory_bytes / _GIGA:.1f} GB.",
            subject=path,
            hint="Save it as .npy, which is read in parts.",
        )
