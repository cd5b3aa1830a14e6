"""Time exact matrix products and NumPy's float32 product in the same run.

Run: python -m benchmarks.matmul [--size 1024] [--rounds 5] [--level avx2]

The reach column is what product.md asks of two AVX-512 cores. `tile` is the time of one core for
a 16x16x16 equivalent.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from wavemma.engines.jit import Jit
from wavemma.engines.machine import host_machine
from wavemma.formats.decode import decode
from wavemma.formats.format import Format, number_format
from wavemma.gemm.parallel import thread_count
from wavemma.gemm.run import product
from wavemma.numerics.model import model
from wavemma.numerics.path import Setting


@dataclass(frozen=True)
class Case:
    """A product to time.

    Args:
        model: Name of the model.
        source: Format of A and B.
        result: Format of C and D.
        k_step: K of the instruction.
        reach_s: Seconds to reach for 1024 cubed, warm; 0 where nothing is asked.

    """

    model: str
    source: str
    result: str
    k_step: int
    reach_s: float = 0.0


CASES = [
    Case("fma_chain", "f32", "f32", 2, 0.06),
    Case("complement_2", "f16", "f32", 16, 0.3),
    Case("complement_2", "f16", "f16", 16),
    Case("complement_2_flush", "bf16", "f32", 16, 0.3),
    Case("paired_4", "f16", "f32", 16, 0.2),
    Case("paired_4", "f16", "f16", 16),
    Case("grouped_8", "fp8_ocp", "f32", 16),
    Case("truncated_8", "f16", "f32", 8, 0.3),
    Case("truncated_4", "xf32", "f32", 4),
    Case("even_odd_16", "fp8_fnuz", "f32", 32),
    Case("flush_4", "f16", "f32", 16, 0.3),
    Case("exact_4", "f16", "f32", 16),
    Case("fma_chain_first_nan", "f16", "f32", 32),
    Case("integer", "i8", "i32", 16),
]


def drawn(rng: np.random.Generator, form: Format, shape: tuple[int, int]) -> np.ndarray:
    """Codes of normally distributed numbers, or of any finite ones for narrow formats."""
    numbers = rng.standard_normal(shape).astype(np.float32)
    if form.name == "f16":
        return numbers.astype(np.float16).view(np.uint16)
    if form.exponent == 8:
        return (numbers.view(np.uint32) >> (32 - form.bits)).astype(f"u{form.bits // 8}")
    codes = rng.integers(0, form.codes, shape).astype(np.uint8)
    if form.is_float:
        codes[~np.isfinite(decode(form, codes))] = 0
    return codes


def median_s(job: Callable[[], object], rounds: int) -> float:
    """Time a job."""
    took = []
    for _ in range(rounds):
        start = time.perf_counter()
        job()
        took.append(time.perf_counter() - start)
    return statistics.median(took)


def main() -> int:
    """Print medians in seconds; 1 if one is over its reach at 1024 on AVX-512."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--level", default=None)
    given = parser.parse_args()
    size, rng = given.size, np.random.default_rng(0)
    plain = rng.standard_normal((size, size)).astype(np.float32)
    reference = median_s(lambda: plain @ plain, given.rounds)
    machine = host_machine(given.level)
    print(f"{size} cubed, {thread_count(None)} threads, {machine.vector_bits}-bit vectors")
    print(f"{'numpy float32':38} {reference:7.3f} s")
    over = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            jit = Jit(machine, Path(folder))
            a, result = number_format(case.source), number_format(case.result)
            setting = Setting(a, a, result, result, depth=case.k_step)
            left, right = drawn(rng, a, (size, size)), drawn(rng, a, (size, size))

            def job(
                case: Case = case,
                setting: Setting = setting,
                jit: Jit = jit,
                left: np.ndarray = left,
                right: np.ndarray = right,
            ) -> object:
                return product(
                    left,
                    right,
                    model=model(case.model),
                    setting=setting,
                    k_step=case.k_step,
                    jit=jit,
                )

            cold = median_s(job, 1)
            processor = time.process_time()
            warm = median_s(job, given.rounds)
            used = (time.process_time() - processor) / given.rounds
            tile_us = used / (size / 16) ** 3 * 1e6
            label = f"{case.model} {case.source} -> {case.result}"
            reach = f"reach {case.reach_s:.2f}" if case.reach_s else ""
            over += bool(case.reach_s and size == 1024 and warm > case.reach_s)
            print(
                f"{label:38} {warm:7.3f} s  {warm / reference:6.1f} x  cold {cold:6.3f} s  "
                f"tile {tile_us:5.2f} us  {reach}",
                flush=True,
            )
    return int(over > 0 and machine.vector_bits >= 512)


if __name__ == "__main__":
    raise SystemExit(main())
