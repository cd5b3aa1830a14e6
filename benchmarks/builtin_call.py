"""Time of one builtin call from Python, one wave, warm; beside NumPy's product of the same size.

The reach is 20 us a call. The second time is the processor's, the least of all repeats: it hardly
depends on what else runs.

Usage: python benchmarks/builtin_call.py
"""

import statistics
import time
import timeit

import numpy as np

from wavemma.clang_builtins.call import builtin
from wavemma.tables.builtins import builtins

REACH_US = 20
CALLS = {
    "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32": "gfx1100",
    "__builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12": "gfx1201",
    "__builtin_amdgcn_mfma_f32_32x32x8f16": "gfx942",
    "__builtin_amdgcn_mfma_f32_16x16x4f32": "gfx90a",
    "__builtin_amdgcn_swmmac_f32_16x16x32_f16_w32": "gfx1201",
}


def main() -> None:
    """Print the median of each call in microseconds."""
    small = np.ones((16, 16), np.float32)
    peer = statistics.median(timeit.repeat(lambda: small @ small, number=2000, repeat=7)) / 2000
    print(f"{'numpy 16x16 @ 16x16, f32':52} {peer * 1e6:7.1f} us")
    for name, target in CALLS.items():
        call = builtin(name, target)
        given = [
            np.zeros((call.wave, *([a.ctype.elements] if a.ctype.elements else [])), a.ctype.dtype)
            if a.operand
            else 0
            for a in call.signature.arguments
        ]
        call(*given)
        runs = timeit.repeat(lambda: call(*given), number=2000, repeat=7)  # noqa: B023
        seconds = statistics.median(runs) / 2000
        own = timeit.repeat(
            lambda: call(*given),  # noqa: B023
            number=500, repeat=20, timer=time.process_time,
        )  # fmt: skip
        print(
            f"{name:52} {seconds * 1e6:7.1f} us {seconds / peer:6.1f}x"
            f"  {min(own) / 500 * 1e6:6.1f} us  reach {REACH_US}"
        )
    assert len(builtins()) == 179


if __name__ == "__main__":
    main()
