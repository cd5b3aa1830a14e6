"""What Triton's conventions ask of a launch, with a kernel that ziglang compiles in its place."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.errors import LaunchMistake
from wavemma.machine.device import Device
from wavemma.machine.triton_kernel import load_compiled

SOURCE = """
#define __global__ __attribute__((global))
extern "C" __global__ void notes(long* out, int scale, long* scratch, long* profile) {
  extern __attribute__((shared)) int lds[];
  int item = __builtin_amdgcn_workitem_id_x(), group = __builtin_amdgcn_workgroup_id_x();
  lds[63 - item] = item;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  if (scratch) scratch[group * 64 + item] += lds[item] * scale;
  if (profile) profile[group] += 1;
  out[(group * 64 + item) * 3] = scratch ? scratch[group * 64 + item] : -1;
  out[(group * 64 + item) * 3 + 1] = profile != 0;
  out[(group * 64 + item) * 3 + 2] = lds[item];
}
"""
TYPES = {"out": "*i64", "BLOCK": "constexpr", "scale": "i32"}


def compiled(scratch: int = 0, profile: int = 0, types=TYPES, shared: int = 256):
    noted = SimpleNamespace(
        name="notes",
        num_warps=2,
        warp_size=32,
        shared=shared,
        global_scratch_size=scratch,
        profile_scratch_size=profile,
        launch_cooperative_grid=False,
    )
    asm = {"hsaco": linked("gfx1100", "-O3", source=SOURCE)}
    return SimpleNamespace(asm=asm, metadata=noted, src=SimpleNamespace(signature=types))


@pytest.mark.parametrize(("scratch", "profile"), [(0, 0), (512, 0), (512, 8)])
def test_scratch_is_lent_where_it_is_wanted(scratch: int, profile: int) -> None:
    device = Device("gfx1100")
    kernel = load_compiled(device, compiled(scratch, profile))
    place = device.memory.allocate(3 * 64 * 3 * 8)
    out = device.memory.array(place, np.int64, (3, 64, 3))
    used = device.memory.used_bytes
    # Twice: scratch of an earlier launch leaves nothing.
    for _ in range(2):
        kernel.launch(3, [place, 5])
        assert np.array_equal(out[..., 2], np.tile(np.arange(63, -1, -1), (3, 1)))
        assert np.array_equal(out[..., 0], out[..., 2] * 5 if scratch else np.full((3, 64), -1))
        assert (out[..., 1] == bool(profile)).all()
    assert device.memory.used_bytes == used
    kernel.unload()
    assert device.memory.used_bytes < used


def test_what_cannot_be_launched_is_told() -> None:
    device = Device("gfx1100")
    told = r"(?s)takes 2 arguments besides its constexpr ones, got 3.*out \(\*i64\), scale \(i32\)"
    with pytest.raises(LaunchMistake, match=told):
        load_compiled(device, compiled()).launch(1, [0, 64, 5])
    for word in ("tensordesc<fp16[64, 64]>", ("i32", "i32")):
        with pytest.raises(LaunchMistake, match=r"must be pointers or numbers .*scale is "):
            load_compiled(device, compiled(types={"out": "*i64", "scale": word}))
    other = compiled()
    other.asm = {"ptx": "", "cubin": b""}
    with pytest.raises(LaunchMistake, match=r"(?s)backend 'hip'; .*ptx, cubin.*\"gfx1100\""):
        load_compiled(device, other)
