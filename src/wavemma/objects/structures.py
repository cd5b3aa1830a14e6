"""Structures in a file, read by the rows that say where their members are."""

from functools import cache

import msgspec

from wavemma.objects.damage import part
from wavemma.tables.abi import abi


class Member(msgspec.Struct, frozen=True):
    """A member: its place and size in bytes, little endian."""

    offset: int
    size: int


@cache
def members(struct: str) -> dict[str, Member]:
    """Give the members of a structure by name; the last byte of the last one ends it."""
    rows = [row for row in abi().members if row.struct == struct]
    return {row.name: Member(row.offset, row.size) for row in rows}


@cache
def size_bytes(struct: str) -> int:
    """Count the bytes up to the end of the last member."""
    return max(each.offset + each.size for each in members(struct).values())


def read_struct(data: bytes, offset: int, struct: str) -> dict[str, int]:
    """Read the numbers of a structure, unsigned.

    Args:
        data: The file.
        offset: Where the structure starts.
        struct: Its name in data/abi, such as "kernel_descriptor".

    Raises:
        FileMistake: It runs past the end of the file.

    """
    words = struct.replace("_", " ")
    found = part(data, offset, size_bytes(struct), f"The {words}")
    return {
        name: int.from_bytes(found[each.offset : each.offset + each.size], "little")
        for name, each in members(struct).items()
    }


@cache
def number(set_name: str, name: str) -> int:
    """Give one number of a set that holds for every architecture.

    Raises:
        KeyError: No such row; a fault of ours.

    """
    return {(row.set, row.name): row.value for row in abi().numbers}[set_name, name]
