"""The range of addresses of this process that device memory lies in."""

import mmap

from wavemma.errors import MemoryMistake

_LEAST_BYTES = 1 << 30
# Linux's name for memory that is counted when it is used; Python names it from 3.13 on.
_NO_RESERVE = 0x4000


def reserved(size: int) -> mmap.mmap:
    """Reserve the largest range that can be had; only pages that are used take memory."""
    while True:
        try:
            flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE
            return mmap.mmap(-1, size, flags=flags)
        except OSError as error:
            size //= 2
            if size < _LEAST_BYTES:
                raise MemoryMistake(
                    f"{size * 2:,} bytes of address space must be free for device memory: {error}."
                ) from error
