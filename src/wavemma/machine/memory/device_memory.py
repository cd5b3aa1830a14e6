"""Device memory: one reserved range of this process, device address = host address.

Compiled code checks every access against two tables: `table`, u32 for each page, the number of
the allocation that has it (0: none), and `records` by that number. A page belongs to one
allocation, and a page behind each stays empty.
"""

import math
import mmap
import threading
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from wavemma.errors import MemoryMistake
from wavemma.machine.memory.address_range import reserved
from wavemma.machine.memory.allocation import Allocation, where_is
from wavemma.machine.memory.free_runs import FreeRuns

PAGE_BYTES = 4096
READABLE, WRITABLE, FREED = 1, 2, 4
RECORD = np.dtype([("start", "<u8"), ("end", "<u8"), ("flags", "<u4"), ("unused", "<u4")])
"""What compiled code knows of an allocation."""
_RESERVED_BYTES = 1 << 36
_MOST_ALLOCATIONS = 1 << 20
_REMEMBERED = 1 << 14
"""How many freed allocations are told from memory that never was one."""


class DeviceMemory:
    """Allocates, and lets the host read and write; safe to use from several threads.

    Args:
        limit_bytes: Most bytes in use at one time.
        reserved_bytes: Size of the range of addresses; smaller if the host has none so large.

    """

    def __init__(
        self, limit_bytes: int = 16 << 30, *, reserved_bytes: int = _RESERVED_BYTES
    ) -> None:
        self._map = reserved(reserved_bytes)
        self._bytes = np.frombuffer(self._map, dtype=np.uint8)
        self.limit_bytes = min(limit_bytes, self._bytes.size)
        first = int(self._bytes.ctypes.data)
        self.start = first
        self.pages = self._bytes.size // PAGE_BYTES
        self.table: NDArray[np.uint32] = np.zeros(self.pages, dtype=np.uint32)
        self.records: NDArray[Any] = np.zeros(min(self.pages, _MOST_ALLOCATIONS), dtype=RECORD)
        self.used_bytes = 0
        self._lock = threading.RLock()
        self._allocations: dict[int, Allocation] = {}
        self._starts: list[int] = []
        self._freed: deque[Allocation] = deque()
        self._parts: dict[int, list[int]] = {}
        self._runs = FreeRuns(1, self.pages)
        self._numbers = FreeRuns(1, self.records.size)
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

    def allocate(
        self, size_bytes: int, name: str = "", *, writable: bool = True, is_ours: bool = False
    ) -> int:
        """Get memory full of zeros.

        Args:
            size_bytes: At least 1.
            name: For messages.
            writable: Whether kernels may write it.
            is_ours: Whether no program asked for it.

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
            first, number = self._room(size_bytes)
            address = self.start + first * PAGE_BYTES
            flags = READABLE | (WRITABLE if writable else 0)
            self.records[number] = (address, address + size_bytes, flags, 0)
            self.table[first : first + _pages(size_bytes)] = number
            found = Allocation(number, address, size_bytes, name, is_ours)
            self._allocations[address] = found
            self._starts.insert(bisect_left(self._starts, address), address)
            self.used_bytes += size_bytes
        return address

    def _room(self, size_bytes: int) -> tuple[int, int]:
        """Give a first page and a record; forget what was freed longest ago to get them."""
        if self.used_bytes + size_bytes > self.limit_bytes:
            raise self._full(size_bytes)
        number = self._number(size_bytes)
        try:
            while (first := self._runs.take(_pages(size_bytes) + 1)) is None:
                self._forget(size_bytes)
        except MemoryMistake:
            self._numbers.give_back(number)
            raise
        return first, number

    def _number(self, size_bytes: int) -> int:
        """Give a record that nobody has."""
        while (number := self._numbers.take()) is None:
            self._forget(size_bytes)
        return number

    def _full(self, size_bytes: int) -> MemoryMistake:
        return MemoryMistake(
            f"Device memory has {self.limit_bytes:,} bytes, {self.used_bytes:,} are in use by"
            f" {len(self._allocations):,} allocations; {size_bytes:,} more were asked for.",
            subject=size_bytes,
        )

    def _forget(self, size_bytes: int) -> None:
        """Make the pages and the record of the oldest freed allocation free for others."""
        if not self._freed:
            raise self._full(size_bytes)
        old = self._freed.popleft()
        first = (old.address - self.start) // PAGE_BYTES
        pages = _pages(old.size_bytes)
        # The host may have written to an array that it kept.
        self._map.madvise(mmap.MADV_DONTNEED, first * PAGE_BYTES, pages * PAGE_BYTES)
        self.table[first : first + pages] = 0
        for number in (old.number, *self._parts.pop(old.number, ())):
            self.records[number] = 0
            self._numbers.give_back(number)
        self._runs.give_back(first, pages + 1)

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
            del self._starts[bisect_left(self._starts, address)]
            self.records["flags"][[found.number, *self._parts.get(found.number, ())]] = FREED
            self.used_bytes -= found.size_bytes
            self._freed.append(found)
            # The host gets its memory back at once; the contents become zeros.
            first, size = address - self.start, _pages(found.size_bytes) * PAGE_BYTES
            self._map.madvise(mmap.MADV_DONTNEED, first, size)
            if len(self._freed) > _REMEMBERED:
                self._forget(0)

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
        with self._lock:
            found = self._held(address, 1)
            self.records[found.number]["flags"] = READABLE | (WRITABLE if writable else 0)

    def protect_rest(self, address: int, writable: Iterable[tuple[int, int]]) -> None:
        """Let kernels write only the pages of an allocation that hold some of given bytes.

        Args:
            address: Of the allocation; it was never protected in part before.
            writable: Distance from its start, and size, of ranges that may be written.

        Raises:
            MemoryMistake: No allocation has the address.

        """
        with self._lock:
            found = self._held(address, 1)
            flags = np.full(_pages(found.size_bytes), READABLE, dtype=np.uint32)
            for start, size in writable:
                flags[start // PAGE_BYTES : _pages(start + size)] |= WRITABLE
            cuts = [0, *(np.flatnonzero(np.diff(flags)) + 1).tolist(), flags.size]
            numbers = [found.number, *(self._number(0) for _ in cuts[2:])]
            self._parts[found.number] = numbers[1:]
            page = (found.address - self.start) // PAGE_BYTES
            for number, (first, end) in zip(numbers, pairwise(cuts), strict=True):
                last = min(found.end, found.address + end * PAGE_BYTES)
                start = found.address + first * PAGE_BYTES
                self.records[number] = (start, last, flags[first], 0)
                self.table[page + first : page + end] = number

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
        if len(data):
            source = np.frombuffer(data, dtype=np.uint8)
            self._held(address, source.size)
            self._bytes[address - self.start :][: source.size] = source

    def array(self, address: int, dtype: DTypeLike, shape: Sequence[int]) -> NDArray[Any]:
        """Give device memory as an array of the host; no copy.

        Raises:
            MemoryMistake: It does not lie inside one allocation, or its elements are no numbers.

        """
        kind, size = np.dtype(dtype), tuple(shape)
        if kind.hasobject or min(size, default=0) < 0:
            raise MemoryMistake(
                f"An array in device memory must have elements of fixed size and no negative"
                f" length, got {kind} and {size}.",
                subject=str(kind),
            )
        count = math.prod(size) * kind.itemsize
        with self._lock:
            self._held(address, count)
            offset = address - self.start
            return self._bytes[offset : offset + count].view(kind).reshape(size)

    def find(self, address: int) -> Allocation | None:
        """Give the allocation that has an address, or None."""
        with self._lock:
            place = bisect_right(self._starts, address) - 1
            if place < 0:
                return None
            found = self._allocations[self._starts[place]]
            return found if found.holds(address) else None

    def describe(self, address: int) -> str:
        """Say in words where an address lies."""
        with self._lock:
            return where_is(address, self._allocations.values(), reversed(self._freed))

    def _held(self, address: int, size_bytes: int) -> Allocation:
        self._must_be_open()
        found = self.find(address)
        if found is None or address + size_bytes > found.end:
            raise MemoryMistake(
                f"{size_bytes:,} bytes at 0x{address:x} must lie inside one allocation;"
                f" {self.describe(address)}.",
                subject=address,
            )
        return found

    def _must_be_open(self) -> None:
        if not self._open:
            raise MemoryMistake("This device memory has been closed.")


def _pages(size_bytes: int) -> int:
    return -(-size_bytes // PAGE_BYTES)
