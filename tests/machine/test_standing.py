"""Where the waves of a workgroup stand when a launch does not end, on both engines."""

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.errors import KernelFault, WatchdogExpired
from wavemma.machine.compiled.state import Fault
from wavemma.machine.device import Device

BARRIER = """
extern "C" __attribute__((global)) void k(int *out) {
  int item = __builtin_amdgcn_workitem_id_x();
  asm volatile("s_movk_i32 s40, 0x77" ::: "s40");
  if (item >= 64 && item < 96) return;
  asm volatile("s_barrier_wait -1");  // waits
  out[item] = 1;
}
"""
LOOP = """
extern "C" __attribute__((global)) void k(int *out) {
  int item = __builtin_amdgcn_workitem_id_x();
  if (item >= 32) while (__atomic_load_n(out, __ATOMIC_ACQUIRE) == 0);  // spins
  __builtin_amdgcn_s_barrier();  // waits
  out[item] = 1;
}
"""


def line_of(source, mark):
    return next(n for n, text in enumerate(source.splitlines(), 1) if f"// {mark}" in text)


def stopped(target, source, block, error, **options):
    device = Device(target, threads=1)
    module = device.load(linked(target, "-O1", "-g", source=source))
    out = device.memory.allocate(1024)
    with pytest.raises(error) as caught:
        device.launch(module, "k", 1, block, [out], **options)
    return str(caught.value), caught.value.record


@pytest.mark.parametrize("interpreted", [False, True])
def test_waves_that_all_wait(interpreted):
    text, stop = stopped("gfx1201", BARRIER, 128, KernelFault, interpreted=interpreted)
    assert "k: every wave of workgroup (0, 0, 0) waits at a barrier that not all 4 waves" in text
    where = f"'s_barrier_wait 0xffff' at 0x{stop.code_address:x} in k, "
    assert f"Waves 0, 1 and 3 wait at {where}" in text
    assert f"k.hip:{line_of(BARRIER, 'waits')}" in text
    assert text.endswith("; wave 2 has ended.")
    assert (stop.kernel, stop.fault, stop.group, stop.wave) == ("k", Fault.DEADLOCK, (0, 0, 0), 0)
    assert (stop.lane, stop.address, stop.nearest) == (None, None, "")
    assert stop.line.line == line_of(BARRIER, "waits")
    assert [each.does for each in stop.waves] == ["waits", "waits", "ended", "waits"]
    assert stop.registers.scalars["s40"] == 0x77
    assert stop.registers.vectors.shape[1] == 32


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
def test_a_wave_that_runs_for_ever(target, interpreted):
    text, stop = stopped(target, LOOP, 64, WatchdogExpired, seconds=1.5, interpreted=interpreted)
    assert text.startswith("k ran for 1.5 s without an end; it was at workgroup (0, 0, 0).\n")
    assert "Wave 0 waits at 's_barrier" in text
    assert "; wave 1 runs at '" in text
    assert (stop.fault, stop.wave) == (Fault.TOO_LONG, 1)
    first, second = stop.waves
    assert (first.does, first.line.line) == ("waits", line_of(LOOP, "waits"))
    assert (second.does, second.line.line) == ("runs", line_of(LOOP, "spins"))
    assert second.instruction == stop.instruction
    # The first lane of the wave that spins has item 32.
    assert np.count_nonzero(stop.registers.vectors[:, 0] & 0x3FF == 32)
