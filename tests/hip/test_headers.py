"""Every header compiles on both sides without a warning, and what it declares is there."""

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

import wavemma.hip.calls
from tests.hip.programs import ROOT, request
from wavemma.errors import CompileMistake
from wavemma.hip.build_cache import default_folder
from wavemma.hip.compiler import includes
from wavemma.hip.declarations import calls
from wavemma.hip.forwarders import forwarded
from wavemma.hip.interface import answered
from wavemma.hip.request import Request
from wavemma.hip.toolchain import Toolchain
from wavemma.objects import code_object

pytestmark = pytest.mark.slow
assert wavemma.hip.calls

HEADERS = sorted(path.name for path in (includes() / "hip").glob("*.h"))
# Programs define single letters, on the command line too; the headers must not use them.
LETTERS = tuple(f"-D{letter}=0" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
STRICT = ("-Wall", "-Wextra", "-Werror", *LETTERS)
USES = r"""
#include <algorithm>
#include <cassert>
namespace cg = cooperative_groups;
__global__ void uses(__half *h, __half2 *h2, __hip_bfloat16 *b, __hip_bfloat162 *b2,
                     hip_bfloat16 *o, __hip_fp8_e4m3 *e, hipFloatComplex *z, float *f, int *n) {
  unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  assert(i < 64);
  h[i] = __hadd(h[i], h[i + 1]) * h[i + 2] + __float2half(f[i]);
  h[i] += hsqrt(h[i]);
  h2[i] = __hfma2(h2[i], h2[i], h2[i + 1]) * h2[i];
  if (h[i] > h[0] || __hgt(h[i], h[1])) h[i] = hexp(-h[i]) + __habs(h[i]);
  b[i] = b[i] * b[i] + __float2bfloat16(f[i]);
  b2[i] = __hadd2(b2[i], b2[i]);
  o[i] = o[i] * o[i];
  f[i] = __half2float(h[i]) + __bfloat162float(b[i]) + (float)o[i] + (float)e[i] + hipCabsf(z[i]);
  e[i] = __hip_fp8_e4m3(f[i]);
  z[i] = hipCmulf(z[i], z[i]);
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  f[i] += tile.shfl_down(f[i], 4) + (float)tile.ballot(1) + (float)tile.any(f[i] > 0);
  cg::this_grid().sync();
  n[0] = __popc((unsigned)n[1]) + __ffs(n[2]) + __shfl_xor(n[3], 1) + __any(n[4]) + warpSize;
  atomicAdd(n, 1);
  atomicAdd(f, 1.0f);
  atomicMax(n, 2);
  n[1] = atomicCAS(n, 1, 2) + (int)atomicInc((unsigned *)n, 3u);
  float4 v = make_float4(1, 2, 3, 4);
  v += 2.0f;
  f[1] = (v * v - v).w + std::sqrt(f[2]) + std::sin(f[3]) + powf(f[4], f[5]) + std::max(f[6], f[7]);
  printf("%d %s %f\n", n[0], "text", f[1]);
}
int main() { return hipGetLastError() == hipSuccess ? 0 : 1; }
"""


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx942"])
def test_headers_compile_for_host_and_device(target: str, tmp_path: Path) -> None:
    text = "".join(f"#include <hip/{name}>\n" for name in HEADERS) + USES
    chain = Toolchain(request(text, tmp_path, target, STRICT))
    found = code_object(chain.device_code(tmp_path / "program.hip").read_bytes())
    assert len(found.kernels) == 1
    assert found.target == target
    assert chain.build().program.exists()


@pytest.mark.parametrize("name", HEADERS)
def test_each_header_stands_alone(name: str, tmp_path: Path) -> None:
    source = tmp_path / "program.hip"
    source.write_text(f"#include <hip/{name}>\n")
    chain = Toolchain(Request(sources=(source,), target="gfx1100", cache_folder=default_folder()))
    assert chain.device_code(source).exists()


def test_there_are_headers() -> None:
    assert len(HEADERS) == 16


WALK = """
import ctypes, sys
from pathlib import Path
library = ctypes.CDLL(sys.argv[1])
for name in sys.argv[2:]:
    call = getattr(library, name)
    assert [call(*[0] * 12) for _ in range(2)] == [801, 801], name
"""


def test_what_is_not_answered_says_so_once(tmp_path: Path) -> None:
    chain = Toolchain(request("int main() {}", tmp_path, "gfx1100"))
    runtime = chain.runtime()
    library = ctypes.CDLL(str(runtime))
    for name in calls():
        assert getattr(library, name), name
    silent = [each.name for each in forwarded() if each.name not in answered()]
    assert 20 < len(silent) < 60
    done = subprocess.run(
        [sys.executable, "-c", WALK, str(runtime), *silent],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [f"wavemma: {name} is not supported: it returns an error." for name in silent]
    assert done.stderr.splitlines() == lines


def test_bad_source_is_told_as_the_compiler_tells_it(tmp_path: Path) -> None:
    with pytest.raises(
        CompileMistake, match=r"program.hip:2:1: error: a type specifier is required"
    ):
        Toolchain(request("\noops;", tmp_path, "gfx1100")).build()


def test_a_wrong_builtin_is_named_instead_of_a_crash(tmp_path: Path) -> None:
    text = """#include <hip/hip_runtime.h>
    typedef _Float16 a16 __attribute__((ext_vector_type(16)));
    typedef float f8 __attribute__((ext_vector_type(8)));
    __global__ void k(a16 *a, f8 *c) {
      c[0] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a[0], a[1], c[0]);
    }"""
    with pytest.raises(CompileMistake, match=r"(?s)program.hip:5: .*does not exist on gfx1201"):
        Toolchain(request(text, tmp_path, "gfx1201")).build()
    assert Toolchain(request(text, tmp_path, "gfx1100")).device_code(tmp_path / "program.hip")


def test_flags_of_other_builds_are_taken(tmp_path: Path) -> None:
    flags = "-std=c++20 -ffast-math -munsafe-fp-atomics -fgpu-rdc --offload-arch=gfx90a -Wall"
    text = "#include <hip/hip_runtime.h>\n__global__ void k(float *a) { *a = sinf(*a); }\n"
    said: list[str] = []
    asked = request(f"{text}int main() {{}}", tmp_path, "gfx1100", tuple(flags.split()))
    assert Toolchain(asked, said.append).build().program.exists()
    assert said == []


def test_a_function_that_is_nowhere_is_a_mistake(tmp_path: Path) -> None:
    text = "int nowhere(); int main() { return nowhere(); }"
    with pytest.raises(CompileMistake, match="undefined symbol: nowhere"):
        Toolchain(request(text, tmp_path, "gfx1100")).build()
