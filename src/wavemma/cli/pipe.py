"""Arrays that come through a pipe: as much as their header announces, and no more."""

import io
from pathlib import Path
from typing import BinaryIO

from numpy.lib.format import MAGIC_PREFIX

from wavemma.cli.archive import check_fits, is_archive
from wavemma.cli.npy_header import check_start, read_header
from wavemma.cli.read import read_pieces
from wavemma.errors import FileMistake

MOST_ARCHIVE_BYTES = 1 << 30
"""A .npz tells its size at its end only."""
_MEBI = 1 << 20


def drained(path: Path, pipe: BinaryIO) -> io.BytesIO:
    """Read one array from a pipe into memory.

    Args:
        path: What to call it.
        pipe: Stands at its start; what comes behind the array is left in it.

    Raises:
        FileMistake: It is larger than the memory, or than a .npz in a pipe may be.
        Exception: Whatever NumPy raises about a header that is not sound.

    """
    start = pipe.read(len(MAGIC_PREFIX))
    if is_archive(start):
        rest = read_pieces(pipe, MOST_ARCHIVE_BYTES)
        if rest is None:
            raise FileMistake(
                f"{path} must end; a pipe may bring {MOST_ARCHIVE_BYTES // _MEBI} MiB of .npz at"
                " most.",
                subject=path,
                hint="Save it as a file.",
            )
        return io.BytesIO(start + rest)
    check_start(start)
    header = read_header(_Joined(start, pipe))
    check_fits(path, header.size, "Save it as a file, which is read in parts.")
    return io.BytesIO(header.text + pipe.read(max(header.size, 0)))


class _Joined:
    """Bytes that were read already, and the pipe that they came from."""

    def __init__(self, start: bytes, pipe: BinaryIO) -> None:
        self._start = io.BytesIO(start)
        self._pipe = pipe

    def read(self, size: int, /) -> bytes:
        """Read as a file does."""
        first = self._start.read(size)
        return first + self._pipe.read(size - len(first))
