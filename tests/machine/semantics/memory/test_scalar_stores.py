"""Stores and atomics of scalar registers of gfx942, against bytes and plain integers."""

import re
from functools import cache

import numpy as np
import pytest

from tests.machine.one_wave import FINE, Instructions
from tests.machine.semantics.memory.accesses import BYTES
from wavemma.machine.compiled.state import Fault

BASE, RESOURCE, OFFSET, DATA = 16, 8, 12, 20
UPDATES = ("swap", "cmpswap", "add", "sub", "smin", "umin", "smax", "umax", "and", "or", "xor",
           "inc", "dec")  # fmt: skip
STORES = {
    "s_store_dword s20, s[16:17], 0x10": 1,
    "s_store_dwordx2 s[20:21], s[16:17], s12": 2,
    "s_store_dwordx4 s[20:23], s[16:17], s12 offset:0xc glc": 4,
    "s_buffer_store_dword s20, s[8:11], 0x10": 1,
    "s_buffer_store_dwordx2 s[20:21], s[8:11], s12": 2,
    "s_buffer_store_dwordx4 s[20:23], s[8:11], s12 offset:0x8": 4,
}


def atomics() -> list[str]:
    found = []
    for space, base in (("s_atomic", "s[16:17]"), ("s_buffer_atomic", "s[8:11]")):
        for name in UPDATES:
            for suffix, words in (("", 1), ("_x2", 2)):
                count = words * (2 if name == "cmpswap" else 1)
                data = "s20" if count == 1 else f"s[20:{19 + count}]"
                glc = "" if name == "sub" else " glc"
                found.append(f"{space}_{name}{suffix} {data}, {base}, s12 offset:0x8{glc}")
    return found


ATOMICS = atomics()


@cache
def machine(on_arrays: bool) -> Instructions:
    return Instructions((*STORES, *ATOMICS), "gfx942", 64, on_arrays=on_arrays)


def prepare(one: Instructions, seed: int, records: int = BYTES) -> tuple[int, np.ndarray, int]:
    """Fill memory and registers; give the place, a view of it, and the offset in its register."""
    generator = np.random.default_rng(seed)
    place = one.memory.allocate(BYTES, "data")
    view = one.memory.array(place, np.uint8, (BYTES,))
    view[:] = generator.integers(0, 256, BYTES, dtype=np.uint8)
    # Few numbers, so that some compare as equal.
    view[: BYTES // 2].view(np.uint32)[::3] = 5
    one.scalars[:] = generator.integers(0, 2**32, one.scalars.size, dtype=np.uint32)
    offset = int(generator.integers(0, 60)) * 8
    one.scalars[OFFSET] = offset
    one.scalars[BASE : BASE + 2] = (place & 0xFFFFFFFF, place >> 32)
    fields = (place & 0xFFFFFFFF, place >> 32 & 0xFFFF, records, 0x27000)
    one.scalars[RESOURCE : RESOURCE + 4] = fields
    return place, view, offset


def offset_of(line: str, register: int) -> int:
    named = register if "s12" in line else 0
    number = re.search(r"(?:offset:|, )(0x[0-9a-f]+)", line)
    return named + (int(number[1], 16) if number else 0)


@pytest.mark.parametrize("on_arrays", [False, True])
@pytest.mark.parametrize("active", [0, 0x8000000000000000, -1])
def test_stores(on_arrays: bool, active: int) -> None:
    one = machine(on_arrays)
    for seed, (line, words) in enumerate(STORES.items()):
        for records in (BYTES, 24, 290):
            _, view, offset = prepare(one, seed, records)
            before, scalars = view.copy(), one.scalars.copy()
            vectors = one.vectors.copy()
            assert one.run(line, active) == FINE
            at = offset_of(line, offset)
            for word in range(words):
                if "buffer" not in line or at + 4 * word < records:
                    data = scalars[DATA + word : DATA + word + 1].view(np.uint8)
                    before[at + 4 * word : at + 4 * word + 4] = data
            assert np.array_equal(view, before), line
            assert np.array_equal(
                np.delete(one.scalars, [126, 127]), np.delete(scalars, [126, 127])
            )
            assert one.scalars[126] == active & 0xFFFFFFFF
            assert np.array_equal(one.vectors, vectors)


def updated(name: str, bits: int, old: int, data: list[int]) -> int:
    new, mask = data[0], (1 << bits) - 1

    def signed(x: int) -> int:
        return x - (x >> bits - 1 << bits)

    return {
        "swap": new,
        "cmpswap": new if old == data[-1] else old,
        "add": old + new & mask,
        "sub": old - new & mask,
        "smin": min(old, new, key=signed),
        "umin": min(old, new),
        "smax": max(old, new, key=signed),
        "umax": max(old, new),
        "and": old & new,
        "or": old | new,
        "xor": old ^ new,
        "inc": 0 if old >= new else old + 1,
        "dec": new if old == 0 or old > new else old - 1,
    }[name]


@pytest.mark.parametrize("on_arrays", [False, True])
@pytest.mark.parametrize("records", [BYTES, 40])
def test_atomics(on_arrays: bool, records: int) -> None:
    one = machine(on_arrays)
    done = 0
    for seed, line in enumerate(ATOMICS):
        _, view, offset = prepare(one, seed, records)
        before, scalars = view.copy(), one.scalars.copy()
        mnemonic = line.split()[0]
        bits = 64 if mnemonic.endswith("_x2") else 32
        name = mnemonic.removesuffix("_x2").rpartition("_")[2]
        at, kind = offset_of(line, offset), f"<u{bits // 8}"
        old = int(before[at : at + bits // 8].view(kind)[0])
        count = 2 if name == "cmpswap" else 1
        data = scalars[DATA : DATA + 4].view(kind)[:count].tolist()
        if seed % 2 and count == 2:
            data[1] = old
            scalars[DATA : DATA + 4].view(kind)[1] = old
            one.scalars[DATA : DATA + 4] = scalars[DATA : DATA + 4]
        inside = "buffer" not in line or at < records
        done += inside
        if inside:
            before[at : at + bits // 8].view(kind)[0] = updated(name, bits, old, data)
        assert one.run(line, 0) == FINE
        assert np.array_equal(view, before), line
        if "glc" in line:
            scalars[DATA : DATA + 4].view(kind)[0] = old if inside else 0
        got = one.scalars[DATA : DATA + 4]
        assert np.array_equal(got, scalars[DATA : DATA + 4]), line
    assert done >= len(UPDATES) * 2


def test_addresses_outside() -> None:
    for on_arrays in (False, True):
        one = machine(on_arrays)
        prepare(one, 1)
        one.scalars[BASE : BASE + 2] = (0, 0)
        stop = one.run("s_store_dword s20, s[16:17], 0x10")
        assert (stop.kind, stop.address) == (Fault.OUT_OF_RANGE, 16)
