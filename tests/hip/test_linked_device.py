"""Device code of several sources, linked into one: -fgpu-rdc."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hip.programs import ROOT, Ran

pytestmark = pytest.mark.slow

FIRST = r"""
#include <hip/hip_runtime.h>
#include <cstdio>
extern __device__ int table[4];
extern __device__ int twice(int);
__device__ int mine = 5;
static __device__ int hidden = 9;
__global__ void first(int *p) { p[threadIdx.x] = twice(table[threadIdx.x]) + mine + hidden; }
__global__ void second(int *p);
int main() {
  int *d, h[4], n = 100, m = 200, made = 7;
  (void)hipMalloc(&d, 16);
  for (int i = 0; i < 2; ++i) {
    first<<<1, 4>>>(d);
    (void)hipMemcpy(h, d, 16, hipMemcpyDeviceToHost);
    std::printf("%d %d ", h[0], h[3]);
    second<<<1, 4>>>(d);
    (void)hipMemcpy(h, d, 16, hipMemcpyDeviceToHost);
    std::printf("%d\n", h[0]);
    (void)hipMemcpyToSymbol(HIP_SYMBOL(mine), &n, 4);
    (void)hipMemcpyToSymbol(HIP_SYMBOL(hidden), &m, 4);
  }
  (void)hipMemcpyFromSymbol(&made, HIP_SYMBOL(table), 4);
  std::printf("%d\n", made);
}
"""
SECOND = r"""
#include <hip/hip_runtime.h>
#include <cassert>
__device__ int table[4] = {1, 2, 3, 4};
static __device__ int hidden = 1000;
extern __device__ int mine;
extern __device__ void grow(int *);
__device__ int twice(int x) { return x < 0 ? *new int(x) : 2 * x + hidden; }
__global__ void second(int *p) {
  assert(threadIdx.x < 4);
  p[threadIdx.x] += mine;
  if (threadIdx.x == 0) {
    printf("second %d\n", p[0]);
    grow(table);
  }
}
"""
THIRD = r"""
#include <hip/hip_runtime.h>
#include <cassert>
__device__ void grow(int *p) {
  assert(p);
  printf("grow %d\n", *p);
  *p += 1;
  __threadfence();
}
"""
# 2 * table + hidden of the second, + mine + hidden of the first; then mine again.
TOLD = """1016 1022 second 1021
grow 1
1021
1304 1308 second 1404
grow 2
1404
3
"""


def ran(folder: Path, *words: str, sources: tuple[str, ...] = (FIRST, SECOND, THIRD)) -> Ran:
    names = [f"{number}.hip" for number in range(len(sources))]
    for name, text in zip(names, sources, strict=True):
        (folder / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "wavemma", "run", *names, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(
    ("target", "flags"),
    [
        ("gfx1201", ""),
        pytest.param("gfx1100", "-O0", marks=pytest.mark.nightly),
        pytest.param("gfx942", "-O1 -g", marks=pytest.mark.nightly),
    ],
)
def test_functions_and_variables_of_other_sources(target: str, flags: str, tmp_path: Path) -> None:
    done = ran(tmp_path, "--target", target, f"--flags=-fgpu-rdc {flags}", "--save-temps", "temps")
    assert (done.code, done.out, done.err) == (0, TOLD, "")
    temporaries = {each.name for each in (tmp_path / "temps").iterdir()}
    assert {f"program-{target}.hsaco", "0-host.o", "2-host.o", "program.so"} <= temporaries


@pytest.mark.nightly
def test_what_is_missing_is_told(tmp_path: Path) -> None:
    two = (FIRST, SECOND)
    apart = ran(tmp_path, "--target", "gfx1100", sources=two)
    assert apart.code == 125
    assert "undefined" in apart.err
    assert "--flags=-fgpu-rdc" in apart.err
    missing = ran(tmp_path, "--target", "gfx1100", "--flags=-fgpu-rdc", sources=two)
    assert missing.code == 125
    assert "undefined hidden symbol: grow(int*)" in missing.err


@pytest.mark.nightly
def test_a_wrong_builtin_is_named(tmp_path: Path) -> None:
    text = """#include <hip/hip_runtime.h>
    typedef _Float16 a16 __attribute__((ext_vector_type(16)));
    typedef float f8 __attribute__((ext_vector_type(8)));
    __global__ void k(a16 *a, f8 *c) {
      c[0] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a[0], a[1], c[0]);
    }
    int main() {}"""
    done = ran(tmp_path, "--target", "gfx1201", "--flags=-fgpu-rdc", sources=(THIRD, text))
    assert done.code == 125
    assert "1.hip:5: " in done.err
    assert "does not exist on gfx1201" in done.err
