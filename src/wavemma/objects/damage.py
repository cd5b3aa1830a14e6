"""Files that are cut off or changed: every way in which reading them fails becomes one error."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from elftools.common.exceptions import DWARFError, ELFError
from elftools.construct import ConstructError

from wavemma.errors import FileMistake

# What pyelftools, struct and msgspec raise on bytes that are not what they expect.
_SIGNS = (
    ELFError,
    DWARFError,
    ConstructError,
    struct.error,
    msgspec.MsgspecError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)


@contextmanager
def damage(what: str) -> Iterator[None]:
    """Tell of anything that goes wrong inside as a damaged file.

    Args:
        what: What the file should be, such as "a whole ELF file".

    Raises:
        FileMistake: The bytes are not that, with the first reason found.

    """
    try:
        yield
    except _SIGNS as why:
        reason = " ".join(str(why).split())[:120]
        raise FileMistake(
            f"The file must be {what}; it is damaged or cut off"
            f" ({type(why).__name__}{': ' + reason if reason else ''}).",
            subject=what,
            hint="Copy or compile it again.",
        ) from None


def part(data: bytes, offset: int, size: int, what: str) -> bytes:
    """Take bytes out of a file.

    Raises:
        FileMistake: They run past its end.

    """
    if offset < 0 or size < 0 or offset + size > len(data):
        raise FileMistake(
            f"{what} must lie inside the file of {len(data)} bytes; it has {size} bytes from"
            f" {offset} on. The file is damaged or cut off.",
            subject=what,
        )
    return data[offset : offset + size]
