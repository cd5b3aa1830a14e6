"""Files that commands read, never more of them than fits."""

import os
import re
import stat
from pathlib import Path
from typing import BinaryIO

from wavemma.errors import FileMistake

MOST_BYTES = 1 << 28
"""More than code objects have."""
MOST_TEXT_BYTES = 1 << 24
"""More than people write: some 200,000 lines of assembly."""
_PIECE_BYTES = 1 << 20
_MEBI = 1 << 20
_SUFFIX = re.compile(r"\.[A-Za-z]+\Z")
_MARK = "\ufeff"


def is_file(word: str) -> bool:
    """Whether a word of the command line names something that can be read, /dev/stdin included."""
    try:
        return Path(word).exists() and not Path(word).is_dir()
    except (OSError, ValueError):
        return False


def names_file(word: str) -> bool:
    """Whether a word names a file or a folder, or is spelled as only files are.

    Words with a folder in them, or a suffix of letters, are: what they lead to need not be there.
    """
    if not word or any(letter.isspace() for letter in word):
        return is_file(word)
    looks = os.sep in word or _SUFFIX.search(word) is not None
    return looks or is_file(word) or Path(word).is_dir()


def read_bytes(word: str, most_bytes: int = MOST_BYTES) -> bytes:
    """Read a whole file.

    Args:
        word: Its name.
        most_bytes: More of it are refused, and never read.

    Raises:
        FileMistake: It cannot be read, is a folder, or is too large.

    """
    try:
        with Path(word).open("rb") as stream:
            return _read(word, stream, most_bytes)
    except IsADirectoryError:
        raise FileMistake(f"{word} must be a file; it is a folder.", subject=word) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileMistake(f"{word} cannot be read: {reason}.", subject=word) from None


def read_text(word: str) -> str:
    """Read a whole file of UTF-8 text; a byte order mark in front is left out.

    Raises:
        FileMistake: It cannot be read, is too large, or is not UTF-8; says where.

    """
    data = read_bytes(word, MOST_TEXT_BYTES)
    try:
        return data.decode("utf-8").removeprefix(_MARK)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileMistake(
            f"{word} must be UTF-8 text; byte {error.start} (line {line}) is not.", subject=word
        ) from None


def read_pieces(stream: BinaryIO, most_bytes: int) -> bytes | None:
    """Read a stream to its end; None if that is further than the bytes allowed."""
    data = bytearray()
    while piece := stream.read(min(_PIECE_BYTES, most_bytes + 1 - len(data))):
        data += piece
        if len(data) > most_bytes:
            return None
    return bytes(data)


def _read(word: str, stream: BinaryIO, most_bytes: int) -> bytes:
    status = os.fstat(stream.fileno())
    is_large = stat.S_ISREG(status.st_mode) and status.st_size > most_bytes
    data = None if is_large else read_pieces(stream, most_bytes)
    if data is None:
        raise FileMistake(
            f"{word} must have {most_bytes // _MEBI} MiB at most; it has"
            f" {f'{status.st_size:,} bytes' if is_large else 'more'}.",
            subject=word,
        )
    return data
