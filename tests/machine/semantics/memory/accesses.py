"""Bytes of memory as each space holds them, and addresses that reach them in many ways."""

from collections.abc import Callable

import numpy as np

from tests.machine.one_wave import LDS_BYTES, SCRATCH_BYTES, Instructions
from tests.machine.semantics.memory.lines import FIRST, SCALAR

BYTES = 2048
OFFSET = 24
RAW_RESOURCE = 0x31027000
SPACE_OF = {
    "global": "global", "flat": "global", "buffer": "global", "ds": "lds", "scratch": "scratch"
}  # fmt: skip


class Memory:
    """The bytes that lanes reach through one kind of instruction.

    Args:
        machine: Where they lie.
        prefix: Of the mnemonic.
        generator: Fills them.

    """

    def __init__(self, machine: Instructions, prefix: str, generator: np.random.Generator) -> None:
        self.machine = machine
        self.prefix = prefix
        self.size = SCRATCH_BYTES if prefix == "scratch" else BYTES
        self.place = machine.memory.allocate(BYTES, prefix)
        self.device = machine.memory.array(self.place, np.uint8, (BYTES,))
        for each in (self.device, machine.lds, machine.scratch):
            each[:] = generator.integers(0, 256, each.size, dtype=np.uint8)
        assert LDS_BYTES == BYTES

    def at(self, lane: int, offset: int) -> tuple[np.ndarray, int]:
        """Where a byte of a lane lies: array and index."""
        if self.prefix == "ds":
            return self.machine.lds, offset
        if self.prefix == "scratch":
            row, inside = divmod(offset, 4)
            return self.machine.scratch, (row * self.machine.lanes + lane) * 4 + inside
        return self.device, offset

    def read(self, lane: int, offset: int, size: int) -> bytes:
        """Bytes of a lane, one by one."""
        found = [self.at(lane, offset + n) for n in range(size)]
        return bytes(int(array[index]) for array, index in found)

    def write(self, lane: int, offset: int, data: bytes) -> None:
        """Write bytes of a lane, one by one."""
        for n, byte in enumerate(data):
            array, index = self.at(lane, offset + n)
            array[index] = byte

    def point(self, offsets: np.ndarray, instruction_offset: int = OFFSET) -> None:
        """Put addresses into registers so that each lane reaches its offset."""
        vectors, scalars = self.machine.vectors, self.machine.scalars
        first = FIRST["address"]
        if self.prefix in ("global", "flat"):
            address = np.uint64(self.place - instruction_offset) + offsets.astype(np.uint64)
            vectors[first] = address & np.uint64(0xFFFFFFFF)
            vectors[first + 1] = address >> np.uint64(32)
            return
        scalars[SCALAR["scalar_address"]] = 12
        moved = {"ds": 0, "scratch": 12, "buffer": 40}[self.prefix]
        vectors[first] = (offsets - instruction_offset - moved).astype(np.uint32)
        if self.prefix == "buffer":
            # A scalar offset of 40 and a base that lies 64 bytes before the place.
            vectors[first] = (offsets + 64 - instruction_offset - moved).astype(np.uint32)
            self.resource(self.place - 64, 0, BYTES + 64, RAW_RESOURCE)
            scalars[SCALAR["scalar_offset"]] = moved

    def resource(self, base: int, stride: int, records: int, last: int) -> None:
        """Put a buffer resource into its registers."""
        first = SCALAR["resource"]
        low, high = base & 0xFFFFFFFF, base >> 32 & 0xFFFF | stride << 16
        self.machine.scalars[first : first + 4] = (low, high, records, last)


def tail(prefix: str, offset: int = OFFSET) -> str:
    """Modifiers of an instruction that Memory points."""
    return f"offen offset:{offset}" if prefix == "buffer" else f"offset:{offset}"


Offsets = Callable[[np.random.Generator, int, int, int], np.ndarray]


def _together(g: np.random.Generator, lanes: int, size: int, limit: int) -> np.ndarray:
    return int(g.integers(0, limit - lanes * size + 1)) + size * np.arange(lanes)


def _apart(g: np.random.Generator, lanes: int, size: int, limit: int) -> np.ndarray:
    return g.integers(0, limit - size + 1, lanes)


def _aligned(g: np.random.Generator, lanes: int, size: int, limit: int) -> np.ndarray:
    return g.integers(0, (limit - size) // 4 + 1, lanes) * 4


def _same(g: np.random.Generator, lanes: int, size: int, limit: int) -> np.ndarray:
    return np.full(lanes, int(g.integers(0, (limit - size) // 4 + 1)) * 4)


def _rows(g: np.random.Generator, lanes: int, size: int, limit: int) -> np.ndarray:
    row = 16 if 16 * size <= limit else 1
    starts = g.integers(0, limit - row * size + 1, lanes // row)
    # The last of two rows that overlap is written last.
    starts[1] = min(starts[0] + size, limit - row * size)
    return np.repeat(starts, row) + np.tile(size * np.arange(row), lanes // row)


def _almost(g: np.random.Generator, lanes: int, size: int, limit: int) -> np.ndarray:
    offsets = _rows(g, lanes, size, limit)
    offsets[int(g.integers(lanes))] = int(g.integers(0, limit - size + 1))
    return offsets


WAYS: dict[str, Offsets] = {
    "together": _together, "apart": _apart, "aligned": _aligned, "same": _same,
    "rows": _rows, "almost": _almost,
}  # fmt: skip


def offsets_of(way: str, g: np.random.Generator, lanes: int, size: int, prefix: str) -> np.ndarray:
    """Offsets of lanes: side by side, anywhere, at words, all the same, or in rows, but for one."""
    limit = SCRATCH_BYTES if prefix == "scratch" else BYTES
    if way == "together" and lanes * size > limit:
        way = "apart"
    return WAYS[way](g, lanes, size, limit)
