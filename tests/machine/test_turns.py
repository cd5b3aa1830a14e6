"""Waves of a workgroup that wait for each other in loops, on both engines."""

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.machine.device import Device

SOURCE = """
#define __global__ __attribute__((global))
extern "C" __global__ void wait(volatile int* flag, int* seen) {
  int item = __builtin_amdgcn_workitem_id_x();
  if (item < 32) {
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) __builtin_amdgcn_s_sleep(1);
    seen[item] = *flag;
  } else if (item == 63) {
    __atomic_store_n(flag, 5, __ATOMIC_RELEASE);
  }
}
"""
TARGETS = ("gfx1100", "gfx1201")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("interpreted", [False, True])
def test_the_first_wave_sleeps_until_the_second_has_stored(target: str, interpreted: bool) -> None:
    device = Device(target)
    module = device.load(linked(target, "-O3", source=SOURCE))
    flag, seen = device.memory.allocate(4, "flag"), device.memory.allocate(128, "seen")
    device.launch(module, "wait", 1, 64, [flag, seen], interpreted=interpreted)
    assert np.all(device.memory.array(seen, np.int32, (32,)) == 5)
