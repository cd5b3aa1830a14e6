"""Names of functions as sources write them, from symbols that a compiler makes."""

import subprocess
import sys
from pathlib import Path

import pytest

from wavemma.objects.source_name import kernel_words, source_name

SOURCE = """
#define __global__ __attribute__((global))
__global__ void plain(float*, int) {}
extern "C" __global__ void bare(float*) {}
static __global__ void hidden(int) {}
template <class T, int N> __global__ void made(T*) {}
template __global__ void made<float, 4>(float*);
namespace tiles { namespace inner { __global__ void deep(int n) {} }
namespace { __global__ void alone(int n) {} } }
__global__ void pairs(int (*f)[3], const char* s) {}
void use() { hidden<<<1, 1>>>(1); tiles::alone<<<1, 1>>>(1); }
"""
LAUNCH = """
struct dim3 { unsigned x, y, z; dim3(unsigned x) : x(x), y(1), z(1) {} };
extern "C" unsigned __hipPushCallConfiguration(dim3, dim3, unsigned long = 0, void* = 0);
extern "C" int hipLaunchKernel(const void*, dim3, dim3, void**, unsigned long, void*);
"""
ZIG = [sys.executable, "-m", "ziglang", "clang"]
NAMES = {"plain", "bare", "hidden", "made", "tiles::inner::deep", "pairs"}


@pytest.mark.slow
@pytest.mark.oracle
def test_names_that_a_compiler_mangles(tmp_path: Path) -> None:
    source, output = tmp_path / "names.hip", tmp_path / "names.s"
    source.write_text(LAUNCH + SOURCE)
    words = ["-x", "hip", "--offload-arch=gfx1100", "-nogpulib", "-nogpuinc"]
    command = [*ZIG, *words, "--offload-device-only", "-S", str(source), "-o", str(output)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    text = output.read_text()
    symbols = {line.split()[1] for line in text.splitlines() if ".amdhsa_kernel" in line}
    assert {source_name(each) for each in symbols} >= NAMES
    assert len(symbols) == len(NAMES) + 1


@pytest.mark.parametrize("symbol", ["", "_Z", "_Zv", "_ZN", "_Z99short", "main", "_R3abc"])
def test_what_is_not_known_stays_or_is_short(symbol: str) -> None:
    assert source_name(symbol) in (symbol, symbol[4:])


def test_a_kernel_has_its_symbol_behind_its_name_once() -> None:
    assert kernel_words("_Z5storeIfEvPT_i") == "store (_Z5storeIfEvPT_i)"
    assert kernel_words("gemm") == "gemm"
