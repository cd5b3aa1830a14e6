"""Compiled objects on disk: whole, told apart by name, and never read when damaged."""

import hashlib
import os
import tempfile
from pathlib import Path

import msgspec

_DIGEST_BYTES = 32


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
        """Read an index; empty if there is none or it is damaged."""
        data = self._read(name)
        try:
            return msgspec.msgpack.decode(data, type=dict[str, str]) if data else {}
        except msgspec.MsgspecError:
            return {}

    def write_index(self, name: str, added: dict[str, str]) -> None:
        """Add to an index; what another process adds at the same moment may be lost."""
        self._write(name, msgspec.msgpack.encode({**self.read_index(name), **added}))

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
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self.folder)
        except OSError:
            return
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(data).digest() + data)
            os.replace(temporary, self.folder / name)
        except BaseException as error:
            os.unlink(temporary)
            if not isinstance(error, OSError):
                raise
