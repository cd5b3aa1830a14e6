"""Whole programs on a stand-in for the machine: calls, exits, faults. ziglang builds them."""

import json
import signal
from pathlib import Path

import pytest

from tests.hip.programs import ran

pytestmark = pytest.mark.slow

SCALE = r"""
#include <hip/hip_runtime.h>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <numeric>
#include <string>
#include <unistd.h>
#include <vector>
#define CHECK(x) do { hipError_t e = (x); if (e) { \
    std::cerr << #x << ": " << hipGetErrorName(e) << "\n"; std::exit(9); } } while (0)
__device__ int counter = 5;
__constant__ float table[4] = {1, 2, 3, 4};
__managed__ int shared_by_both = 11;
__global__ void scale(float *a, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] * factor + gridDim.x + counter - 5 + table[0] - 1 + shared_by_both - 11;
}
__global__ void breaks(int *p) { *p = 1; }
__global__ void loops(int *p) { while (*p) ; }
__global__ void confuses(int *p) { *p = 2; }
static float *global = [] { float *p = nullptr; (void)hipMalloc(&p, 64); return p; }();
int main(int count, char **words) {
  std::string what = count > 1 ? words[1] : "";
  if (what == "exit") { std::cout << "before"; std::exit(41); }
  if (what == "abort") { std::cout << "before" << std::flush; std::abort(); }
  if (what == "crash") { raise(SIGSEGV); }
  if (what == "throw") { throw 1; }
  if (what == "fork") { if (fork() == 0) _exit(3); return 4; }
  if (what == "breaks") { std::cout << "before\n"; breaks<<<1, 1>>>(nullptr); return 0; }
  if (what == "loops") { loops<<<1, 1>>>(nullptr); return 0; }
  if (what == "confuses") { confuses<<<1, 1>>>(nullptr); return 0; }
  std::vector<float> a(1000);
  std::iota(a.begin(), a.end(), 0.0f);
  float *d;
  CHECK(hipMalloc(&d, 4000));
  CHECK(hipMemcpy(d, a.data(), 4000, hipMemcpyHostToDevice));
  scale<<<4, dim3(256)>>>(d, 0.5f, 1000);
  CHECK(hipGetLastError());
  hipLaunchKernelGGL(scale, dim3(4), dim3(256), 0, 0, d, 2.0f, 1000);
  CHECK(hipMemcpy(a.data(), d, 4000, hipMemcpyDeviceToHost));
  for (int i = 0; i < 1000; ++i)
    if (a[i] != (i * 0.5f + 4) * 2 + 4) { std::cout << i << " is " << a[i] << "\n"; return 1; }
  int value = 0;
  CHECK(hipMemcpyFromSymbol(&value, counter, 4));
  float numbers[4];
  CHECK(hipMemcpyFromSymbol(numbers, HIP_SYMBOL(table), 16));
  size_t size = 0;
  CHECK(hipGetSymbolSize(&size, table));
  std::cout << value << " " << numbers[3] << " " << size << " " << shared_by_both << " "
            << (global != nullptr) << "\n";
  if (hipMemcpy(d, a.data(), 4001, hipMemcpyHostToDevice) != hipErrorInvalidValue) return 2;
  if (hipPeekAtLastError() != hipErrorInvalidValue) return 3;
  if (hipGetLastError() != hipErrorInvalidValue || hipGetLastError() != hipSuccess) return 4;
  CHECK(hipFree(d));
  if (hipFree(d) == hipSuccess) return 5;
  return 7;
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scale")


def test_a_program_computes_and_its_code_is_passed_on(folder: Path) -> None:
    report = folder / "report.json"
    done = ran(SCALE, folder, report=str(report))
    assert (done.code, done.out) == (7, "5 4 16 11 1\n"), done
    assert "4,001 bytes" in done.err
    assert "has been freed already" in done.err
    found = json.loads(report.read_text())
    assert [each["grid"] for each in found["launches"]] == [[4, 1, 1], [4, 1, 1]]
    assert found["host_seconds"] == 0.5


def test_a_program_may_leave_in_any_way(folder: Path) -> None:
    assert ran(SCALE, folder, "exit")[:2] == (41, "before")
    assert ran(SCALE, folder, "abort")[:2] == (-signal.SIGABRT, "before")
    assert ran(SCALE, folder, "crash").code == -signal.SIGSEGV
    assert ran(SCALE, folder, "throw").code == -signal.SIGABRT
    assert ran(SCALE, folder, "fork").code == 4


def test_faults_have_codes_of_their_own(folder: Path) -> None:
    broken = ran(SCALE, folder, "breaks")
    assert (broken.code, broken.out) == (126, "before\n")
    assert "outside of every allocation" in broken.err
    assert ran(SCALE, folder, "loops").code == 124
    confused = ran(SCALE, folder, "confuses")
    assert confused.code == 125
    assert "a fault of ours" in confused.err


EVENTS = r"""
#include <hip/hip_runtime.h>
#include <hip/hip_ext.h>
#include <cstdio>
__global__ void scale(float *a, float factor, int n) {
  if (threadIdx.x < n) a[threadIdx.x] *= factor;
}
int main() {
  hipDeviceProp_t p;
  if (hipGetDeviceProperties(&p, 0)) return 1;
  if (hipGetDeviceProperties(&p, 1) != hipErrorInvalidDevice) return 1;
  int processors = 0, devices = 0, warp = 0;
  if (hipDeviceGetAttribute(&processors, hipDeviceAttributeMultiprocessorCount, 0)) return 2;
  if (hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, 0)) return 2;
  if (hipGetDeviceCount(&devices)) return 3;
  std::printf("%s|%s|%d|%d|%d|%zu|%d|%d.%d\n", p.name, p.gcnArchName, p.warpSize, processors,
              devices, p.sharedMemPerBlock, warp, p.major, p.minor);
  float *a; hipEvent_t start, stop; float ms = -1;
  if (hipMalloc(&a, 256) || hipEventCreate(&start) || hipEventCreate(&stop)) return 4;
  if (hipEventElapsedTime(&ms, start, stop) != hipErrorInvalidHandle) return 5;
  if (hipMemset(a, 0, 256)) return 6;
  hipExtLaunchKernelGGL(scale, dim3(1), dim3(64), 0, 0, start, stop, 0, a, 2.f, 64);
  if (hipEventSynchronize(stop) || hipEventElapsedTime(&ms, start, stop)) return 7;
  if (ms < 0) return 8;
  float back[64];
  if (hipMemcpy(back, a, 256, hipMemcpyDeviceToHost) || back[63] != 1.f) return 9;
  hipStream_t s;
  if (hipStreamCreate(&s) || hipStreamSynchronize(s) || hipStreamDestroy(s)) return 10;
  if (hipStreamSynchronize(s) != hipErrorInvalidHandle) return 11;
  void *none = &none;
  if (hipMalloc(&none, p.totalGlobalMem + 1) != hipErrorOutOfMemory) return 12;
  int can = 1;
  if (hipDeviceCanAccessPeer(&can, 0, 0) || can) return 13;
  hipFuncAttributes f;
  if (hipFuncGetAttributes(&f, scale) || f.maxThreadsPerBlock != 1024 || f.numRegs < 1) return 14;
  int blocks = 0, grid = 0, block = 0;
  if (hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0)) return 15;
  if (hipOccupancyMaxPotentialBlockSize(&grid, &block, scale)) return 16;
  std::printf("%d %d %d\n", blocks, grid, block);
  return 0;
}
"""


def test_device_and_events(tmp_path: Path) -> None:
    done = ran(EVENTS, tmp_path)
    assert done.code == 0, done
    first, second = done.out.splitlines()
    assert first == "Radeon RX 7900 XTX|gfx1100|32|48|1|65536|32|11.0"
    # Four SIMDs of 16 waves each hold 8 blocks of 8 waves; 48 such hold 96 blocks of 1024.
    assert second == "8 96 1024"
    cdna = ran(EVENTS, tmp_path, target="gfx942", device="AMD Instinct MI300X")
    assert cdna.out.splitlines()[0].startswith(
        "AMD Instinct MI300X|gfx942:sramecc+:xnack-|64|304|1"
    )


RUNTIME_COMPILER = r"""
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
#include <cstdio>
#include <vector>
const char *text = "#include \"extra.h\"\n"
  "template <typename T> __global__ void scale(T *a, T f, int n) {\n"
  "  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = a[i] * f + NUMBER; }\n";
int main() {
  const char *headers[] = {"#pragma once\n#include <parts/number.h>\n",
                           "#pragma once\n#define NUMBER gridDim.x\n__device__ int kept[3];\n"};
  const char *names[] = {"extra.h", "parts/number.h"}, *variable;
  hiprtcProgram p;
  if (hiprtcCreateProgram(&p, text, "k.hip", 2, headers, names)) return 1;
  const char *other;
  if (hiprtcAddNameExpression(p, "scale<float>") || hiprtcAddNameExpression(p, " &scale<int>"))
    return 2;
  if (hiprtcAddNameExpression(p, "kept")) return 17;
  const char *options[] = {"-O3", "--offload-arch=gfx90a"};
  if (hiprtcCompileProgram(p, 2, options)) {
    size_t n; (void)hiprtcGetProgramLogSize(p, &n); std::vector<char> log(n);
    (void)hiprtcGetProgramLog(p, log.data()); std::puts(log.data()); return 3; }
  size_t size; const char *lowered;
  if (hiprtcGetCodeSize(p, &size) || hiprtcGetLoweredName(p, "scale<float>", &lowered)) return 4;
  if (hiprtcGetLoweredName(p, " &scale<int>", &other)) return 16;
  if (hiprtcGetLoweredName(p, "kept", &variable)) return 18;
  std::vector<char> code(size);
  if (hiprtcGetCode(p, code.data())) return 5;
  hipModule_t m; hipFunction_t f;
  if (hipModuleLoadData(&m, code.data()) || hipModuleGetFunction(&f, m, lowered)) return 6;
  hipDeviceptr_t kept; size_t kept_bytes;
  if (hipModuleGetGlobal(&kept, &kept_bytes, m, variable) || kept_bytes != 12) return 19;
  if (hipModuleGetFunction(&f, m, "nothing") != hipErrorNotFound) return 7;
  float *a; float factor = 3; int n = 8;
  if (hipMalloc(&a, 32) || hipMemset(a, 0, 32)) return 8;
  void *arguments[] = {&a, &factor, &n};
  if (hipModuleLaunchKernel(f, 2, 1, 1, 4, 1, 1, 0, 0, arguments, nullptr)) return 9;
  struct { float *a; float f; int n; } packed = {a, 2, 8};
  size_t bytes = sizeof packed;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   HIP_LAUNCH_PARAM_END};
  if (hipModuleLaunchKernel(f, 2, 1, 1, 4, 1, 1, 0, 0, nullptr, extra)) return 10;
  float back[8];
  if (hipMemcpy(back, a, 32, hipMemcpyDeviceToHost)) return 11;
  std::printf("%s %g %s\n", lowered, back[7], other);
  hiprtcProgram bad;
  if (hiprtcCreateProgram(&bad, "__global__ void k() { oops; }", 0, 0, 0, 0)) return 12;
  if (hiprtcCompileProgram(bad, 0, 0) != HIPRTC_ERROR_COMPILATION) return 13;
  if (hiprtcGetProgramLogSize(bad, &size)) return 14;
  std::vector<char> log(size);
  if (hiprtcGetProgramLog(bad, log.data())) return 15;
  std::puts(log.data());
  return 0;
}
"""


def test_code_compiled_while_the_program_runs(tmp_path: Path) -> None:
    done = ran(RUNTIME_COMPILER, tmp_path)
    assert done.code == 0, done
    # 0 * 3 + 2, and that * 2 + 2.
    assert done.out.splitlines()[0] == "_Z5scaleIfEvPT_S0_i 6 _Z5scaleIiEvPT_S0_i"
    assert "program.hip:1:" in done.out
    assert "use of undeclared identifier 'oops'" in done.out
