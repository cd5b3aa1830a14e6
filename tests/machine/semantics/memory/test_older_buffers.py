"""Buffers of CDNA: bounds by stride and index, and loads that go to the workgroup's memory."""

from functools import cache

import numpy as np
import pytest

from tests.machine.one_wave import FINE, Instructions
from tests.machine.semantics.memory.accesses import BYTES, Memory

LANES, PLACE, M0 = 64, 256, 124
LINES = {
    "buffer_load_dwordx4 v[20:23], v[2:3], s[8:11], s12 idxen offen offset:4": 16,
    "buffer_load_dwordx4 v[20:23], v2, s[8:11], s12 idxen offset:4": 16,
    "buffer_load_dwordx3 v[20:22], v2, s[8:11], s12 offen offset:4": 12,
    "buffer_load_dwordx2 v[20:21], off, s[8:11], s12 offset:4": 8,
    "buffer_load_ubyte v20, v[2:3], s[8:11], s12 idxen offen offset:4": 1,
    "buffer_store_dwordx3 v[20:22], v[2:3], s[8:11], s12 idxen offen offset:4": 12,
    "buffer_store_short v20, v2, s[8:11], s12 offen offset:4": 2,
}
TO_LDS = {
    "buffer_load_dword v2, s[8:11], s12 offen offset:4 lds": 4,
    "buffer_load_ushort v2, s[8:11], s12 offen offset:4 lds": 2,
    "global_load_lds_dword v[4:5], off offset:4": 4,
    "global_load_lds_ubyte v[4:5], off offset:4": 1,
    "global_load_lds_sbyte v[4:5], off offset:4": -1,
}
WIDE_TO_LDS = {
    "buffer_load_dwordx3 v2, s[8:11], s12 offen offset:4 lds": 12,
    "buffer_load_dwordx4 v2, s[8:11], s12 offen offset:4 lds": 16,
    "global_load_lds_dwordx3 v[4:5], off offset:4": 12,
    "global_load_lds_dwordx4 v[4:5], off offset:4": 16,
}
"""What gfx950 alone has."""


@cache
def machine(on_arrays: bool) -> Instructions:
    return Instructions((*LINES, *TO_LDS), "gfx942", LANES, on_arrays=on_arrays)


@pytest.mark.parametrize("on_arrays", [False, True])
@pytest.mark.parametrize(
    ("stride", "records", "moved"),
    [(20, 9, 4), (0, 300, 20), (16, 90, 8), (0, 0, 0), (12, 0, 4), (0, 60, 100)],
)
def test_bounds(on_arrays: bool, stride: int, records: int, moved: int) -> None:
    """Without an index or a stride records are bytes, less the scalar offset; else indices."""
    generator = np.random.default_rng(stride + records)
    one = machine(on_arrays)
    memory = Memory(one, "buffer", generator)
    for line, size in LINES.items():
        one.vectors[:] = generator.integers(0, 2**32, one.vectors.shape, dtype=np.uint32)
        one.vectors[2] = generator.integers(0, 24 if "idxen" in line else 320, LANES)
        one.vectors[3] = generator.integers(0, 24, LANES)
        # Offsets are added in 32 bits: some come from below zero.
        one.vectors[3 if "idxen" in line else 2, ::5] -= np.uint32(4)
        memory.resource(memory.place + PLACE, stride, records, 0x00027000)
        one.scalars[12] = moved
        vectors, device = one.vectors.copy(), memory.device.copy()
        assert one.run(line) == FINE
        got, memory.device[:] = memory.device.copy(), device
        for lane in range(LANES):
            expect(memory, vectors, line, size, lane, (stride, records, moved))
        assert np.array_equal(one.vectors, vectors), line
        assert np.array_equal(got, memory.device), line


def expect(
    memory: Memory,
    vectors: np.ndarray,
    line: str,
    size: int,
    lane: int,
    shape: tuple[int, int, int],
) -> None:
    stride, records, moved = shape
    registers = [int(vectors[n, lane]) for n in (2, 3)]
    index = registers.pop(0) if "idxen" in line else 0
    offset = (4 + (registers[0] if "offen" in line else 0)) % 2**32
    step = min(size, 4)
    data = vectors[20:24, lane].tobytes()
    for at in range(0, size, step):
        by_index = "idxen" in line and stride > 0
        inside = index < records if by_index else offset + at + step <= records - moved
        place = PLACE + moved + index * stride + offset + at
        if "load" in line:
            bytes_ = memory.device[place : place + step].tobytes() if inside else b""
            vectors[20 + at // 4, lane] = int.from_bytes(bytes_, "little")
        elif inside:
            memory.write(lane, place, data[at : at + step])


@pytest.mark.parametrize("on_arrays", [False, True])
def test_loads_into_the_memory_of_the_workgroup(on_arrays: bool) -> None:
    """Each active lane's number goes into the word of its lane behind M0 and the offset."""
    check_loads_into_lds(machine(on_arrays), TO_LDS)


@pytest.mark.parametrize("on_arrays", [False, True])
def test_wide_loads_into_the_memory_of_the_workgroup(on_arrays: bool) -> None:
    one = Instructions((*WIDE_TO_LDS,), "gfx950", LANES, on_arrays=on_arrays)
    check_loads_into_lds(one, WIDE_TO_LDS)


def check_loads_into_lds(one: Instructions, lines: dict[str, int]) -> None:
    generator = np.random.default_rng(4)
    memory = Memory(one, "buffer", generator)
    for line, signed_size in lines.items():
        size, active = abs(signed_size), int(generator.integers(0, 2**64, dtype=np.uint64))
        offsets = generator.integers(0, BYTES // 4 - 8, LANES) * 4
        memory.resource(memory.place, 0, BYTES, 0x00027000)
        one.scalars[12], one.scalars[M0] = 8, 0xABCD0000 | 64
        one.vectors[2] = offsets
        addresses = np.uint64(memory.place) + offsets.astype(np.uint64)
        one.vectors[4], one.vectors[5] = (
            addresses & np.uint64(0xFFFFFFFF),
            addresses >> np.uint64(32),
        )
        wanted = one.lds.copy()
        assert one.run(line, active) == FINE, line
        for lane in (lane for lane in range(LANES) if active >> lane & 1):
            at = int(offsets[lane]) + 4 + (8 if "buffer" in line else 0)
            data = memory.device[at : at + size].tobytes()
            number = int.from_bytes(data, "little", signed=signed_size < 0)
            room = max(size, 4)
            word = (number % 2 ** (8 * room)).to_bytes(room, "little")
            wanted[64 + 4 + room * lane :][:room] = np.frombuffer(word, np.uint8)
        assert np.array_equal(one.lds, wanted), line
