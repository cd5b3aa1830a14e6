"""What lanes must not do, and generic addresses; the first lane that does it is named."""

from functools import cache

import numpy as np
import pytest

from tests.machine.one_wave import FINE, LDS_BYTES, SCRATCH_BYTES, Instructions, Stop
from tests.machine.semantics.memory.accesses import BYTES, Memory
from wavemma.errors import Unsupported
from wavemma.machine.compiled.state import Fault
from wavemma.machine.memory.apertures import apertures
from wavemma.tables.abi import numbers

LINES = {
    "global": "global_load_b64 v[20:21], v[2:3], off",
    "store": "global_store_b64 v[2:3], v[4:5], off",
    "atomic": "global_atomic_add_u64 v[2:3], v[4:5], off",
    "flat": "flat_load_b64 v[20:21], v[2:3]",
    "flat store": "flat_store_b64 v[2:3], v[4:5]",
    "flat atomic": "flat_atomic_add_u64 v[20:21], v[2:3], v[4:5] glc",
    "lds": "ds_load_b64 v[20:21], v2",
    "lds atomic": "ds_add_u64 v2, v[4:5]",
    "two": "ds_load_2addr_b64 v[20:23], v2 offset0:3 offset1:1",
    "two far": "ds_store_2addr_stride64_b32 v2, v4, v12 offset0:1 offset1:2",
    "exchange": "ds_storexchg_2addr_rtn_b64 v[20:23], v2, v[4:5], v[12:13] offset0:2 offset1:5",
    "scratch": "scratch_load_b64 v[20:21], v2, off",
    "by lane": "global_load_addtid_b32 v20, s[4:5] offset:8",
    "store by lane": "ds_store_addtid_b32 v4 offset:12",
    "row": "global_load_b32 v20, v[2:3], off",
    "row store": "global_store_b16 v[2:3], v4, off",
    "lds row": "ds_load_u16 v20, v2",
    "lds row store": "ds_store_b8 v2, v4",
}


@cache
def machine(on_arrays: bool) -> Instructions:
    return Instructions(tuple(LINES.values()), "gfx1100", 32, on_arrays=on_arrays)


def point(one: Instructions, address: np.ndarray) -> None:
    wide = address.astype(np.uint64)
    one.vectors[2], one.vectors[3] = wide & np.uint64(0xFFFFFFFF), wide >> np.uint64(32)


ENGINES = pytest.mark.parametrize("on_arrays", [False, True])


@ENGINES
@pytest.mark.parametrize("line", ["global", "store", "flat", "flat store", "atomic", "flat atomic"])
def test_outside_of_memory(line: str, on_arrays: bool) -> None:
    one = machine(on_arrays)
    size = 1000
    place = one.memory.allocate(size)
    far = one.memory.start + one.memory.pages * 4096
    ends = (place - 8, place + size, 0, 2**64 - 8, far)
    for bad in ends if "atomic" in line else (*ends, place + size - 4):
        addresses = place + 8 * np.arange(32, dtype=np.uint64)
        addresses[5], addresses[9] = bad, 0
        point(one, addresses)
        assert one.run(LINES[line]) == Stop(Fault.OUT_OF_RANGE, bad, 5, 8)
        assert one.run(LINES[line], ~(1 << 5 | 1 << 9)) == FINE


@ENGINES
@pytest.mark.parametrize("line", ["global", "flat", "row", "lds", "lds row", "scratch"])
def test_a_load_with_a_fault_changes_no_register(line: str, on_arrays: bool) -> None:
    one = machine(on_arrays)
    one.vectors[:] = np.random.default_rng(6).integers(0, 2**32, one.vectors.shape)
    start = one.memory.allocate(BYTES) if line in ("global", "flat", "row") else 0
    addresses = start + 8 * (np.arange(32) % 8)
    addresses[9] = start + BYTES
    point(one, addresses)
    before = one.vectors.copy()
    assert one.run(LINES[line]).lane == 9
    assert np.array_equal(one.vectors, before)


@ENGINES
@pytest.mark.parametrize("line", ["store", "atomic", "flat store"])
def test_what_may_only_be_read(line: str, on_arrays: bool) -> None:
    one = machine(on_arrays)
    place = one.memory.allocate(BYTES, writable=False)
    point(one, place + 8 * np.arange(32))
    assert one.run(LINES[line], 0xFF0) == Stop(Fault.READ_ONLY, place + 32, 4, 8)
    assert one.run(LINES["global"]) == FINE
    one.memory.free(place)
    assert one.run(LINES["global"], 0xF00) == Stop(Fault.FREED, place + 64, 8, 8)
    assert one.run(LINES[line]) == Stop(Fault.FREED, place, 0, 8)


@ENGINES
def test_two_allocations_at_once(on_arrays: bool) -> None:
    one = machine(on_arrays)
    places = [one.memory.allocate(8) for _ in range(32)]
    for lane, place in enumerate(places):
        one.memory.array(place, np.uint64, (1,))[0] = lane * 2**33 + 7
    point(one, np.array(places))
    assert one.run(LINES["global"]) == FINE
    assert one.vectors[20].tolist() == [7] * 32
    assert one.vectors[21].tolist() == [2 * lane for lane in range(32)]


@ENGINES
@pytest.mark.parametrize(
    ("line", "shift"), [("atomic", 4), ("flat atomic", 1), ("lds atomic", 4), ("exchange", 2)]
)
def test_atomics_must_be_aligned(line: str, shift: int, on_arrays: bool) -> None:
    one = machine(on_arrays)
    start = 0 if line in ("lds atomic", "exchange") else one.memory.allocate(BYTES)
    addresses = start + 8 * np.arange(32)
    addresses[3] += shift
    point(one, addresses)
    bad = int(addresses[3]) + (16 if line == "exchange" else 0)
    assert one.run(LINES[line]) == Stop(Fault.MISALIGNED, bad, 3, 8)


@ENGINES
@pytest.mark.parametrize(
    ("line", "limit", "fault"),
    [
        ("lds", LDS_BYTES, Fault.OUTSIDE_LDS),
        ("lds atomic", LDS_BYTES, Fault.OUTSIDE_LDS),
        ("scratch", SCRATCH_BYTES, Fault.OUTSIDE_SCRATCH),
    ],
)
def test_own_memory_ends(line: str, limit: int, fault: Fault, on_arrays: bool) -> None:
    one = machine(on_arrays)
    for bad in (limit, 2**32 - 8, *(() if "atomic" in line else (limit - 4, limit - 7))):
        one.vectors[2] = limit - 8
        assert one.run(LINES[line]) == FINE
        one.vectors[2, 7] = bad
        assert one.run(LINES[line]) == Stop(fault, bad, 7, 8)
        one.vectors[2] = bad
        assert one.run(LINES[line], 1 << 30) == Stop(fault, bad, 30, 8)


ROWS = {"row": 4, "row store": 2, "lds row": 2, "lds row store": 1}


@ENGINES
@pytest.mark.parametrize("line", ROWS)
@pytest.mark.parametrize("lane", [0, 1, 15, 16, 17, 31])
def test_rows_end_inside(line: str, lane: int, on_arrays: bool) -> None:
    one, size = machine(on_arrays), ROWS[line]
    is_lds = line.startswith("lds")
    start = 0 if is_lds else one.memory.allocate(BYTES)
    end = LDS_BYTES if is_lds else start + BYTES
    step = size * (np.arange(32) % 16)
    fault = Fault.OUTSIDE_LDS if is_lds else Fault.OUT_OF_RANGE
    # Lanes before the row of the first bad one lie elsewhere; its row ends one number too late.
    addresses = start + 64 + step
    addresses[lane // 16 * 16 :] += BYTES - 64 - size * (lane % 16)
    point(one, addresses)
    assert one.run(LINES[line]) == Stop(fault, end, lane, size)
    point(one, np.where(addresses < end, addresses, end - size))
    assert one.run(LINES[line]) == FINE
    if lane:
        point(one, addresses)
        assert one.run(LINES[line], (1 << lane) - 1) == FINE


@ENGINES
def test_generic_addresses_reach_all_spaces(on_arrays: bool) -> None:
    one = machine(on_arrays)
    generator = np.random.default_rng(4)
    device, lds, own = (Memory(one, name, generator) for name in ("global", "ds", "scratch"))
    spaces = [(device, device.place), (lds, apertures()["shared_base"] << 32)]
    spaces.append((own, apertures()["private_base"] << 32))
    offsets = generator.integers(0, SCRATCH_BYTES // 8, 32) * 8
    chosen = [spaces[lane % 3] for lane in range(32)]
    point(one, np.array([start + int(at) for (_, start), at in zip(chosen, offsets, strict=True)]))
    held = [
        int.from_bytes(memory.read(lane, int(offsets[lane]), 8), "little")
        for lane, (memory, _) in enumerate(chosen)
    ]
    assert one.run(LINES["flat"]) == FINE
    assert (one.vectors[20] + one.vectors[21].astype(np.uint64) * 2**32).tolist() == held
    added = one.vectors[4] + one.vectors[5].astype(np.uint64) * 2**32
    wanted = held.copy()
    for lane in range(0, 32, 3):
        same = [n for n in range(0, 32, 3) if offsets[n] == offsets[lane]]
        wanted[lane] = (held[lane] + sum(int(added[n]) for n in same)) % 2**64
    for lane in range(1, 32, 3):
        same = [n for n in range(1, 32, 3) if offsets[n] == offsets[lane]]
        wanted[lane] = (held[lane] + sum(int(added[n]) for n in same)) % 2**64
    for lane in range(2, 32, 3):
        wanted[lane] = (held[lane] + int(added[lane])) % 2**64
    assert one.run(LINES["flat atomic"]) == FINE
    for lane, (memory, _) in enumerate(chosen):
        data = memory.read(lane, int(offsets[lane]), 8)
        assert int.from_bytes(data, "little") == wanted[lane]
    bad = (apertures()["shared_base"] << 32) + LDS_BYTES
    point(one, np.full(32, bad))
    assert one.run(LINES["flat"]) == Stop(Fault.OUTSIDE_LDS, LDS_BYTES, 0, 8)


@ENGINES
def test_two_places(on_arrays: bool) -> None:
    one = machine(on_arrays)
    generator = np.random.default_rng(6)
    lds = Memory(one, "ds", generator)
    one.vectors[:] = generator.integers(0, 2**32, one.vectors.shape, dtype=np.uint32)
    one.vectors[2] = generator.permutation(32) * 48
    words = lds.machine.lds.copy()
    assert one.run(LINES["two"]) == FINE
    for lane in range(32):
        at = int(one.vectors[2, lane])
        pair = words[at + 24 : at + 32].tobytes() + words[at + 8 : at + 16].tobytes()
        assert one.vectors[20:24, lane].tobytes() == pair
    assert one.run(LINES["exchange"]) == FINE
    for lane in range(32):
        at = int(one.vectors[2, lane])
        pair = words[at + 16 : at + 24].tobytes() + words[at + 40 : at + 48].tobytes()
        assert one.vectors[20:24, lane].tobytes() == pair
        assert one.lds[at + 16 : at + 24].tobytes() == one.vectors[4:6, lane].tobytes()
        assert one.lds[at + 40 : at + 48].tobytes() == one.vectors[12:14, lane].tobytes()
    one.vectors[2] = 4 * np.arange(32)
    assert one.run(LINES["two far"]) == FINE
    assert one.lds.view("<u4")[64:96].tolist() == one.vectors[4].tolist()
    assert one.lds.view("<u4")[128:160].tolist() == one.vectors[12].tolist()


@ENGINES
def test_addresses_by_lane(on_arrays: bool) -> None:
    one = machine(on_arrays)
    memory = Memory(one, "global", np.random.default_rng(7))
    one.scalars[4:6] = memory.place & 0xFFFFFFFF, memory.place >> 32
    assert one.run(LINES["by lane"]) == FINE
    assert one.vectors[20].tolist() == memory.device.view("<u4")[2:34].tolist()
    one.scalars[125] = 0xABCD0064
    assert one.run(LINES["store by lane"]) == FINE
    assert one.lds.view("<u4")[28:60].tolist() == one.vectors[4].tolist()


def test_apertures_are_facts() -> None:
    for architecture in ("rdna3", "rdna3.5", "rdna4"):
        known = numbers("aperture", architecture)
        assert known["SHARED_BASE"] == apertures()["shared_base"] << 32
        assert known["PRIVATE_BASE"] == apertures()["private_base"] << 32


@pytest.mark.parametrize("on_arrays", [False, True])
@pytest.mark.parametrize(
    "line",
    ["buffer_load_b32 v[20:21], v2, s[8:11], s12 offen tfe", "ds_add_u32 v2, v4 offset:4 gds"],
)
def test_modifiers_that_are_not_known_end_the_wave(on_arrays: bool, line: str) -> None:
    if on_arrays:
        with pytest.raises(Unsupported, match=r"'(buffer_load|ds_add)_\w+' cannot be run: "):
            Instructions((line,), "gfx1100", 32, on_arrays=True).run(line)
        return
    assert Instructions((line,), "gfx1100", 32).run(line).kind is Fault.UNSUPPORTED
