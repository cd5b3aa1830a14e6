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
        machine = [option for option in options if option.startswith("-m")]
        return assembled(target, (place / "k.s").read_text(), *machine)


WMMA = """
typedef _Float16 half16 __attribute__((ext_vector_type(16)));
typedef float sums __attribute__((ext_vector_type({lanes})));
extern "C" __attribute__((global)) void {name}(half16 *a, half16 *b, sums *c) {{
  int i = __builtin_amdgcn_workitem_id_x();
  c[i] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w{wave}(a[i], b[i], c[i]);
}}
"""


def wmma_source(name: str, wave: int) -> str:
    """Write a kernel with one WMMA; 256 sums of f32 are 8 registers of 32 lanes or 4 of 64."""
    return WMMA.format(name=name, wave=wave, lanes=256 // wave)


def wmma_options(wave: int) -> tuple[str, ...]:
    """Give the options that compile for a wave size."""
    return ("-O1", "-mwavefrontsize64") if wave == 64 else ("-O1",)


@functools.cache
def joined(target: str, *objects: bytes) -> bytes:
    """Link relocatable objects of one target."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.o" for number in range(len(objects))]
        for path, data in zip(paths, objects, strict=True):
            path.write_bytes(data)
        _run(*ZIG, "ld.lld", "-shared", *map(str, paths), "-o", f"{folder}/k.hsaco")
        return (Path(folder) / "k.hsaco").read_bytes()


def of_both_waves(target: str) -> bytes:
    """Link a kernel of 32 lanes, "narrow", and one of 64, "wide", into one code object."""
    made = (
        relocatable(target, *wmma_options(wave), source=wmma_source(name, wave))
        for name, wave in (("narrow", 32), ("wide", 64))
    )
    return joined(target, *made)


@functools.cache
def assembled(target: str, lines: str, *options: str) -> bytes:
    """Assemble lines; options choose the machine, such as -mwavefrontsize64."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "k.s").write_text(lines)
        machine = ("--target=amdgcn-amd-amdhsa", f"-mcpu={target}")
        _run(*ZIG, "clang", *machine, *options, "-c", f"{folder}/k.s", "-o", f"{folder}/k.o")
        return (Path(folder) / "k.o").read_bytes()
