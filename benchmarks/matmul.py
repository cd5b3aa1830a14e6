"""Time exact matrix products and NumPy's float32 product in the same run.

Run: python -m benchmarks.matmul [--size 1024] [--rounds 5] [--level avx2]

The reach column is what product.md asks of two AVX-512 cores. `tile` is the time of one core for
a 16x16x16 equivalent, beside how often it fits into the 41.7 ms that the published Python model
of CDNA3 takes for one. Processor time hardly depends on what else runs, the other times do.
"""

import argparse
import resource
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
from wavemma.formats.dtypes import dtype_of
from wavemma.formats.format import Format, number_format
from wavemma.gemm.block_scales import BlockScales
from wavemma.gemm.matmul import multiply
from wavemma.gemm.parallel import thread_count
from wavemma.gemm.run import product
from wavemma.numerics.model import model
from wavemma.numerics.path import Setting

PUBLISHED_TILE_S = 41.7e-3
"""The published CDNA3 model in Python on one 16x16x16 tile, as measured for product.md."""
SPARE_MB = 300
"""What a product may take beside its inputs and outputs."""


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
    Case("even_odd_16", "fp8_fnuz", "f32", 32, 0.4),
    Case("flush_4", "f16", "f32", 16, 0.3),
    Case("exact_4", "f16", "f32", 16),
    Case("fma_chain_first_nan", "f16", "f32", 32),
    Case("integer", "i8", "i32", 16, 0.05),
]
SCALED = Case("block_fma_32", "fp4", "f32", 128, 0.4)
"""gfx950's scaled form, with a scale for each 32 elements along k."""


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


@dataclass(frozen=True)
class Bench:
    """What all products share."""

    size: int
    rounds: int
    reference_s: float

    def report(self, case: Case, job: Callable[[], object]) -> bool:
        """Time a product and print its line; say whether it is over its reach."""
        cold = median_s(job, 1)
        processor = time.process_time()
        warm = median_s(job, self.rounds)
        used = (time.process_time() - processor) / self.rounds
        tile_s = used / (self.size / 16) ** 3
        label = f"{case.model} {case.source} -> {case.result}"
        reach = f"reach {case.reach_s:.2f}" if case.reach_s else ""
        print(
            f"{label:38} {warm:7.3f} s  {warm / self.reference_s:6.1f} x  cold {cold:6.3f} s  "
            f"tile {tile_s * 1e6:5.2f} us  {PUBLISHED_TILE_S / tile_s:8,.0f} times  {reach}",
            flush=True,
        )
        return bool(case.reach_s and self.size == 1024 and warm > case.reach_s)


def plain(
    case: Case, rng: np.random.Generator, size: int, jit: Jit, threads: int | None = None
) -> Callable[[], object]:
    """Make the job of a dense product."""
    a, result = number_format(case.source), number_format(case.result)
    setting = Setting(a, a, result, result, depth=case.k_step)
    left, right = drawn(rng, a, (size, size)), drawn(rng, a, (size, size))
    summing = model(case.model)
    return lambda: product(
        left,
        right,
        model=summing,
        setting=setting,
        k_step=case.k_step,
        jit=jit,
        threads=threads,
    )


def scaled(rng: np.random.Generator, size: int, folder: Path) -> Callable[[], object]:
    """Make the job of gfx950's scaled product of 4-bit numbers."""
    form = number_format(SCALED.source)
    kind = dtype_of(form)
    left, right = (drawn(rng, form, (size, size)).view(kind) for _ in "ab")
    scales = rng.integers(120, 135, (size, -(-size // 32))).astype(np.uint8)
    given = BlockScales(scales, scales.T.copy())
    return lambda: multiply(left, right, target="gfx950", scales=given, cache_folder=folder)


def peak_mb() -> float:
    """Give the most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    """Print medians in seconds; 1 if one is over its reach at 1024 on AVX-512."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--level", default=None)
    given = parser.parse_args()
    size, rng = given.size, np.random.default_rng(0)
    floats = rng.standard_normal((size, size)).astype(np.float32)
    reference = median_s(lambda: floats @ floats, given.rounds)
    machine = host_machine(given.level)
    print(f"{size} cubed, {thread_count(None)} threads, {machine.vector_bits}-bit vectors")
    print(f"{'numpy float32':38} {reference:7.3f} s")
    bench, before, over = Bench(size, given.rounds, reference), peak_mb(), 0
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            over += bench.report(case, plain(case, rng, size, Jit(machine, Path(folder))))
        over += bench.report(SCALED, scaled(rng, size, Path(folder)))
    # The widest: A and B of four bytes, D of four.
    operands = 3 * 4 * size**2 / 2**20
    print(f"peak {peak_mb() - before:.0f} MB more, reach {operands:.0f} + {SPARE_MB} MB")
    return int(over > 0 and machine.vector_bits >= 512)


if __name__ == "__main__":
    raise SystemExit(main())
