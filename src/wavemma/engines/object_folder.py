"""Compiled objects on disk: whole, told apart by name, and never read when damaged."""

import fcntl
import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

_DIGEST_BYTES = 32
_SIZE_BYTES = 4


class Stored(msgspec.Struct, frozen=True, array_like=True):
    """An object, what others may call of it, and what must be loaded before it.

    Attributes:
        code: The object.
        symbols: The functions that it has.
        needs: The functions that it calls.

    """

    code: bytes
    symbols: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


class ObjectFolder:
    """Reads and writes objects and indexes.

    A folder that cannot be read or written keeps nothing, which is no fault; what another process
    writes at the same time is either seen whole or not at all.

    Args:
        folder: Where; None keeps nothing.

    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def read(self, name: str) -> Stored | None:
        """Read an object; None if there is none or its bytes are not those that were written."""
        data = self._read(name)
        if data is None:
            return None
        try:
            return msgspec.msgpack.decode(data, type=Stored)
        except msgspec.MsgspecError:
            return None

    def write(self, name: str, stored: Stored) -> None:
        """Keep an object."""
        self._write(name, msgspec.msgpack.encode(stored))

    def read_index(self, name: str) -> dict[str, str]:
        """Read an index; empty, and begun anew, if there is none or it is damaged."""
        found: dict[str, str] = {}
        if self.folder is None:
            return found
        try:
            with open(self.folder / name, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH)
                data = file.read()
        except OSError:
            return found
        for part in _parts(data):
            if part is None:
                with suppress(OSError):
                    os.unlink(self.folder / name)
                return {}
            found.update(msgspec.msgpack.decode(part, type=dict[str, str]))
        return found

    def write_index(self, name: str, added: dict[str, str]) -> None:
        """Add to an index, behind what others have added."""
        if self.folder is None:
            return
        data = msgspec.msgpack.encode(added)
        part = hashlib.sha256(data).digest() + len(data).to_bytes(_SIZE_BYTES, "little") + data
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with open(self.folder / name, "ab", buffering=0) as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                file.write(part)
        except OSError:
            return

    def _read(self, name: str) -> bytes | None:
        if self.folder is None:
            return None
        try:
            stored = (self.folder / name).read_bytes()
        except OSError:
            return None
        digest, data = stored[:_DIGEST_BYTES], stored[_DIGEST_BYTES:]
        return data if hashlib.sha256(data).digest() == digest else None

    def _write(self, name: str, data: bytes) -> None:
        if self.folder is None:
            return
        # No other thread of any process writes to a file of this name.
        temporary = self.folder / f"{name}.{os.getpid()}.{threading.get_ident()}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with open(temporary, "wb", buffering=0) as file:
                file.write(hashlib.sha256(data).digest() + data)
            os.replace(temporary, self.folder / name)
        except BaseException as error:
            with suppress(OSError):
                os.unlink(temporary)
            if not isinstance(error, OSError):
                raise


def _parts(data: bytes) -> Iterator[bytes | None]:
    """Take an index apart: each part was added at one time, behind its digest and its size.

    What is not as it was written is None, and the last one.
    """
    at = 0
    while at < len(data):
        behind = at + _DIGEST_BYTES
        start = behind + _SIZE_BYTES
        end = start + int.from_bytes(data[behind:start], "little")
        part = data[start:end]
        if end > len(data) or hashlib.sha256(part).digest() != data[at:behind]:
            yield None
            return
        yield part
        at = end
