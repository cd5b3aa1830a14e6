"""Kernels of gfx1250 with more than 256 vector registers, against NumPy."""

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.isa.ordinary import DecodedOrdinary
from wavemma.machine.device import Device

TARGET, COUNT, ROUNDS = "gfx1250", 600, 2
SOURCE = """
extern "C" __attribute__((global, amdgpu_flat_work_group_size(32, 32), amdgpu_waves_per_eu(1, 1)))
void many(const float *x, float *out, int rounds) {
  unsigned lane = __builtin_amdgcn_workitem_id_x();
  float own[COUNT];
#pragma unroll
  for (int i = 0; i < COUNT; i++) own[i] = x[i * 32 + lane];
  for (int r = 0; r < rounds; r++) {
#pragma unroll
    for (int i = 0; i < COUNT; i++) own[i] = own[i] * 0.5f + own[(i + 1) % COUNT];
  }
#pragma unroll
  for (int i = 0; i < COUNT; i++) out[i * 32 + lane] = own[i];
}
"""


@pytest.mark.parametrize("interpreted", [False, True])
def test_numbers_beyond_a_bank(interpreted: bool) -> None:
    device = Device(TARGET)
    module = device.load(linked(TARGET, "-O3", f"-DCOUNT={COUNT}", source=SOURCE))
    firsts = [
        operand.first
        for each in module.listing(32)
        if isinstance(each.instruction, DecodedOrdinary)
        for operand in each.instruction.operands.values()
        if operand.kind == "vgpr"
    ]
    assert max(firsts) >= COUNT - 1
    x = np.random.default_rng(1).integers(-8, 8, (COUNT, 32)).astype(np.float32)
    places = [device.memory.allocate(x.nbytes, name) for name in ("x", "out")]
    given, got = (device.memory.array(place, np.float32, x.shape) for place in places)
    given[:] = x
    device.launch(
        module, "many", 1, 32, [*places, np.int32(ROUNDS)], interpreted=interpreted, seconds=120
    )
    want = x.copy()
    for _ in range(ROUNDS):
        for number in range(COUNT):
            want[number] = want[number] * np.float32(0.5) + want[(number + 1) % COUNT]
    assert np.array_equal(got, want)
