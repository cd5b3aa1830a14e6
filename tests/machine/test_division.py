"""Divisions that the compiler makes of scale, refine and mend, against NumPy's, bit for bit."""

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.machine.device import Device

COUNT = 1 << 14
SOURCE = """
extern "C" __attribute__((global)) void divide(const TYPE* a, const TYPE* b, TYPE* c) {
  int i = __builtin_amdgcn_workitem_id_x() + 256 * __builtin_amdgcn_workgroup_id_x();
  c[i] = a[i] / b[i];
}
"""
EDGES = [0.0, -0.0, 1.0, -3.0, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize(("word", "kind"), [("float", np.float32), ("double", np.float64)])
def test_every_quotient_is_rounded_once(word: str, kind: type) -> None:
    device = Device("gfx1100")
    module = device.load(linked("gfx1100", "-O3", source=SOURCE.replace("TYPE", word)))
    size = np.dtype(kind).itemsize
    places = [device.memory.allocate(size * COUNT, name) for name in "abc"]
    a, b, c = (device.memory.array(place, kind, (COUNT,)) for place in places)
    unsigned = f"u{size}"
    generator = np.random.default_rng(5)
    info = np.finfo(kind)
    edges = np.array([*EDGES, info.max, info.tiny, info.smallest_subnormal, -info.max], kind)
    for array in (a, b):
        array.view(unsigned)[:] = generator.integers(0, 1 << 8 * size, COUNT, dtype=unsigned)
    # Quotients near and below the smallest normal number, and all pairs of edges.
    with np.errstate(all="ignore"):
        a[: COUNT // 4] *= kind(info.tiny)
    pairs = np.stack(np.meshgrid(edges, edges)).reshape(2, -1)
    a[-pairs.shape[1] :], b[-pairs.shape[1] :] = pairs
    device.launch(module, "divide", COUNT // 256, 256, places)
    with np.errstate(all="ignore"):
        want = a / b
    nan = np.isnan(want)
    assert np.array_equal(np.isnan(c), nan)
    assert np.array_equal(c[~nan].view(unsigned), want[~nan].view(unsigned))
