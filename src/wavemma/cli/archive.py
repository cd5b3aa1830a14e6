"""The one array of a .npz file, checked before any of it is unpacked."""

import os
import zipfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from wavemma.cli.npy_header import read_header
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
        check_fits(path, inside[0].file_size, "Save it as .npy, which is read in parts.")
        with archive.open(inside[0]) as member:
            header = read_header(member)
        header.check(inside[0].file_size - header.end)
        with archive.open(inside[0]) as member:
            found: npt.NDArray[Any] = np.lib.format.read_array(member, allow_pickle=False)
            # Only what is read to its end is checked against its sum.
            member.read(1)
        return found


def check_fits(path: Path, size_bytes: int, hint: str) -> None:
    """Refuse what cannot fit into the memory; a small zip file can hold a huge array.

    Raises:
        FileMistake: It is larger.

    """
    try:
        memory_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return
    if size_bytes > memory_bytes:
        raise FileMistake(
            f"{path} must fit into memory; its array has {size_bytes / _GIGA:.1f} GB, this computer"
            f" {memory_bytes / _GIGA:.1f} GB.",
            subject=path,
            hint=hint,
        )
