"""Counters for all lanes, words exchanged if asked, chosen words, turned matrices."""

from functools import cache

import numpy as np
import pytest

from tests.machine.one_wave import FINE, Instructions
from tests.machine.semantics.memory.accesses import Memory
from wavemma.machine.codes import codes_of
from wavemma.machine.compiled.state import Fault

MASKS = (-1, 0x9BE4_37A1_0F0F_6D21, 1 << 31, 0)
LINES = {
    "gfx1100": (
        "ds_append v20 offset:12",
        "ds_consume v20 offset:12",
        "ds_condxchg32_rtn_b64 v[20:21], v2, v[4:5] offset:8",
    ),
}
LINES["gfx1201"] = (
    *LINES["gfx1100"],
    "global_load_tr_b128 v[20:23], v[2:3], off offset:24",
    "global_load_tr_b64 v[20:21], v[2:3], off offset:24",
    "global_load_block v[8:39], v[2:3], off offset:24",
    "global_store_block v[2:3], v[8:39], off offset:24",
    "scratch_load_block v[8:39], v2, off",
    "scratch_store_block v2, v[8:39], off",
)
M0 = codes_of("rdna4").m0
WAVES = {"gfx1100": (32, 64), "gfx1201": (32,)}
PLACES = [(target, wave) for target, waves in WAVES.items() for wave in waves]


@cache
def machine(target: str, wave: int, on_arrays: bool) -> Instructions:
    return Instructions(LINES[target], target, wave, on_arrays=on_arrays)


def filled(one: Instructions, prefix: str, seed: int) -> tuple[Memory, np.random.Generator]:
    generator = np.random.default_rng(seed)
    one.vectors[:] = generator.integers(0, 2**32, one.vectors.shape, dtype=np.uint32)
    return Memory(one, prefix, generator), generator


@pytest.mark.parametrize(("target", "wave"), PLACES)
@pytest.mark.parametrize("on_arrays", [False, True])
@pytest.mark.parametrize("mask", MASKS)
def test_counters(target: str, wave: int, on_arrays: bool, mask: int) -> None:
    one = machine(target, wave, on_arrays)
    filled(one, "ds", 1)
    mask &= (1 << wave) - 1
    one.scalars[codes_of("rdna3").m0] = one.scalars[M0] = 0xABCD0000 | 40
    for line, sign in ((LINES[target][0], 1), (LINES[target][1], -1)):
        vectors, lds = one.vectors.copy(), one.lds.copy()
        assert one.run(line, mask) == FINE
        word = lds.view("<u4")[13:14]
        for lane in range(wave):
            if mask >> lane & 1:
                vectors[20, lane] = word[0]
        word += np.uint32(sign * mask.bit_count() % 2**32)
        assert np.array_equal(one.vectors, vectors)
        assert np.array_equal(one.lds, lds)


@pytest.mark.parametrize(("target", "wave"), PLACES)
@pytest.mark.parametrize("on_arrays", [False, True])
def test_words_exchanged_if_asked(target: str, wave: int, on_arrays: bool) -> None:
    one = machine(target, wave, on_arrays)
    _, generator = filled(one, "ds", 2)
    mask = MASKS[1] & (1 << wave) - 1
    # Low bits of the address and bits above 64 KiB do not count.
    places = generator.permutation(100)[:wave] * 8
    one.vectors[2] = (places + generator.integers(0, 8, wave)) | 0x30000
    vectors, lds = one.vectors.copy(), one.lds.copy()
    assert one.run(LINES[target][2], mask) == FINE
    words = lds.view("<u4")
    for lane in (lane for lane in range(wave) if mask >> lane & 1):
        for part in range(2):
            at = (int(places[lane]) + 8) // 4 + part
            new = int(vectors[4 + part, lane])
            vectors[20 + part, lane] = words[at]
            words[at] = new & 0x7FFFFFFF if new >> 31 else words[at]
    assert np.array_equal(one.vectors, vectors)
    assert np.array_equal(one.lds, lds)


@pytest.mark.parametrize("on_arrays", [False, True])
@pytest.mark.parametrize("kind", ["u1", "<u2"])
def test_turned_matrices(on_arrays: bool, kind: str) -> None:
    """A matrix by rows in memory becomes B's fragment: columns in lanes, rows in registers."""
    one = machine("gfx1201", 32, on_arrays)
    memory, generator = filled(one, "global", 3)
    matrix = generator.integers(0, 256 if kind == "u1" else 65536, (16, 16)).astype(kind)
    memory.device[: matrix.nbytes] = matrix.view(np.uint8).reshape(-1)
    lane = np.arange(32)
    if kind == "u1":
        # As a kernel for gfx1201 points them: four rows' left halves, then their right ones.
        rows, columns = lane // 8 * 4 + lane % 4, lane // 4 % 2 * 8
    else:
        rows, columns = lane // 16 * 8 + lane % 8, lane // 8 % 2 * 8
    memory.point((rows * 16 + columns) * matrix.itemsize)
    assert one.run(LINES["gfx1201"][4 if kind == "u1" else 3]) == FINE
    count = 2 * matrix.itemsize
    got = np.ascontiguousarray(one.vectors[20 : 20 + count].T).view(kind)
    for each in range(32):
        first = each // 16 * 8
        assert got[each].tolist() == matrix[first : first + 8, each % 16].tolist()


@pytest.mark.parametrize("on_arrays", [False, True])
@pytest.mark.parametrize("prefix", ["global", "scratch"])
@pytest.mark.parametrize("chosen", [0xFFFFFFFF, 0x0000_81A5, 0])
def test_chosen_words(on_arrays: bool, prefix: str, chosen: int) -> None:
    one = machine("gfx1201", 32, on_arrays)
    load, store = (line for line in LINES["gfx1201"] if line.startswith(prefix) and "block" in line)
    if prefix == "scratch" and chosen >> 15 > 1:
        chosen = 0x5A5F
    memory, _ = filled(one, prefix, 4)
    one.scalars[M0] = chosen
    mask = MASKS[1] & 0xFFFFFFFF
    if prefix == "global":
        memory.point(np.arange(32) * 60)
    else:
        one.vectors[2] = 0
    # By word, as the machine goes, later lanes over earlier ones.
    places = [
        (word, lane, (lane * 60 if prefix == "global" else 0) + 4 * word)
        for word in range(32)
        for lane in range(32)
        if chosen >> word & 1 and mask >> lane & 1
    ]
    vectors = one.vectors.copy()
    assert one.run(load, mask) == FINE
    for word, lane, at in places:
        vectors[8 + word, lane] = int.from_bytes(memory.read(lane, at, 4), "little")
    assert np.array_equal(one.vectors, vectors)
    one.vectors[8:40] ^= np.uint32(0x5A5A5A5A)
    before = [memory.device.copy(), one.scratch.copy()]
    assert one.run(store, mask) == FINE
    after = [memory.device.copy(), one.scratch.copy()]
    memory.device[:], one.scratch[:] = before
    for word, lane, at in places:
        memory.write(lane, at, int(one.vectors[8 + word, lane]).to_bytes(4, "little"))
    assert np.array_equal(memory.device, after[0])
    assert np.array_equal(one.scratch, after[1])


@pytest.mark.parametrize("on_arrays", [False, True])
def test_words_that_are_not_chosen_reach_no_memory(on_arrays: bool) -> None:
    one = machine("gfx1201", 32, on_arrays)
    memory, _ = filled(one, "global", 5)
    memory.point(np.full(32, 2048 - 64))
    one.scalars[M0] = 0xFFFF
    assert one.run(LINES["gfx1201"][5]) == FINE
    one.scalars[M0] = 0x1FFFF
    assert one.run(LINES["gfx1201"][5]).kind is Fault.OUT_OF_RANGE
