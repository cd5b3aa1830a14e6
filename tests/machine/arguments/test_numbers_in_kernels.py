"""What kernels find when they start, told by kernels that write it down."""

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.errors import LaunchMistake
from wavemma.machine.device import Device

SOURCE = """
#define __global__ __attribute__((global))
typedef unsigned int u32;
extern "C" __global__ void numbers(u32 *out, int sx, int sy, int sz, int gx, int gy) {
  int flat = T_x() + sx * (T_y() + sy * T_z());
  int group = G_x() + gx * (G_y() + gy * G_z());
  u32 *own = out + 7 * (flat + sx * sy * sz * group);
  own[0] = T_x(); own[1] = T_y(); own[2] = T_z();
  own[3] = G_x(); own[4] = G_y(); own[5] = G_z();
  own[6] = 1;
}
""".replace("G_", "__builtin_amdgcn_workgroup_id_").replace("T_", "__builtin_amdgcn_workitem_id_")
SHAPES = [((3, 2, 4), (8, 3, 5)), ((2, 1, 1), (1, 1, 1)), ((1, 3, 2), (33, 2, 1))]
BUILDS = [
    ("gfx1100", "-O3"),
    ("gfx1100", "-O3", "-mwavefrontsize64"),
    ("gfx1101", "-O1"),
    ("gfx1201", "-O3"),
    ("gfx1201", "-O1", "-mwavefrontsize64"),
]


@pytest.mark.parametrize("build", BUILDS, ids=" ".join)
@pytest.mark.parametrize(("grid", "block"), SHAPES)
def test_numbers_of_work_items(build, grid, block):
    device = Device(build[0])
    module = device.load(linked(*build, source=SOURCE))
    items, groups = int(np.prod(block)), int(np.prod(grid))
    out = device.memory.allocate(4 * 7 * items * groups)
    shape = [np.int32(n) for n in (*block, grid[0], grid[1])]
    device.launch(module, "numbers", grid, block, [out, *shape])
    found = device.memory.array(out, np.uint32, (groups * items, 7))
    # Flat numbers run along x first.
    z, y, x = (axis.ravel() for axis in np.indices(block[::-1]))
    gz, gy, gx = (axis.ravel() for axis in np.indices(grid[::-1]))
    for column, values in enumerate((x, y, z)):
        assert np.array_equal(found[:, column], np.tile(values, groups))
    for column, values in enumerate((gx, gy, gz)):
        assert np.array_equal(found[:, 3 + column], np.repeat(values, items))
    assert np.all(found[:, 6] == 1)


TYPED = """
struct Pair { int a; float b; };
typedef unsigned short small;
extern "C" __attribute__((global)) void sum(
    double *out, int i, small s, float f, double d, _Float16 h, bool flag, long long l, Pair p) {
  *out = i + s + f + d + (float)h + flag + (double)l + p.a;
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_bare_numbers_where_debug_information_tells_their_types(level):
    device = Device("gfx1100", threads=1)
    out = device.memory.allocate(8)
    pair = np.array([(64, 0.5)], dtype=[("a", "i4"), ("b", "f4")])
    numbers = [-1, 65535, 0.25, 2.0**-20, 1.5, True, 1 << 40, pair]
    module = device.load(linked("gfx1100", level, "-g", source=TYPED))
    device.launch(module, "sum", 1, 1, [out, *numbers])
    want = -1 + 65535 + 0.25 + 2.0**-20 + 1.5 + 1 + 2.0**40 + 64
    assert device.memory.array(out, np.float64, (1,)).tolist() == [want]
    with pytest.raises(LaunchMistake, match="must be a whole number from 0 to 65535; got 65536"):
        device.launch(module, "sum", 1, 1, [out, -1, 65536, *numbers[2:]])
    bare = device.load(linked("gfx1100", level, source=TYPED))
    with pytest.raises(LaunchMistake, match="A bare number has no size"):
        device.launch(bare, "sum", 1, 1, [out, *numbers])


WIDENED = """
extern "C" __attribute__((global)) void sum(int *out, int a, int b, int c) {
  out[0] = 0;
  for (int k = 0; k < a; k++) out[0] += b * k + c;
}
"""


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx942"])
def test_three_words_may_be_read_as_four(target):
    device = Device(target, threads=1)
    out = device.memory.allocate(4)
    module = device.load(linked(target, "-O3", source=WIDENED))
    # Where no instruction loads three words, compilers load four, the last behind all arguments.
    assert module.kernel("sum").metadata.kernarg_segment_size == 8 + 3 * 4
    device.launch(module, "sum", 1, 1, [out, np.int32(5), np.int32(3), np.int32(7)])
    assert device.memory.array(out, np.int32, (1,))[0] == 3 * 10 + 5 * 7
