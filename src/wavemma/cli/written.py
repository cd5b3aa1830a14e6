"""Files that commands write: checked before the work, and whole or not there at all."""

import os
import tempfile
from pathlib import Path

from wavemma.errors import FileMistake


def check_writable(path: Path) -> None:
    """Refuse a path that cannot be written, before any work is done.

    Raises:
        FileMistake: The folder is missing or closed to us, or the path is a folder.

    """
    folder = path.parent
    if path.is_dir():
        raise FileMistake(f"{path} must be a file to write; it is a folder.", subject=path)
    if not folder.is_dir():
        raise FileMistake(f"{path} cannot be written: no folder {folder}.", subject=path)
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise FileMistake(f"{path} cannot be written: permission denied.", subject=path)


def write_file(path: Path, data: bytes) -> None:
    """Write a file by way of a temporary one beside it, so that none is ever half there.

    Raises:
        FileMistake: The system refuses.

    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise FileMistake(f"{path} cannot be written: {error.strerror}.", subject=path) from None


def _umask() -> int:
    """Read the process's mask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
