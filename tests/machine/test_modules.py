"""Code objects that come and go: which code a launch runs, and what it refuses."""

import numpy as np
import pytest

from tests.objects.compiled import linked, relocatable
from wavemma.errors import FileMistake, KernelFault, LaunchMistake
from wavemma.machine.device import Device
from wavemma.machine.memory.device_memory import DeviceMemory
from wavemma.objects import code_object
from wavemma.objects.elf import read_elf

KERNEL = 'extern "C" __attribute__((global)) void k(int *out) {{ *out = {number}; }}'


def code(number, target="gfx1100"):
    return linked(target, "-O1", source=KERNEL.format(number=number))


def stored(device, module):
    out = device.memory.allocate(4)
    device.launch(module, "k", 1, 1, [out])
    found = int(device.memory.array(out, np.int32, (1,))[0])
    device.memory.free(out)
    return found


def test_another_code_object_in_the_place_of_an_unloaded_one():
    memory = DeviceMemory(1 << 30, reserved_bytes=1 << 30)
    device = Device("gfx1100", memory=memory, threads=1)
    first = device.load(code(1))
    assert stored(device, first) == 1
    first.unload()
    # Little is left, so that its addresses come again soon.
    memory.allocate((1 << 30) - (1 << 20))
    for _ in range(2000):
        second = device.load(code(2))
        if second.base == first.base:
            break
        second.unload()
    assert second.base == first.base
    assert stored(device, second) == 2
    with pytest.raises(LaunchMistake, match="unloaded"):
        stored(device, first)


def test_an_unloaded_code_object():
    device = Device("gfx1100", threads=1)
    module = device.load(code(1))
    module.unload()
    with pytest.raises(LaunchMistake, match="unloaded"):
        stored(device, module)


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
def test_a_code_object_of_another_device(target):
    module = Device("gfx1100", threads=1).load(code(1))
    with pytest.raises(LaunchMistake, match="another"):
        stored(Device(target, threads=1), module)


def test_the_same_bytes_on_two_architectures(tmp_path):
    results = []
    for target in ("gfx1100", "gfx1150"):
        device = Device(target, threads=1, cache_folder=tmp_path)
        stored(device, device.load(code(5, target)))
        results.append({path.name for path in tmp_path.glob("*.o")})
    text = [code_object(code(5, target)).image for target in ("gfx1100", "gfx1150")]
    start, _ = text[0].code[0]
    assert text[1].data[start : start + 16] == text[0].data[start : start + 16]
    assert len(results[1]) > len(results[0])


PARTS = """
#define __device__ __attribute__((device))
__device__ int counter = 7;
__attribute__((constant)) int table[4] = {11, 22, 33, 44};
extern "C" __attribute__((global)) void k(int *out, int where) {
  int *places[3] = {&counter, (int *)table, (int *)k};
  *places[where] += 1;
  *out = *places[where];
}
"""


@pytest.mark.parametrize("make", [linked, relocatable])
@pytest.mark.parametrize("interpreted", [False, True])
def test_kernels_write_variables_but_no_constants_and_no_code(make, interpreted):
    device = Device("gfx1100", threads=1)
    module = device.load(make("gfx1100", "-O1", source=PARTS))
    out = device.memory.allocate(4)

    def increment(where):
        arguments = [out, np.int32(where)]
        device.launch(module, "k", 1, 1, arguments, interpreted=interpreted)
        return int(device.memory.array(out, np.int32, (1,))[0])

    assert [increment(0), increment(0)] == [8, 9]
    for where in (1, 2):
        before = device.memory.read(module.base, module.allocation.size_bytes)
        with pytest.raises(KernelFault, match=r"writes 4 bytes at .* it may only read"):
            increment(where)
        assert device.memory.read(module.base, module.allocation.size_bytes) == before


def test_ranges_of_code_that_overlap():
    data = bytearray(code(1))
    file = read_elf(bytes(data))
    headers = int.from_bytes(data[0x28:0x30], "little")
    other = next(s for s in file.sections if s.is_allocated and not s.is_code and s.size)
    executable = next(s for s in file.sections if s.is_code)
    at = headers + 64 * other.index
    data[at + 8] |= 4
    data[at + 16 : at + 24] = executable.address.to_bytes(8, "little")
    device = Device("gfx1100", threads=1)
    with pytest.raises(FileMistake, match="ranges of its own"):
        stored(device, device.load(bytes(data)))
