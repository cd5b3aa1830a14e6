"""Hooks into a launch: what sees every store of a kernel to device memory.

Code that is compiled with them notes each store, lane by lane, in a buffer of the launch, and hands
the buffer to the host when it is full. Code without them is as it is.
"""

import hashlib
from collections.abc import Callable
from ctypes import CFUNCTYPE, c_uint64, c_void_p, cast

import numpy as np
from numpy.typing import NDArray

STORE_WORDS = 4
"""Words of the longest store of a lane, and of the operands of the longest atomic."""
STORE = np.dtype(
    [
        ("group", "<u8"),
        ("address", "<u8"),
        ("wave", "<u4"),
        ("lane", "<u4"),
        ("offset", "<u4"),
        ("size_bytes", "<u4"),
        ("words", "<u4", STORE_WORDS),
    ]
)
"""One lane's store: number of the workgroup, address, wave, lane, offset of the instruction in the
code, and the bytes; of an atomic its operands stand for what is stored."""
CHUNK = 1 << 15
Flush = CFUNCTYPE(None, c_uint64)


class StoreTrace:
    """Sees the stores of one launch, chunk by chunk, and keeps one chunk of them.

    Launches with a trace run workgroups in order on one thread, so that the same launch gives the
    same stores in the same order.

    Args:
        keep: Number of the chunk to keep.
        chunk: How many stores a chunk has.

    Attributes:
        count: How many stores there were.
        digests: SHA-256 of every chunk; the last one may be shorter.
        kept: The chunk that is kept; empty if there are not so many.

    """

    def __init__(self, keep: int = 0, chunk: int = CHUNK) -> None:
        self.keep = keep
        self.count = 0
        self.digests: list[bytes] = []
        self.kept: NDArray[np.void] = np.zeros(0, dtype=STORE)
        self.buffer: NDArray[np.void] = np.zeros(chunk, dtype=STORE)
        self._flush: Callable[[int], None] = Flush(self.take)

    @property
    def flush_address(self) -> int:
        """Address of the function that compiled code calls with the number of stores."""
        return cast(self._flush, c_void_p).value or 0  # type: ignore[arg-type]

    def take(self, count: int) -> None:
        """Take the first stores of the buffer."""
        if not count:
            return
        stores = self.buffer[:count]
        self.count += count
        if len(self.digests) == self.keep:
            self.kept = stores.copy()
        self.digests.append(hashlib.sha256(stores.tobytes()).digest())


def first_difference(one: NDArray[np.void], other: NDArray[np.void]) -> int | None:
    """Give the place of the first store that two traces do not share; None if there is none."""
    count = min(one.size, other.size)
    differs = one[:count] != other[:count]
    if differs.any():
        return int(np.argmax(differs))
    return count if one.size != other.size else None
