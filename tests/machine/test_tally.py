"""What a launch executed, and how sure its arithmetic is."""

import numpy as np

from tests.objects.compiled import linked
from wavemma.hip.host import LaunchRecord
from wavemma.hip.run_report import RunReport, report_lines
from wavemma.machine.device import Device
from wavemma.machine.tally import executed, line_counts

SOURCE = """
extern "C" __attribute__((global)) void root(float* x) {
  int i = __builtin_amdgcn_workitem_id_x();
  x[i] = __builtin_amdgcn_sqrtf(x[i]) + 1.0f;
}
"""


def test_functions_whose_last_bit_is_open_are_told_apart() -> None:
    device = Device("gfx1100", threads=1)
    module = device.load(linked("gfx1100", "-O3", source=SOURCE))
    place = device.memory.allocate(4 * 64, "x")
    report = device.launch(module, "root", 3, 64, [place])
    ran = executed(report.code, report.block_counts, "gfx1100")
    found = {each.name: (each.count, each.grade, each.ulps) for each in ran}
    # Three workgroups of two waves; one unit in the last place, as the manuals have it.
    assert found["v_sqrt_f32_e32"] == (6, "D", 1.0)
    assert found["v_add_f32_e32"] == (6, "V", 0.0)
    told = RunReport("gfx1100", "", [], 0.0, 0.0, 0.0, 0.0, ran)
    lines = [line for line in report_lines(told) if "grade D" in line]
    assert lines == [
        "  1 other instruction: 6 waves, modelled (grade D): v_sqrt_f32_e32 (to 1 ulp)"
    ]
    assert next(report_lines(told)).startswith("0 launches on gfx1100 executed ")
    launch = LaunchRecord("root", (3, 1, 1), (64, 1, 1), 0.0, 0.0, 0.0, 3)
    once = RunReport("gfx1100", "", [launch], 0.0, 0.0, 0.0, 0.0, ran)
    assert next(report_lines(once)).startswith("1 launch on gfx1100 executed ")
    assert np.isfinite(device.memory.array(place, np.float32, (64,))).all()


LOOP = """
extern "C" __attribute__((global)) void turn(int* x, int n) {
  for (int i = 0; i < n; ++i)
    asm volatile("s_sleep 1\\n s_sleep 1");  // in the loop
  asm volatile("s_sleep 2");  // once
  x[0] = n;
}
"""


def test_lines_are_counted_where_the_compiler_notes_them() -> None:
    device = Device("gfx1100", threads=1)
    place = device.memory.allocate(4, "x")
    counts = []
    for options in (("-O1",), ("-O1", "-g")):
        module = device.load(linked("gfx1100", *options, source=LOOP))
        report = device.launch(module, "turn", 3, 64, [place, np.int32(7)])
        counts.append(line_counts(report.code, report.block_counts, module.found.debug))
        every = sum(x.count for x in executed(report.code, report.block_counts, "gfx1100"))
    assert counts[0] == ()
    marks = ("// in the loop", "// once")
    wanted = [
        next(n for n, text in enumerate(LOOP.splitlines(), 1) if mark in text) for mark in marks
    ]
    found = {each.line.line: each.count for each in counts[1]}
    # Six waves, seven turns, two instructions; then one.
    assert [found[line] for line in wanted] == [6 * 7 * 2, 6]
    assert sum(found.values()) <= every
    assert [each.count for each in counts[1]] == sorted(found.values(), reverse=True)
