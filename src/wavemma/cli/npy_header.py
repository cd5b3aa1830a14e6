"""The header of a .npy file, read before anything behind it is."""

import io
from typing import NamedTuple, Protocol

import numpy as np
from numpy.lib.format import MAGIC_PREFIX

MOST_BYTES = 1 << 16
"""More than any header that NumPy itself takes; the file may claim four gigabytes."""
_VERSION_BYTES = 2


class Readable(Protocol):
    """A stream that bytes can be read from, in order."""

    def read(self, size: int, /) -> bytes:
        """Read so many bytes, or as many as there are."""


class Header(NamedTuple):
    """What a header says.

    Attributes:
        text: The header itself, the magic number included.
        size: Bytes of the elements.

    """

    text: bytes
    size: int

    @property
    def end(self) -> int:
        """Where the elements start."""
        return len(self.text)

    def check(self, size: int) -> None:
        """Refuse a file with too few bytes of elements.

        Raises:
            ValueError: Says how many there must be, and how many there are.

        """
        if size < self.size:
            raise ValueError(f"it must have {self.size:,} bytes of elements, it has {size:,}")


def check_start(start: bytes) -> None:
    """Refuse what does not start as a .npy file does.

    NumPy takes any other file for a pickle, and would say how to load it unsafely.

    Raises:
        ValueError: Says what it starts with.

    """
    if start != MAGIC_PREFIX:
        first = f"with {start.hex(' ')}" if start else "with nothing"
        raise ValueError(f"it starts {first}, not with {MAGIC_PREFIX.hex(' ')}")


def read_header(stream: Readable) -> Header:
    """Read a header from a stream that stands at its start.

    Raises:
        Exception: Whatever NumPy raises about a header that is not sound.

    """
    start = stream.read(len(MAGIC_PREFIX) + _VERSION_BYTES)
    version = np.lib.format.read_magic(io.BytesIO(start))
    is_short = version == (1, 0)
    length = stream.read(2 if is_short else 4)
    size = int.from_bytes(length, "little")
    if size > MOST_BYTES:
        raise ValueError(f"its header has {size} bytes, more than {MOST_BYTES}")
    text = length + stream.read(size)
    parse = np.lib.format.read_array_header_1_0 if is_short else np.lib.format.read_array_header_2_0
    shape, _, dtype = parse(io.BytesIO(text))
    total = dtype.itemsize
    for extent in shape:
        total *= extent
    return Header(start + text, int(total))
