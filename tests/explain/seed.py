"""What a seeded fault is, and the instructions that faults are put into."""

from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from tests.explain.kernel import Kernel


class Seed(NamedTuple):
    """A fault and what a diagnosis must call it; `word` stands in what it says."""

    target: str
    op: str
    kinds: tuple[str, ...]
    word: str
    arrays: dict[str, Any]
    wave: int | None = None

    def __str__(self) -> str:
        return f"{self.target}-{self.op}-{'+'.join(self.kinds)}-{self.word}".replace(" ", "_")


class Bench(NamedTuple):
    """An instruction to put faults into."""

    target: str
    kernel: Kernel
    rival: tuple[str, str, int]
    rival_targets: str
    dtype: Any


F16 = np.float16
BENCHES = [
    Bench("gfx908", Kernel("cdna1", "v_mfma_f32_16x16x16f16", 64, (16, 16, 16)),
          ("rdna4", "v_wmma_f32_16x16x16_f16", 64), "gfx1201", F16),
    Bench("gfx90a", Kernel("cdna2", "v_mfma_f64_16x16x4f64", 64, (16, 16, 4)),
          ("cdna2", "v_mfma_f32_16x16x4f32", 64), "gfx90a", np.float64),
    Bench("gfx942", Kernel("cdna3", "v_mfma_f32_16x16x16_f16", 64, (16, 16, 16)),
          ("cdna3", "v_mfma_f64_16x16x4_f64", 64), "gfx942", F16),
    Bench("gfx950", Kernel("cdna4", "v_mfma_f32_16x16x32_bf16", 64, (16, 16, 32)),
          ("rdna4", "v_wmma_f32_16x16x16_f16", 64), "gfx1201", ml_dtypes.bfloat16),
    Bench("gfx1100", Kernel("rdna3", "v_wmma_f32_16x16x16_f16", 32, (16, 16, 16)),
          ("rdna4", "v_wmma_f32_16x16x16_f16", 32), "gfx1201", F16),
    Bench("gfx1151", Kernel("rdna3.5", "v_wmma_f32_16x16x16_bf16", 64, (16, 16, 16)),
          ("rdna4", "v_wmma_f32_16x16x16_bf16", 64), "gfx1201", ml_dtypes.bfloat16),
    Bench("gfx1201", Kernel("rdna4", "v_wmma_f32_16x16x16_f16", 32, (16, 16, 16)),
          ("rdna3", "v_wmma_f32_16x16x16_f16", 32), "gfx1100", F16),
    Bench("gfx1250", Kernel("cdna5", "v_wmma_f32_16x16x32_f16", 32, (16, 16, 32)),
          ("rdna3", "v_wmma_f32_16x16x16_f16", 32), "gfx1100", F16),
]  # fmt: skip


def inputs_of(bench: Bench, number: int) -> tuple[dict[str, Any], Any]:
    """Draw A, B and C of 3 x 3 tiles and 3 steps, typed, and D as wanted."""
    m, n, k = bench.kernel.shape
    random = np.random.default_rng(number)
    a = random.standard_normal((3 * m, 3 * k)).astype(bench.dtype)
    b = random.standard_normal((3 * k, 3 * n)).astype(bench.dtype)
    c = random.standard_normal((3 * m, 3 * n)).astype(np.float32)
    want = a.astype(float) @ b.astype(float) + c
    return {"a": a, "b": b, "c": c}, want
