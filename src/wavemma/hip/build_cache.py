"""Built files kept by what went into them: the command and the contents of every file it read."""

import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import platformdirs

from wavemma.errors import FileMistake
from wavemma.hip.compiler import unwritable


class _Made(msgspec.Struct, frozen=True):
    """What one command read, and the key of what it wrote."""

    read: dict[str, str]
    result: str


class BuildCache:
    """Results of commands on disk. Safe for several processes: files appear whole or not at all.

    Args:
        folder: Where.

    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def made(
        self, command: Sequence[str], make: Callable[[Path, Path], bool], suffix: str = ""
    ) -> Path | None:
        """Give what a command writes, from an earlier run if nothing that it reads has changed.

        Args:
            command: Everything that decides the result but the contents of files.
            make: Runs it: gets the path to write and the path for the list of what it read (in
                make's syntax); whether it succeeded.
            suffix: What the name of the file ends in.

        Returns:
            The file; None if `make` failed.

        Raises:
            FileMistake: The folder cannot be written.

        """
        key = hashlib.sha256("\0".join(command).encode()).hexdigest()[:40]
        record = self.folder / f"{key}.json"
        old = self._old(record)
        if old is not None:
            return old
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            return self._fresh(key, record, make, suffix)
        except OSError as error:
            raise unwritable(self.folder, error) from None

    def _old(self, record: Path) -> Path | None:
        try:
            made = msgspec.json.decode(record.read_bytes(), type=_Made)
        except (OSError, msgspec.MsgspecError):
            return None
        result = self.folder / made.result
        if result.exists() and all(_digest(path) == was for path, was in made.read.items()):
            return result
        return None

    def _fresh(
        self, key: str, record: Path, make: Callable[[Path, Path], bool], suffix: str
    ) -> Path | None:
        output = self.folder / f"{key}.{os.getpid()}.new{suffix}"
        list_of_read = output.with_suffix(".d")
        try:
            if not make(output, list_of_read):
                return None
            read = {path: _digest(path) for path in _paths(list_of_read)}
            own = hashlib.sha256(output.read_bytes()).hexdigest()[:24]
            result = self.folder / f"{key}-{own}{suffix}"
            output.replace(result)
            fresh = record.with_suffix(f".{os.getpid()}")
            fresh.write_bytes(msgspec.json.encode(_Made(read, result.name)))
            fresh.replace(record)
            return result
        finally:
            output.unlink(missing_ok=True)
            list_of_read.unlink(missing_ok=True)


def default_folder() -> Path:
    """Give the folder where built programs are kept unless the caller names another."""
    return Path(platformdirs.user_cache_dir("wavemma", appauthor=False)) / "hip"


def keep_copy(made: Path, folder: Path, name: str) -> None:
    """Copy a built file to a folder of the user's.

    Raises:
        FileMistake: The folder cannot be written.

    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made, folder / name)
    except OSError as error:
        raise FileMistake(
            f"{folder}, which gets device and host code, must be a folder that can be written:"
            f" {error.strerror}.",
            subject=folder,
        ) from None


def _digest(path: str) -> str:
    """Digest a file; a file that is gone has a digest of its own."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def _paths(list_of_read: Path) -> list[str]:
    """Read a list of files as compilers write it for make."""
    if not list_of_read.exists():
        return []
    text = list_of_read.read_text(encoding="utf-8", errors="replace").replace("\\\n", " ")
    words = text.partition(":")[2].replace("\\ ", "\0").split()
    return [word.replace("\0", " ") for word in words]
