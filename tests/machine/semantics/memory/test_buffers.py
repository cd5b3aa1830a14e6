"""Bounds of buffers, of vectors and of scalars, against the ISA's conditions word by word."""

from functools import cache

import numpy as np
import pytest

from tests.machine.one_wave import FINE, Instructions
from tests.machine.semantics.memory.accesses import Memory

LINES = (
    "buffer_load_b128 v[20:23], v[2:3], s[8:11], s12 idxen offen offset:4",
    "buffer_load_b128 v[20:23], v2, s[8:11], s12 idxen offset:4",
    "buffer_load_b128 v[20:23], v2, s[8:11], s12 offen offset:4",
    "buffer_load_b128 v[20:23], off, s[8:11], s12 offset:4",
    "buffer_load_u8 v20, v[2:3], s[8:11], s12 idxen offen offset:4",
    "buffer_load_u16 v20, v2, s[8:11], s12 offen offset:4",
    "buffer_store_b96 v[20:22], v[2:3], s[8:11], s12 idxen offen offset:4",
    "buffer_store_b16 v20, v2, s[8:11], s12 offen offset:4",
    "buffer_atomic_add_u32 v20, v[2:3], s[8:11], s12 idxen offen offset:4",
)
SCALARS = {"gfx1100": (32, 64, 128, 256, 512), "gfx1201": (32, 64, 96, 128, 256, 512)}
SMALL = (("u8", 1), ("i8", 1), ("u16", 2), ("i16", 2))
PLACE = 512


@cache
def machine(target: str, on_arrays: bool) -> Instructions:
    return Instructions((*LINES, *scalar_lines(target)), target, 32, on_arrays=on_arrays)


@cache
def scalar_lines(target: str) -> dict[str, tuple[int, bool]]:
    """Lines with bytes and whether a buffer is read."""
    found = {}
    for word, base in (("s_load", "s[8:9]"), ("s_buffer_load", "s[8:11]")):
        for bits in SCALARS[target]:
            to = "s16" if bits == 32 else f"s[16:{15 + bits // 32}]"
            found[f"{word}_b{bits} {to}, {base}, s12 offset:0x10"] = (bits // 8, len(base) > 6)
        for name, size in SMALL if target == "gfx1201" else ():
            found[f"{word}_{name} s16, {base}, s12 offset:0x11"] = (size, len(base) > 6)
    return found


def is_inside(mode: int, index: int, offset: int, size: int, stride: int, records: int) -> bool:
    """The table of the ISA for bytes at an offset; if raw, the scalar offset counts too."""
    if mode == 0:
        return index < records and offset + size <= stride
    if mode == 1:
        return index < records
    return records != 0 if mode == 2 else offset + size <= records


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
@pytest.mark.parametrize("on_arrays", [False, True])
@pytest.mark.parametrize("mode", range(4))
def test_bounds(target: str, on_arrays: bool, mode: int) -> None:
    generator = np.random.default_rng(mode)
    one = machine(target, on_arrays)
    memory = Memory(one, "buffer", generator)
    for line in LINES:
        for stride, records, moved in ((20, 9, 4), (16, 300, 20), (36, 0, 0), (12, 90, 100)):
            one.vectors[:] = generator.integers(0, 2**32, one.vectors.shape, dtype=np.uint32)
            one.vectors[2] = generator.integers(0, 24, 32)
            step = 4 if "atomic" in line else 1
            one.vectors[3] = generator.integers(0, 24 // step, 32) * step
            if "idxen" not in line:
                one.vectors[2] = generator.integers(0, 320, 32)
            # Offsets are added in 32 bits: some come from below zero.
            one.vectors[3 if "idxen" in line else 2, ::5] -= np.uint32(4)
            memory.resource(memory.place + PLACE, stride, records, 0x01027000 | mode << 28)
            one.scalars[12] = moved
            check(one, memory, line, mode, (stride, records, moved))


def check(
    one: Instructions, memory: Memory, line: str, mode: int, shape: tuple[int, int, int]
) -> None:
    stride, records, moved = shape
    size = int("".join(c for c in line.split()[0].rsplit("_", 1)[1] if c.isdigit())) // 8
    vectors, device = one.vectors.copy(), memory.device.copy()
    assert one.run(line) == FINE
    got = memory.device.copy()
    memory.device[:] = device
    for lane in range(32):
        registers = [int(vectors[n, lane]) for n in (2, 3)]
        index = registers.pop(0) if "idxen" in line else 0
        offset = (4 + (registers[0] if "offen" in line else 0)) % 2**32
        limit = records - moved if mode == 3 else records
        step = min(size, 4)
        data = vectors[20:24, lane].tobytes()
        for at in range(0, size, step):
            inside = is_inside(mode, index, offset + at, step, stride, limit)
            place = PLACE + moved + index * stride + offset + at
            if "load" in line:
                bytes_ = memory.device[place : place + step].tobytes() if inside else b""
                word = int.from_bytes(bytes_, "little")
                vectors[20 + at // 4, lane] = word
            elif inside and "store" in line:
                memory.write(lane, place, data[at : at + step])
            elif inside:
                old = int.from_bytes(memory.read(lane, place, 4), "little")
                new = (old + int(vectors[20, lane])) % 2**32
                memory.write(lane, place, new.to_bytes(4, "little"))
    assert np.array_equal(one.vectors, vectors), (line, shape)
    assert np.array_equal(got, memory.device), (line, shape)


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
@pytest.mark.parametrize("on_arrays", [False, True])
def test_scalar_loads(target: str, on_arrays: bool) -> None:
    generator = np.random.default_rng(5)
    one = machine(target, on_arrays)
    memory = Memory(one, "buffer", generator)
    for line, (size, is_buffer) in scalar_lines(target).items():
        for stride, records in ((0, 400), (0, 50), (4, 12), (8, 3), (0, 0)):
            moved = int(generator.integers(0, 40))
            memory.resource(memory.place + 8, stride if is_buffer else 0, records, 0)
            one.scalars[12] = moved
            before = one.scalars.copy()
            assert one.run(line) == FINE, line
            at = moved + int(line.rpartition("x")[2], 16)
            step = min(size, 4)
            at -= at % step
            for n in range(0, size, step):
                gone = is_buffer and at + n >= max(stride, 1) * records
                place = 8 + at + n
                data = b"" if gone else memory.device[place : place + step].tobytes()
                number = int.from_bytes(data, "little", signed="_i" in line)
                before[16 + n // 4] = number % 2**32
            assert np.array_equal(one.scalars[:106], before[:106]), (line, stride, records)
