"""Kernels whose descriptors are damaged: they run, or are refused in our words."""

import random
import struct

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.errors import FileMistake, MemoryMistake, WavemmaError
from wavemma.machine.device import Device
from wavemma.objects import code_object

SOURCE = """
#define __global__ __attribute__((global))
extern "C" __global__ void k(int *out, int n) {
  int i = __builtin_amdgcn_workitem_id_x() + 256 * __builtin_amdgcn_workgroup_id_x();
  asm volatile("v_mov_b32 v8, 7" ::: "v8");
  out[i] = n;
}
"""
COUNT = 2048
PRIVATE, ENTRY, RSRC1 = 4, 16, 48


@pytest.fixture(scope="module")
def device():
    return Device("gfx1100", threads=1)


def run(device, data, **options):
    """Launch a changed file; give what the kernel wrote."""
    out = device.memory.allocate(4 * COUNT)
    module = device.load(bytes(data))
    try:
        device.launch(module, "k", 8, 256, [out, np.int32(3)], seconds=5, **options)
        return device.memory.array(out, np.int32, (COUNT,)).tolist()
    finally:
        module.unload()
        device.memory.free(out)


def changed(offset, layout, change):
    """Change a number of the descriptor."""
    data = bytearray(linked("gfx1100", "-O3", source=SOURCE))
    place = code_object(bytes(data)).kernel("k").descriptor_address + offset
    struct.pack_into(layout, data, place, change(*struct.unpack_from(layout, data, place)))
    return data


@pytest.mark.parametrize("interpreted", [False, True])
def test_fewer_registers_than_the_code_names(device, interpreted):
    # Behind 8 registers of a wave come the scalar registers of the next one, its arguments first.
    data = changed(RSRC1, "<I", lambda word: word & ~63)
    assert code_object(bytes(data)).kernel("k").descriptor.vgprs == 8
    assert run(device, data, interpreted=interpreted) == [3] * COUNT


@pytest.mark.parametrize("distance", [4, 16, -4])
def test_an_entry_inside_of_a_function(device, distance):
    data = changed(ENTRY, "<q", lambda offset: offset + distance)
    with pytest.raises(FileMistake, match=r"k must start .* damaged"):
        run(device, data)


def test_more_scratch_memory_than_the_host_has(device):
    used = device.memory.used_bytes
    data = changed(PRIVATE, "<I", lambda _: 0xFFFFFFF0)
    with pytest.raises(MemoryMistake, match=r"Device memory has .* more were asked for"):
        run(device, data)
    assert device.memory.used_bytes == used


def test_flipped_bits(device):
    generator = random.Random(11)
    data = linked("gfx1100", "-O3", source=SOURCE)
    place = code_object(data).kernel("k").descriptor_address
    outcomes = {"ran": 0, "refused": 0}
    for _ in range(100):
        flipped = bytearray(data)
        for bit in generator.sample(range(64 * 8), 2):
            flipped[place + bit // 8] ^= 1 << bit % 8
        try:
            run(device, flipped)
            outcomes["ran"] += 1
        except WavemmaError:
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 20
