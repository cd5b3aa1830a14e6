"""Device memory: one reserved range of this process, device address = host address.

Compiled code checks every access against two tables: `table`, u32 for each page, the number of
the allocation that has it (0: none), and `records` by that number. A page belongs to one
allocation, and a page behind each stays empty.
"""

import mmap
import threading
from bisect import bisect_right
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

import msgspec
import numpy as np
from numpy.typing import DTypeLike, NDArray

from wavemma.errors import MemoryMistake

PAGE_BYTES = 4096
READABLE, WRITABLE, FREED = 1, 2, 4
RECORD = np.dtype([("start", "<u8"), ("end", "<u8"), ("flags", "<u4"), ("unused", "<u4")])
"""What compiled code knows of an allocation."""
_RESERVED_BYTES = 1 << 36
_LEAST_BYTES = 1 << 30
_MOST_ALLOCATIONS = 1 << 20
# Linux's name for memory that is counted when it is used; Python names it from 3.13 on.
_NO_RESERVE = 0x4000


class Allocation(msgspec.Struct, frozen=True):
    """A piece of device memory.

    Attributes:
        number: Its record.
        address: Of its first byte.
        size_bytes: As asked for.
        name: For messages.

    """

    number: int
    address: int
    size_bytes: int
    name: str


class DeviceMemory:
    """Allocates, and lets the host read and write; safe to use from several threads.

    Args:
        limit_bytes: Most bytes in use at one time.

    """

    def __init__(self, limit_bytes: int = 16 << 30) -> None:
        self.limit_bytes = limit_bytes
        self._map = _reserve()
        self._bytes = np.frombuffer(self._map, dtype=np.uint8)
        first = int(self._bytes.ctypes.data)
        self.start = first
        self.pages = self._bytes.size // PAGE_BYTES
        self.table: NDArray[np.uint32] = np.zeros(self.pages, dtype=np.uint32)
        self.records: NDArray[Any] = np.zeros(_MOST_ALLOCATIONS, dtype=RECORD)
        self.used_bytes = 0
        self._lock = threading.Lock()
        self._allocations: dict[int, Allocation] = {}
        self._starts: list[int] = []
        self._freed: list[Allocation] = []
        self._next_page = 1
        self._count = 0
        self._open = True

    def __enter__(self) -> Self:
        """Use it in a with statement, which closes it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Give everything back; arrays that were handed out stay readable."""
        self._open = False
        self._bytes = np.zeros(0, dtype=np.uint8)

    def allocate(self, size_bytes: int, name: str = "", *, writable: bool = True) -> int:
        """Get memory full of zeros.

        Args:
            size_bytes: At least 1.
            name: For messages.
            writable: Whether kernels may write it.

        Returns:
            Its address, a multiple of 4096.

        Raises:
            MemoryMistake: There is not so much left, or the size is not positive.

        """
        if size_bytes < 1:
            raise MemoryMistake(
                f"An allocation must have at least 1 byte; {size_bytes} were asked for.",
                subject=size_bytes,
            )
        with self._lock:
            self._must_be_open()
            pages = -(-size_bytes // PAGE_BYTES)
            first = self._pages_for(pages, size_bytes)
            self._count += 1
            address = self.start + first * PAGE_BYTES
            found = Allocation(self._count, address, size_bytes, name)
            flags = READABLE | (WRITABLE if writable else 0)
            self.records[found.number] = (address, address + size_bytes, flags, 0)
            self.table[first : first + pages] = found.number
            self._allocations[address] = found
            place = bisect_right(self._starts, address)
            self._starts.insert(place, address)
            self.used_bytes += size_bytes
        return address

    def _pages_for(self, pages: int, size_bytes: int) -> int:
        """Find free pages: fresh ones while there are any, then those freed longest ago."""
        if self.used_bytes + size_bytes > self.limit_bytes or self._count + 1 >= _MOST_ALLOCATIONS:
            raise self._full(size_bytes)
        if self._next_page + pages + 1 <= self.pages:
            first = self._next_page
            self._next_page += pages + 1
            return first
        for place, old in enumerate(self._freed):
            if -(-old.size_bytes // PAGE_BYTES) >= pages:
                del self._freed[place]
                first = (old.address - self.start) // PAGE_BYTES
                self._clear(old)
                return first
        raise self._full(size_bytes)

    def _full(self, size_bytes: int) -> MemoryMistake:
        return MemoryMistake(
            f"Device memory has {self.limit_bytes:,} bytes, {self.used_bytes:,} are in use;"
            f" {size_bytes:,} more were asked for.",
            subject=size_bytes,
        )

    def _clear(self, old: Allocation) -> None:
        first = (old.address - self.start) // PAGE_BYTES
        pages = -(-old.size_bytes // PAGE_BYTES)
        self.table[first : first + pages] = 0
        self._bytes[first * PAGE_BYTES : (first + pages) * PAGE_BYTES] = 0

    def free(self, address: int) -> None:
        """Give an allocation back; kernels that still use it are told so.

        Raises:
            MemoryMistake: Nothing begins at the address, or it has been freed already.

        """
        with self._lock:
            self._must_be_open()
            found = self._allocations.pop(address, None)
            if found is None:
                raise self._no_start(address)
            self._starts.remove(address)
            self.records[found.number]["flags"] = FREED
            self.used_bytes -= found.size_bytes
            self._freed.append(found)
            first = (address - self.start) // PAGE_BYTES
            pages = -(-found.size_bytes // PAGE_BYTES)
            # The host gets its memory back; the contents become zeros.
            self._map.madvise(mmap.MADV_DONTNEED, first * PAGE_BYTES, pages * PAGE_BYTES)

    def _no_start(self, address: int) -> MemoryMistake:
        freed = any(old.address == address for old in self._freed)
        why = "that memory has been freed already" if freed else self.describe(address)
        return MemoryMistake(
            f"Memory to be freed must be the start of an allocation, got 0x{address:x}: {why}.",
            subject=address,
        )

    def protect(self, address: int, *, writable: bool) -> None:
        """Let kernels write an allocation, or not.

        Raises:
            MemoryMistake: No allocation has the address.

        """
        found = self._held(address, 1)
        self.records[found.number]["flags"] = READABLE | (WRITABLE if writable else 0)

    def read(self, address: int, size_bytes: int) -> bytes:
        """Copy bytes out.

        Raises:
            MemoryMistake: They do not lie inside one allocation.

        """
        return self.array(address, np.uint8, (size_bytes,)).tobytes()

    def write(self, address: int, data: bytes | bytearray | memoryview) -> None:
        """Copy bytes in; also into memory that kernels may not write.

        Raises:
            MemoryMistake: They do not lie inside one allocation.

        """
        count = len(memoryview(data).cast("B")) if len(data) else 0
        if count:
            target = self.array(address, np.uint8, (count,))
            target[:] = np.frombuffer(data, dtype=np.uint8)

    def array(self, address: int, dtype: DTypeLike, shape: Sequence[int]) -> NDArray[Any]:
        """Give device memory as an array of the host; no copy.

        Raises:
            MemoryMistake: It does not lie inside one allocation.

        """
        kind = np.dtype(dtype)
        count = int(np.prod(shape, dtype=np.int64))
        self._held(address, count * kind.itemsize)
        offset = address - self.start
        flat = self._bytes[offset : offset + count * kind.itemsize]
        return flat.view(kind).reshape(shape)

    def find(self, address: int) -> Allocation | None:
        """Give the allocation that has an address, or None."""
        place = bisect_right(self._starts, address) - 1
        if place < 0:
            return None
        found = self._allocations[self._starts[place]]
        return found if address < found.address + found.size_bytes else None

    def describe(self, address: int) -> str:
        """Say in words where an address lies."""
        held = self.find(address)
        if held is not None:
            return f"it is {address - held.address:,} bytes into {_called(held)}"
        for old in self._freed:
            if old.address <= address < old.address + old.size_bytes:
                return f"it is {address - old.address:,} bytes into {_called(old)}, which was freed"
        near = min(self._allocations.values(), key=lambda a: _distance(a, address), default=None)
        if near is None:
            return "there are no allocations"
        if address < near.address:
            where = f"it is {near.address - address:,} bytes before it"
        else:
            where = f"it is {address - near.address - near.size_bytes:,} bytes behind its end"
        return f"the nearest allocation is {_called(near)}: {where}"

    def _held(self, address: int, size_bytes: int) -> Allocation:
        self._must_be_open()
        found = self.find(address)
        if found is None or address + size_bytes > found.address + found.size_bytes:
            raise MemoryMistake(
                f"{size_bytes:,} bytes at 0x{address:x} must lie inside one allocation;"
                f" {self.describe(address)}.",
                subject=address,
            )
        return found

    def _must_be_open(self) -> None:
        if not self._open:
            raise MemoryMistake("This device memory has been closed.")


def _reserve() -> mmap.mmap:
    """Reserve the largest range that can be had; only pages that are used take memory."""
    size = _RESERVED_BYTES
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


def _called(found: Allocation) -> str:
    name = f"'{found.name}' " if found.name else ""
    return f"{name}0x{found.address:x} of {found.size_bytes:,} bytes"


def _distance(found: Allocation, address: int) -> int:
    if address < found.address:
        return found.address - address
    return max(address - found.address - found.size_bytes, 0)
