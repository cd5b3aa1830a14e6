"""Programs from the command line to the machine and back."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hip.programs import ROOT, Ran

pytestmark = pytest.mark.slow

PROGRAM = r"""
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <vector>
extern int threads;
__global__ void hello(int limit) {
  printf("%s %d of %u: %5.2f\n", "thread", (int)threadIdx.x, blockDim.x, 0.5 * threadIdx.x);
  assert((int)threadIdx.x < limit);
}
__global__ void sum(const int *a, int *total, int n) {
  int s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[i];
  for (int d = warpSize / 2; d; d /= 2) s += __shfl_down(s, d);
  if (threadIdx.x % warpSize == 0) atomicAdd(total, s);
}
__global__ void rounds(int *p) {
  auto grid = cooperative_groups::this_grid();
  for (int i = 0; i < 3; ++i) {
    if (threadIdx.x == 0) atomicAdd(p + i, 1);
    grid.sync();
    if (p[i] != (int)gridDim.x) p[3] = 1;
  }
}
__global__ void maths(const float *x, float *y) {
  int i = threadIdx.x;
  float v = x[i], *out = y + 12 * i;
  *out++ = sinf(v); *out++ = cosf(v); *out++ = tanhf(v); *out++ = erff(v);
  *out++ = powf(fabsf(v), 1.5f); *out++ = expf(v); *out++ = logf(fabsf(v)); *out++ = atan2f(v, 2.f);
  *out++ = cbrtf(v); *out++ = log1pf(fabsf(v)); *out++ = std::sqrt(fabsf(v)); *out++ = expm1f(v);
}
__global__ void votes(int *p) {
  int i = threadIdx.x;
  p[i] = __syncthreads_count(i % 3 == 0) + 1000 * __syncthreads_or(i == 5) +
         2000 * __syncthreads_and(i < 64) + 10000 * __popcll(__ballot(i & 1));
}
template <typename T> std::vector<T> back(const T *d, int n) {
  std::vector<T> h(n);
  (void)hipMemcpy(h.data(), d, n * sizeof(T), hipMemcpyDeviceToHost);
  return h;
}
int main(int count, char **) {
  hello<<<1, threads>>>(count > 1 ? 1 : 100);
  std::vector<int> a(1000, 3);
  int *d, *t;
  (void)hipMalloc(&d, 4000);
  (void)hipMalloc(&t, 64);
  (void)hipMemset(t, 0, 64);
  (void)hipMemcpy(d, a.data(), 4000, hipMemcpyHostToDevice);
  sum<<<1, 256>>>(d, t, 1000);
  std::printf("%d\n", back(t, 1)[0]);
  (void)hipMemset(t, 0, 64);
  void *arguments[] = {&t};
  (void)hipLaunchCooperativeKernel(rounds, dim3(6), dim3(64), arguments, 0, 0);
  for (int n : back(t, 4)) std::printf("%d ", n);
  float x[64], *dx, *dy;
  for (int i = 0; i < 64; ++i) x[i] = (i - 31.5f) * 0.37f;
  (void)hipMalloc(&dx, 256);
  (void)hipMalloc(&dy, 64 * 12 * 4);
  (void)hipMemcpy(dx, x, 256, hipMemcpyHostToDevice);
  maths<<<1, 64>>>(dx, dy);
  auto y = back(dy, 64 * 12);
  double worst = 0;
  for (int i = 0; i < 64; ++i) {
    double v = x[i], s = std::fabs(v);
    double exact[12] = {sin(v), cos(v), tanh(v), erf(v), pow(s, 1.5), exp(v),
                        log(s), atan2(v, 2.0), cbrt(v), log1p(s), sqrt(s), expm1(v)};
    for (int k = 0; k < 12; ++k) worst = std::fmax(worst, std::fabs(y[12 * i + k] / exact[k] - 1));
  }
  votes<<<1, 64>>>(d);
  std::printf("\n%s\n%d\n", worst < 2e-7 ? "near" : "far", back(d, 64)[63]);
  return 5;
}
"""


def ran(folder: Path, *words: str) -> Ran:
    (folder / "a.hip").write_text(PROGRAM)
    (folder / "b.hip").write_text("int threads = NUMBER;\n")
    command = [sys.executable, "-m", "wavemma", "run", "a.hip", "b.hip", "-D", "NUMBER=2"]
    done = subprocess.run(
        [*command, *words],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT / "src"), "HOME": str(Path.home()), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("whole")


def test_a_program_of_two_sources(folder: Path) -> None:
    done = ran(folder, "--target", "gfx1100", "--report", "r.json", "--save-temps", "temps")
    assert done.code == 5, done
    # 22 of 64 are multiples of 3; some is 5, all are below 64, 16 of 32 lanes are odd.
    wanted = "thread 0 of 2:  0.00\nthread 1 of 2:  0.50\n3000\n6 6 6 0 \nnear\n163022\n"
    assert done.out == wanted
    report = json.loads((folder / "r.json").read_text())
    assert [each["grid"][0] for each in report["launches"]] == [1, 1, 6, 1, 1]
    assert sorted(each.name for each in (folder / "temps").iterdir()) == [
        "a-gfx1100.hsaco",
        "a-host.o",
        "b-gfx1100.hsaco",
        "b-host.o",
        "program.so",
    ]


def test_an_assertion_ends_the_program(folder: Path) -> None:
    done = ran(folder, "--target", "gfx1100", "--report", "f.json", "--", "more")
    assert done.code == 126
    assert "Device-side assertion `(int)threadIdx.x < limit' failed" in done.out + done.err
    assert "a.hip:11, traps: the program called abort, or an assertion failed" in done.err
    assert json.loads((folder / "f.json").read_text())["launches"] == []


def test_mistakes_before_the_program_are_ours(folder: Path) -> None:
    assert "is a gfx942" in ran(folder, "--target", "gfx1100", "--device", "MI300X").err
    unknown = ran(folder, "--target", "gfx1109")
    assert (unknown.code, unknown.out) == (125, "")
    bad = ran(folder, "--target", "gfx1100", "--flags", "-UNUMBER -Wall")
    assert bad.code == 125
    assert "b.hip:1:" in bad.err
    assert "Traceback" not in bad.err


@pytest.mark.parametrize(
    ("name", "words", "lines"),
    [("gemm.hip", ("64",), 2)],
)
def test_examples_verify_themselves(name: str, words: tuple[str, ...], lines: int) -> None:
    command = [sys.executable, "-m", "wavemma", "run", str(ROOT / "examples" / name)]
    done = subprocess.run(
        [*command, "--device", "RX 7900 XTX", "--", *words],
        env={"PYTHONPATH": str(ROOT / "src"), "HOME": str(Path.home()), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done
    assert done.stdout.count("PASSED") == lines
    assert "Radeon RX 7900 XTX (gfx1100)" in done.stdout
