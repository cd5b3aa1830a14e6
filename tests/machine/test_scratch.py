"""Where scratch memory lies, told by registers, and reached there as abi.md section 6 says."""

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.machine.device import Device

SOURCE = """
extern "C" __attribute__((global)) void k(int *out, unsigned long *bases) {{
  int i = __builtin_amdgcn_workitem_id_x();
  volatile int own[8];
  own[i & 7] = i;
  unsigned low, high;
  int stored = i * 3 + 1;
  asm volatile("{read}" : "=s"(low), "=s"(high) :: {clobbered});
  asm volatile("{store}\\n {wait}" :: "v"(stored) : "memory");
  unsigned long base = (unsigned long)high << 32 | low;
  unsigned lane = i % {wave};
  // Byte 20 of lane l lies at base + 20 / 4 * wave * 4 + l * 4.
  out[i] = *(volatile int *)(base + 20 * {wave} + 4 * lane);
  bases[i] = base;
}}
"""
HWREG = "s_getreg_b32 %0, hwreg({0}_LO)\\n s_getreg_b32 %1, hwreg({0}_HI)"
TARGETS = {
    "gfx1100": {
        "read": HWREG.format("HW_REG_FLAT_SCR"),
        "store": "scratch_store_b32 off, %0, off offset:20",
        "wait": "s_waitcnt_vscnt null, 0",
    },
    "gfx1201": {
        "read": HWREG.format("HW_REG_WAVE_SCRATCH_BASE"),
        "store": "scratch_store_b32 off, %0, off offset:20",
        "wait": "s_wait_storecnt 0",
    },
    "gfx942": {
        "read": "s_mov_b32 %0, flat_scratch_lo\\n s_mov_b32 %1, flat_scratch_hi",
        "store": "scratch_store_dword off, %0, off offset:20",
        "wait": "s_waitcnt vmcnt(0)",
    },
}
ITEMS = 160


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("target", TARGETS)
def test_registers_tell_where_it_lies(target, interpreted):
    wave = 64 if target == "gfx942" else 32
    source = SOURCE.format(**TARGETS[target], wave=wave, clobbered='"memory"')
    device = Device(target, threads=2)
    module = device.load(linked(target, "-O1", source=source))
    out, bases = device.memory.allocate(4 * ITEMS), device.memory.allocate(8 * ITEMS)
    used = device.memory.used_bytes
    for _ in range(2):
        device.launch(module, "k", 1, ITEMS, [out, bases], interpreted=interpreted)
        found = device.memory.array(out, np.int32, (ITEMS,))
        assert found.tolist() == [3 * i + 1 for i in range(ITEMS)]
        found[:] = 0
    places = device.memory.array(bases, np.uint64, (ITEMS,))
    # A block for each wave.
    assert np.unique(places).size == -(-ITEMS // wave)
    assert np.array_equal(places, np.repeat(places[::wave], wave)[:ITEMS])
    assert device.memory.used_bytes == used
