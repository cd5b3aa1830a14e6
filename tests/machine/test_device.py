"""Kernels that ziglang compiles, launched; NumPy says what they must give."""

import threading

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.errors import KernelFault, LaunchMistake, UnknownName
from wavemma.machine import launch
from wavemma.machine.device import Device

COUNT = 4096
SOURCE = """
#define __global__ __attribute__((global))
extern "C" __global__ void add(const float* a, const float* b, float* c) {
  int i = __builtin_amdgcn_workitem_id_x() + 64 * __builtin_amdgcn_workgroup_id_x();
  c[i] = a[i] + b[i];
}
"""


@pytest.mark.parametrize("options", [("-O3",), ("-O3", "-mwavefrontsize64")])
def test_a_sum_of_arrays(options: tuple[str, ...]) -> None:
    device = Device("gfx1100")
    module = device.load(linked("gfx1100", *options, source=SOURCE))
    places = [device.memory.allocate(4 * COUNT, name) for name in "abc"]
    a, b, c = (device.memory.array(place, np.float32, (COUNT,)) for place in places)
    generator = np.random.default_rng(3)
    a[:], b[:] = generator.normal(size=COUNT), generator.normal(size=COUNT)
    device.launch(module, "add", COUNT // 64, 64, places)
    assert np.array_equal(c.view(np.uint32), (a + b).view(np.uint32))


def test_the_thread_that_launches_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(work: object) -> threading.Event:
        is_over = threading.Event()
        is_over.set()
        return is_over

    monkeypatch.setattr(launch, "begin", never)
    device = Device("gfx1100", threads=4)
    module = device.load(linked("gfx1100", "-O3", source=SOURCE))
    places = [device.memory.allocate(4 * COUNT, name) for name in "abc"]
    a, b, c = (device.memory.array(place, np.float32, (COUNT,)) for place in places)
    a[:], b[:] = 3, np.arange(COUNT)
    device.launch(module, "add", COUNT // 64, 64, places)
    assert np.array_equal(c, a + b)


def test_what_goes_wrong_is_told() -> None:
    device = Device("gfx1100")
    module = device.load(linked("gfx1100", "-O3", source=SOURCE))
    places = [device.memory.allocate(4 * COUNT, name) for name in "abc"]
    with pytest.raises(KernelFault, match="it is 0 bytes behind its end"):
        device.launch(module, "add", COUNT // 64 + 1, 64, places)
    with pytest.raises(KernelFault, match=r"reads 4 bytes at 0x0, .*lane 0\)"):
        device.launch(module, "add", 1, 64, [0, *places[1:]])
    with pytest.raises(LaunchMistake, match="takes 3 arguments, got 2"):
        device.launch(module, "add", 1, 64, places[:2])
    with pytest.raises(LaunchMistake, match="at most 1024 work-items"):
        device.launch(module, "add", 1, (64, 32), places)
    with pytest.raises(LaunchMistake, match="one to three whole numbers above 0"):
        device.launch(module, "add", 0, 64, places)
    with pytest.raises(UnknownName, match="is not a kernel"):
        device.launch(module, "ad", 1, 64, places)
    device.memory.free(places[2])
    with pytest.raises(KernelFault, match="which were freed"):
        device.launch(module, "add", 1, 64, places)
