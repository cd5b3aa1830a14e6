"""Buffers whose elements alternate, or that add the lane, word by word in plain Python."""

from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

from tests.machine.one_wave import FINE, Instructions
from tests.machine.semantics.memory.accesses import BYTES, Memory
from wavemma.machine.compiled.state import Fault

NEWER = {
    "buffer_load_b32 v20, v[2:3], s[8:11], s12 idxen offen offset:4": 4,
    "buffer_load_b128 v[20:23], v[2:3], s[8:11], s12 idxen offen offset:4": 16,
    "buffer_load_b64 v[20:21], v2, s[8:11], s12 offen": 8,
    "buffer_load_b32 v20, off, s[8:11], s12 offset:8": 4,
    "buffer_load_u16 v20, v2, s[8:11], s12 idxen offset:2": 2,
    "buffer_store_b96 v[20:22], v[2:3], s[8:11], s12 idxen offen": 12,
    "buffer_store_b8 v20, v2, s[8:11], s12 offen offset:5": 1,
}
OLDER = {"b32": "dword", "b64": "dwordx2", "b96": "dwordx3", "b128": "dwordx4", "u16": "ushort",
         "b8": "byte"}  # fmt: skip
ATOMIC = {
    "gfx1100": "buffer_atomic_add_u32 v20, v[2:3], s[8:11], s12 idxen offen",
    "gfx942": "buffer_atomic_add_x2 v[20:21], v[2:3], s[8:11], s12 idxen offen",
}
PLACES = {"gfx1100": 32, "gfx1201": 32, "gfx942": 64}


class Shape(NamedTuple):
    """A resource, and the scalar offset.

    Attributes:
        swizzle: The field: 0 none, 1 elements of 4 bytes, 3 of 16; of gfx942 0 or 1.
        adds: Whether the lane is added.
        group: Indices side by side: 8, 16, 32 or 64.
        mode: How bounds are checked, where the resource says so.

    """

    swizzle: int
    adds: bool
    group: int
    stride: int
    records: int
    mode: int
    moved: int


SHAPES = [
    Shape(1, False, 8, 32, 20, 0, 0),
    Shape(1, True, 8, 24, 60, 1, 8),
    Shape(1, True, 64, 16, 30, 2, 4),
    Shape(3, False, 16, 48, 20, 3, 16),
    Shape(3, True, 32, 32, 25, 3, 0),
    Shape(0, True, 8, 12, 20, 0, 4),
    Shape(0, True, 16, 8, 300, 3, 20),
    Shape(1, False, 8, 0, 200, 3, 0),
]


def lines_of(target: str) -> dict[str, int]:
    if target != "gfx942":
        return NEWER
    found = {}
    for line, size in NEWER.items():
        name = line.split()[0]
        old = next(each for each in OLDER if name.endswith("_" + each))
        found[line.replace(name, name.removesuffix(old) + OLDER[old])] = size
    return found


@cache
def machine(target: str, on_arrays: bool) -> Instructions:
    lines = [*lines_of(target), *([ATOMIC[target]] if target in ATOMIC else [])]
    return Instructions(lines, target, PLACES[target], on_arrays=on_arrays)


def swizzled(shape: Shape, index: int, offset: int, element: int) -> int:
    """Find a byte: groups of indices, in which elements of each index follow one another."""
    group, inside = divmod(index, shape.group)
    number, byte = divmod(offset, element)
    rows = group * shape.stride + number * element
    return rows * shape.group + inside * element + byte


def newer(shape: Shape, given: int | None, offset: int, lane: int, size: int) -> tuple[int, bool]:
    """Give the place behind the base, and whether it counts, on RDNA."""
    index = given if given is not None else lane if shape.adds else 0
    turns = shape.swizzle != 0 and (given is not None or shape.adds)
    place = index * shape.stride + offset
    if turns:
        place = swizzled(shape, index, offset, 16 if shape.swizzle == 3 else 4)
    structured = index < shape.records and offset + size <= shape.stride
    raw = offset + size + shape.moved <= shape.records
    inside = {
        0: structured,
        1: index < shape.records,
        2: shape.records > 0,
        3: structured if turns and shape.stride else raw,
    }[shape.mode]
    return place + shape.moved, inside


def older(shape: Shape, given: int | None, offset: int, lane: int, size: int) -> tuple[int, bool]:
    """Give the same on CDNA."""
    index = given or 0
    if shape.adds and (shape.swizzle or given is None):
        index += lane
    place = index * shape.stride + offset
    if shape.swizzle and shape.adds:
        place = swizzled(shape, index, offset, 4)
    if shape.adds and given is None:
        return place + shape.moved, True
    if given is not None and shape.stride:
        return place + shape.moved, given < shape.records
    return place + shape.moved, offset + size + shape.moved <= shape.records


@pytest.mark.parametrize("target", PLACES)
@pytest.mark.parametrize("on_arrays", [False, True])
def test_places_and_bounds(target: str, on_arrays: bool) -> None:
    one, lanes = machine(target, on_arrays), PLACES[target]
    moved_words = 0
    for number, shape in enumerate(SHAPES):
        generator = np.random.default_rng(number)
        memory = Memory(one, "buffer", generator)
        if target == "gfx942":
            # Its 64 lanes are added to indices: what they reach must stay in memory.
            small = {"stride": min(shape.stride, 16), "group": min(shape.group, 16)}
            shape = shape._replace(swizzle=min(shape.swizzle, 1), **small)
        high = shape.swizzle << (15 if target == "gfx942" else 14)
        last = (shape.group.bit_length() - 4) << 21 | shape.adds << 23
        last |= 0 if target == "gfx942" else 0x01027000 | shape.mode << 28
        memory.resource(memory.place, high | shape.stride, shape.records, last)
        one.scalars[12] = shape.moved
        for line, size in lines_of(target).items():
            one.vectors[:] = generator.integers(0, 2**32, one.vectors.shape, dtype=np.uint32)
            one.vectors[3] = generator.integers(0, 4, lanes) * 4
            limit = 24 if "idxen" in line else 4
            one.vectors[2] = generator.integers(0, limit, lanes) * (1 if "idxen" in line else 4)
            before = one.vectors.copy(), memory.device.copy()
            assert one.run(line) == FINE, (line, shape)
            got = one.vectors.copy(), memory.device.copy()
            memory.device[:] = before[1]
            moved_words += expect(memory, before[0], line, size, shape, target)
            assert np.array_equal(got[0], before[0]), (line, shape)
            assert np.array_equal(got[1], memory.device), (line, shape)
    assert moved_words > 500


def expect(
    memory: Memory, vectors: np.ndarray, line: str, size: int, shape: Shape, target: str
) -> int:
    """Do to registers and memory what the line should; give how many words were inside."""
    find, step, count = (older if target == "gfx942" else newer), min(size, 4), 0
    fixed = int(line.rpartition("offset:")[2]) if "offset:" in line else 0
    # A word of all lanes after the other.
    for at, lane in product(range(0, size, step), range(vectors.shape[1])):
        registers = [int(vectors[n, lane]) for n in (2, 3)]
        index = registers.pop(0) if "idxen" in line else None
        offset = fixed + at + (registers[0] if "offen" in line else 0)
        data = vectors[20:24, lane].tobytes()
        place, inside = find(shape, index, offset, lane, step)
        assert place + step <= BYTES
        count += inside
        own = memory.read(lane, place, step) if inside else b""
        if "load" in line:
            vectors[20 + at // 4, lane] = int.from_bytes(own, "little")
        elif inside:
            memory.write(lane, place, data[at : at + step])
    return count


@pytest.mark.parametrize("target", ATOMIC)
@pytest.mark.parametrize("on_arrays", [False, True])
def test_numbers_are_not_replaced_there(target: str, on_arrays: bool) -> None:
    one = machine(target, on_arrays)
    memory = Memory(one, "buffer", np.random.default_rng(0))
    memory.resource(memory.place, 1 << 14 | 1 << 15, BYTES, 1 << 23)
    assert one.run(ATOMIC[target]).kind is Fault.UNSUPPORTED
