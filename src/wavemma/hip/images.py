"""Code objects that lie in memory and do not say how long they are."""

import ctypes
from pathlib import Path

from wavemma.errors import FileMistake
from wavemma.objects import is_elf
from wavemma.objects.bundle import COMPRESSED, PLAIN

_ELF_HEADER = 64
_WORD = 8


def image_at(address: int) -> bytes:
    """Copy a code object or a bundle out of this process's memory.

    Args:
        address: Its first byte.

    Raises:
        FileMistake: Nothing that we know begins there.

    """
    head = ctypes.string_at(address, _WORD)
    if is_elf(head):
        return ctypes.string_at(address, _elf_bytes(ctypes.string_at(address, _ELF_HEADER)))
    if PLAIN.startswith(head):
        return ctypes.string_at(address, _bundle_bytes(address))
    if head.startswith(COMPRESSED):
        return ctypes.string_at(address, _compressed_bytes(ctypes.string_at(address, 24)))
    raise FileMistake(
        f"A device image must be an ELF file or an offload bundle; it begins with {head.hex()}.",
        subject=head,
    )


def image_of_file(path: Path) -> bytes:
    """Read a code object or a bundle.

    Raises:
        FileMistake: It cannot be read.

    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileMistake(f"{path} cannot be read: {error.strerror}.", subject=path) from None


def _elf_bytes(header: bytes) -> int:
    """Give the end of the section headers, which linkers put last."""
    start = int.from_bytes(header[40:48], "little")
    size, count = (int.from_bytes(header[at : at + 2], "little") for at in (58, 60))
    return max(start + size * count, _ELF_HEADER)


def _bundle_bytes(address: int) -> int:
    place = address + len(PLAIN)
    count = _number(place)
    place += _WORD
    end = place - address
    for _ in range(count):
        offset, size, length = (_number(place + _WORD * n) for n in range(3))
        place += 3 * _WORD + length
        end = max(end, place - address, offset + size)
    return end


def _compressed_bytes(header: bytes) -> int:
    version = int.from_bytes(header[4:6], "little")
    width = {2: 4, 3: 8}.get(version)
    if width is None:
        raise FileMistake(
            f"A compressed bundle in memory must have version 2 or 3, which say their size; it has"
            f" {version}.",
            subject=version,
        )
    return int.from_bytes(header[8 : 8 + width], "little")


def _number(address: int) -> int:
    return int.from_bytes(ctypes.string_at(address, _WORD), "little")
