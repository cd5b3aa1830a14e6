"""What a launch executed, and how sure its arithmetic is."""

import numpy as np

from tests.objects.compiled import linked
from wavemma.machine.device import Device
from wavemma.machine.tally import executed

SOURCE = """
extern "C" __attribute__((global)) void raise(float* x) {
  int i = __builtin_amdgcn_workitem_id_x();
  x[i] = __builtin_amdgcn_exp2f(x[i]) + 1.0f;
}
"""


def test_functions_whose_last_bit_is_open_are_told_apart() -> None:
    device = Device("gfx1100", threads=1)
    module = device.load(linked("gfx1100", "-O3", source=SOURCE))
    place = device.memory.allocate(4 * 64, "x")
    report = device.launch(module, "raise", 3, 64, [place])
    grades = {
        each.name: (each.count, each.grade)
        for each in executed(report.code, report.block_counts, "gfx1100")
    }
    # Three workgroups of two waves.
    assert grades["v_exp_f32_e32"] == (6, "D")
    assert grades["v_add_f32_e32"] == (6, "V")
    assert np.isfinite(device.memory.array(place, np.float32, (64,))).all()
