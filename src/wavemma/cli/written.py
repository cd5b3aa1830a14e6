"""Files that commands write: checked before the work, and whole or not there at all.

Links are followed, an existing file keeps its mode, and what is no regular file (a pipe, a device)
is written to and never replaced.
"""

import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from wavemma.errors import FileMistake

_STDOUT = 1
_REFUSED = {stat.S_IFDIR: "a folder", stat.S_IFBLK: "a disk", stat.S_IFSOCK: "a socket"}


def check_writable(path: Path) -> None:
    """Refuse a path that cannot be written, before any work is done.

    Raises:
        FileMistake: The folder is missing or closed to us, or the path is a folder, a disk or a
            socket.

    """
    found = _status(path)
    kind = _REFUSED.get(stat.S_IFMT(found.st_mode)) if found else None
    if kind:
        raise FileMistake(f"{path} must be a file to write; it is {kind}.", subject=path)
    if found and not stat.S_ISREG(found.st_mode):
        closed = not os.access(path, os.W_OK)
    else:
        folder = _followed(path).parent
        if not folder.is_dir():
            raise FileMistake(f"{path} cannot be written: no folder {folder}.", subject=path)
        closed = not os.access(folder, os.W_OK) or (
            found is not None and not os.access(path, os.W_OK)
        )
    if closed:
        raise FileMistake(f"{path} cannot be written: permission denied.", subject=path)


def check_distinct(paths: Sequence[Path]) -> None:
    """Refuse to write two things to the same file.

    Raises:
        FileMistake: Two paths lead to the same regular or new file.

    """
    places = [_followed(path) for path in paths if _is_replaced(path)]
    for number, place in enumerate(places):
        if place in places[:number]:
            raise FileMistake(
                f"Each output must be a file of its own; {place} is given twice.", subject=place
            )


def is_answer(path: Path) -> bool:
    """Whether a path leads to the standard output, so that a line about it would get into it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(_STDOUT))
    except OSError:
        return False


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write, by way of a temporary one beside it, so that none is ever half there.

    Yields:
        The stream. It cannot seek where the path is a pipe or a device.

    Raises:
        FileMistake: The system refuses.

    """
    try:
        if _is_replaced(path):
            with _replacing(_followed(path)) as stream:
                yield stream
        else:
            with os.fdopen(os.open(path, os.O_WRONLY), "wb") as stream:
                yield stream
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileMistake(f"{path} cannot be written: {reason}.", subject=path) from None


def write_file(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all.

    Raises:
        FileMistake: The system refuses.

    """
    with writing(path) as stream:
        stream.write(data)


@contextmanager
def _replacing(place: Path) -> Iterator[BinaryIO]:
    """Write a temporary file and let it take the place of another, with that one's mode."""
    old = place.stat() if place.exists() else None
    # The name must not grow with the file's own, which may be as long as a name can be.
    handle, name = tempfile.mkstemp(dir=place.parent, prefix=".wavemma-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
        if old is not None:
            with suppress(OSError, AttributeError):
                os.chown(temporary, old.st_uid, old.st_gid)
        temporary.chmod(0o666 & ~_umask() if old is None else stat.S_IMODE(old.st_mode))
        temporary.replace(place)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _status(path: Path) -> os.stat_result | None:
    """Look at what a path leads to; None where there is nothing yet."""
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileMistake(f"{path} cannot be written: {reason}.", subject=path) from None


def _is_replaced(path: Path) -> bool:
    """Whether writing replaces a file; what is no regular file is written to as it is."""
    found = _status(path)
    if found is None:
        return True
    if not stat.S_ISREG(found.st_mode):
        return False
    # What /dev/stdout leads to may have no name any more.
    place = _followed(path)
    return place.exists() and place.samefile(path)


def _followed(path: Path) -> Path:
    """Follow all links of a path."""
    return Path(os.path.realpath(path))


def _umask() -> int:
    """Read the process's mask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
