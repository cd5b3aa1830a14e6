"""Files that commands read."""

from pathlib import Path

from wavemma.errors import FileMistake


def is_file(word: str) -> bool:
    """Whether a word of the command line names something that can be read, /dev/stdin included."""
    try:
        return Path(word).exists() and not Path(word).is_dir()
    except (OSError, ValueError):
        return False


def read_bytes(word: str) -> bytes:
    """Read a whole file.

    Raises:
        FileMistake: It cannot be read.

    """
    try:
        return Path(word).read_bytes()
    except OSError as error:
        raise FileMistake(f"{word} cannot be read: {error.strerror}.", subject=word) from None


def read_text(word: str) -> str:
    """Read a whole file of UTF-8 text.

    Raises:
        FileMistake: It cannot be read, or is not UTF-8; says where.

    """
    data = read_bytes(word)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileMistake(
            f"{word} must be UTF-8 text; byte {error.start} (line {line}) is not.", subject=word
        ) from None
