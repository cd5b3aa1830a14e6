"""Loads of gfx950 that turn columns of the workgroup's memory, on both engines."""

from functools import cache

import numpy as np
import pytest

from tests.machine.one_wave import FINE, Instructions
from tests.machine.semantics.memory.accesses import Memory

LANES, ROW, OFFSET = 64, 16, 24
LINES = {
    16: "ds_read_b64_tr_b16 v[20:21], v2 offset:24",
    8: "ds_read_b64_tr_b8 v[20:21], v2 offset:24",
    6: "ds_read_b96_tr_b6 v[20:22], v2 offset:24",
    4: "ds_read_b64_tr_b4 v[20:21], v2 offset:24",
}


@cache
def machine(on_arrays: bool) -> Instructions:
    return Instructions((*LINES.values(),), "gfx950", LANES, on_arrays=on_arrays)


@pytest.mark.parametrize("on_arrays", [False, True])
@pytest.mark.parametrize("bits", LINES)
def test_each_lane_gets_a_column(bits: int, on_arrays: bool) -> None:
    """The numbers of 16 lanes, put in a row, are a matrix of 16 columns: lane i gets column i."""
    generator = np.random.default_rng(bits)
    one = machine(on_arrays)
    one.vectors[:] = generator.integers(0, 2**32, one.vectors.shape, dtype=np.uint32)
    memory = Memory(one, "ds", generator)
    size = 12 if bits == 6 else 8
    offsets = generator.permutation(LANES) * 16
    one.vectors[2] = offsets
    vectors = one.vectors.copy()
    assert one.run(LINES[bits]) == FINE
    count = size * 8 // bits
    for first in range(0, LANES, ROW):
        row: list[int] = []
        for lane in range(first, first + ROW):
            whole = int.from_bytes(memory.read(lane, int(offsets[lane]) + OFFSET, size), "little")
            row += [whole >> bits * place & (1 << bits) - 1 for place in range(count)]
        for column in range(ROW):
            found = sum(x << bits * place for place, x in enumerate(row[column::ROW]))
            for word in range(size // 4):
                vectors[20 + word, first + column] = found >> 32 * word & 0xFFFFFFFF
    assert np.array_equal(one.vectors, vectors)
