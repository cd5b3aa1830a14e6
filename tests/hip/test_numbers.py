"""Half, bfloat16 and 8-bit floats of the headers against ml_dtypes, every code of each."""

import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tests.hip.programs import ROOT, build

pytestmark = pytest.mark.slow

TEXT = r"""
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>
int main() { return 0; }
extern "C" void from_half(const unsigned short *in, float *out, int n) {
  for (int i = 0; i < n; ++i) out[i] = __half2float(__ushort_as_half(in[i]));
}
extern "C" void to_half(const float *in, unsigned short *out, int n) {
  for (int i = 0; i < n; ++i) out[i] = __half_as_ushort(__float2half(in[i]));
}
extern "C" void to_bfloat16(const float *in, unsigned short *out, int n) {
  for (int i = 0; i < n; ++i) out[i] = __bfloat16_as_ushort(__float2bfloat16(in[i]));
}
#define EIGHT(name, kind)                                                          \
  extern "C" void from_##name(const unsigned char *in, float *out, int n) {        \
    for (int i = 0; i < n; ++i) {                                                  \
      __hip_fp8_##name v;                                                          \
      v.__x = in[i];                                                               \
      out[i] = v;                                                                  \
    }                                                                              \
  }                                                                                \
  extern "C" void to_##name(const float *in, unsigned char *out, int n) {          \
    for (int i = 0; i < n; ++i) out[i] = __hip_cvt_float_to_fp8(in[i], __HIP_NOSAT, kind); \
  }
EIGHT(e4m3, __HIP_E4M3)
EIGHT(e5m2, __HIP_E5M2)
EIGHT(e4m3_fnuz, __HIP_E4M3_FNUZ)
EIGHT(e5m2_fnuz, __HIP_E5M2_FNUZ)
"""
KINDS = {
    "half": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "e4m3": np.dtype(ml_dtypes.float8_e4m3fn),
    "e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "e4m3_fnuz": np.dtype(ml_dtypes.float8_e4m3fnuz),
    "e5m2_fnuz": np.dtype(ml_dtypes.float8_e5m2fnuz),
}
# In a process of its own: the runtime's symbols are for one program.
CALL = """
import ctypes, sys, numpy as np
runtime, program, name, given, taken, kind = sys.argv[1:]
ctypes.CDLL(runtime, mode=ctypes.RTLD_GLOBAL)
library = ctypes.CDLL(program)
values = np.load(given)
out = np.zeros(values.size, dtype=kind)
getattr(library, name)(ctypes.c_void_p(values.ctypes.data), ctypes.c_void_p(out.ctypes.data),
                       values.size)
np.save(taken, out)
"""


def called(folder: Path, name: str, values: np.ndarray, kind: str) -> np.ndarray:
    built = build(TEXT, folder)
    given, taken = folder / "given.npy", folder / "taken.npy"
    np.save(given, values)
    words = [str(built.runtime), str(built.program), name, str(given), str(taken), kind]
    done = subprocess.run(
        [sys.executable, "-c", CALL, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return np.load(taken)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("numbers")


@pytest.mark.parametrize("name", [name for name in KINDS if name != "bfloat16"])
def test_every_code_is_the_number_that_it_means(folder: Path, name: str) -> None:
    unsigned = np.dtype(f"u{KINDS[name].itemsize}")
    codes = np.arange(1 << 8 * unsigned.itemsize).astype(unsigned)
    found = called(folder, f"from_{name}", codes, "float32")
    with np.errstate(invalid="ignore"):
        wanted = codes.view(KINDS[name]).astype(np.float32)
    assert np.array_equal(np.isnan(found), np.isnan(wanted))
    fine = ~np.isnan(wanted)
    assert np.array_equal(found[fine].view(np.uint32), wanted[fine].view(np.uint32))


@pytest.mark.parametrize("name", KINDS)
def test_every_float_rounds_to_the_nearest(folder: Path, name: str) -> None:
    generator = np.random.default_rng(5)
    unsigned = np.dtype(f"u{KINDS[name].itemsize}")
    codes = np.arange(1 << 8 * unsigned.itemsize).astype(unsigned)
    exact = codes.view(KINDS[name]).astype(np.float32)
    exact = np.sort(exact[np.isfinite(exact)])
    # All numbers of the format, the ties between them, what is next to both, and any floats.
    ties = exact[:-1] + (exact[1:] - exact[:-1]) / 2
    bits = generator.integers(0, 1 << 32, 100_000, dtype=np.uint64).astype(np.uint32)
    points = np.concatenate([exact, ties, bits.view(np.float32)])
    points = points[~np.isnan(points)]
    with np.errstate(over="ignore"):
        beside = [np.nextafter(points, np.float32(end)) for end in (np.inf, -np.inf)]
    points = np.concatenate([points, *beside])
    found = called(folder, f"to_{name}", points, unsigned.name)
    with np.errstate(over="ignore", invalid="ignore"):
        wanted = points.astype(KINDS[name]).view(unsigned)
    nan = np.isnan(wanted.view(KINDS[name]).astype(np.float32))
    assert np.array_equal(np.isnan(found.view(KINDS[name]).astype(np.float32)), nan)
    differ = (found != wanted) & ~nan
    assert not differ.any(), (points[differ][:5], found[differ][:5], wanted[differ][:5])
