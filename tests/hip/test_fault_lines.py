"""A program whose kernel leaves its memory: the error names the line of its source."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.machine.test_gemm_kernel import SOURCE
from tests.objects.compiled import linked
from wavemma.objects import code_object

PROGRAM = """
#include <hip/hip_runtime.h>
__device__ void put(int *out, int i) {
  PUT;  // too far
}
__global__ void fill(int *out) { put(out, threadIdx.x + blockIdx.x * blockDim.x); }
int main() {
  int *out;
  if (hipMalloc(&out, 4 * 100) != hipSuccess) return 1;
  fill<<<2, 64>>>(out);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 2;
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flags", "put"),
    [
        ("", "out[i] = i"),
        pytest.param("-g", "out[i] = i", marks=pytest.mark.nightly),
        ("-O0", "out[i] = i"),
        # The headers' own functions are no place of the program.
        ("", "atomicAdd(out + i, 1)"),
    ],
)
def test_the_line_is_told(flags: str, put: str, tmp_path: Path) -> None:
    (tmp_path / "far.hip").write_text(PROGRAM.replace("PUT", put))
    words = ("run", "far.hip", "--target", "gfx1100", *(("--flags", flags) if flags else ()))
    done = subprocess.run(
        (sys.executable, "-m", "wavemma", *words),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 126
    line = next(n for n, text in enumerate(PROGRAM.splitlines(), 1) if "// too far" in text)
    assert f"far.hip:{line}, writes 4 bytes at" in done.stderr
    assert "(workgroup (1, 0, 0), wave 1, lane 4)" in done.stderr


def test_tables_of_lines_change_no_code() -> None:
    texts = []
    for options in ((), ("-gline-tables-only",)):
        found = code_object(linked("gfx1100", "-O3", *options, source=SOURCE))
        texts.append([each.data for each in found.file.sections if each.is_code])
    assert texts[0] == texts[1]
