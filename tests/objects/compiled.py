"""Code objects made by ziglang's clang from sources whose numbers the tests know."""

import functools
import subprocess
import sys
import tempfile
from pathlib import Path

HIP = """
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
__constant__ int table[4] = {11, 22, 33, 44};
__device__ int counter = 7;
__device__ float big[100];
__device__ const int *pointer = &table[2];
__device__ __attribute__((noinline)) int helper(int x) { return x * table[x & 3]; }
struct Mixed { char c; double d; short s[3]; };
extern "C" __global__ void arguments(float *a, const int *b, char c, double d, Mixed m, short h) {
  __attribute__((shared)) static int lds[321];
  int i = __builtin_amdgcn_workitem_id_x();
  lds[i] = b[i] + c;
  __builtin_amdgcn_s_barrier();
  a[i] = lds[320 - i] + (float)d + (float)m.d + h;
}
extern "C" __global__ void __attribute__((amdgpu_flat_work_group_size(1, 256)))
scratch(int *p, int n) {
  int i = __builtin_amdgcn_workitem_id_y() + __builtin_amdgcn_workgroup_id_y() * 3;
  volatile int array[50];
  array[i & 31] = n;
  array[(i + 3) & 31] = helper(i);
  p[i] = array[n & 31] + counter + (int)big[i % 100] + *pointer;
}
"""
HOST = """
#include <stdint.h>
int main() { return 0; }
"""
DRIVER = '#!/bin/sh\nshift 2\nexec "{python}" -m ziglang ld.lld "$@"\n'
ZIG = (sys.executable, "-m", "ziglang")
FREE = ("-nogpulib", "-nogpuinc")


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr


@functools.cache
def linked(target: str, *options: str, source: str = HIP) -> bytes:
    """Compile and link a HIP source for one target."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        lld = place / "lld"
        lld.write_text(DRIVER.format(python=sys.executable))
        lld.chmod(0o755)
        (place / "k.hip").write_text(source)
        device = ("-x", "hip", "--offload-device-only", "--no-gpu-bundle-output")
        _run(
            *ZIG, "clang", f"-B{folder}", *device, f"--offload-arch={target}", *FREE,
            *options, str(place / "k.hip"), "-o", str(place / "k.hsaco"),
        )  # fmt: skip
        return (place / "k.hsaco").read_bytes()


@functools.cache
def relocatable(target: str, *options: str, source: str = HIP) -> bytes:
    """Compile a HIP source for one target to assembly, and assemble it without linking."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "k.hip").write_text(source)
        device = ("-x", "hip", "--offload-device-only", "-S", f"--offload-arch={target}")
        _run(*ZIG, "clang", *device, *FREE, *options, str(place / "k.hip"), "-o", f"{folder}/k.s")
        machine = ("--target=amdgcn-amd-amdhsa", f"-mcpu={target}")
        _run(*ZIG, "clang", *machine, "-c", f"{folder}/k.s", "-o", f"{folder}/k.o")
        return (place / "k.o").read_bytes()
