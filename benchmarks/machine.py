"""Time and memory of kernels on the machine, beside NumPy's product of the same size in f32.

Usage: python benchmarks/machine.py

Needs ziglang, which compiles the kernels. Every figure is a median; "cold" translates to an empty
cache folder, "disk" is a new process with a filled one, "warm" comes after what runs hot was
compiled again. Figures of compiling and of single instructions are processor
time, which other work disturbs less; the targets stand behind them.
"""

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.machine.test_gemm_kernel import SOURCE
from tests.machine.test_zoo import SOURCE as ZOO
from tests.objects.compiled import linked
from wavemma.engines.jit import Jit
from wavemma.machine.codes import codes_of
from wavemma.machine.compiled.code import CompiledCode, Tier
from wavemma.machine.compiled.translate import code_of
from wavemma.machine.device import Device
from wavemma.machine.load import Module
from wavemma.machine.tally import executed

SIZE = 256
RUNS = 7
TIERS: tuple[Tier, ...] = ("steps", "regions")
PLAIN = """
extern "C" __attribute__((global)) void plain(unsigned* x, int n) {
  unsigned i = __builtin_amdgcn_workitem_id_x() + 256 * __builtin_amdgcn_workgroup_id_x();
  unsigned a = x[i], b = i;
  for (int k = 0; k < n; k++) { a = a * 1664525u + b; b ^= a >> 7; }
  x[i] = a ^ b;
}
"""


def medians(call: Callable[[], object], count: int = RUNS) -> tuple[float, float]:
    """Give the median times of a call: seconds of the clock, and of the processor."""
    walls, used = [], []
    for _ in range(count):
        begun = time.perf_counter(), time.process_time()
        call()
        walls.append(time.perf_counter() - begun[0])
        used.append(time.process_time() - begun[1])
    return statistics.median(walls), statistics.median(used)


def settle(device: Device) -> None:
    """Wait until what runs hot is compiled."""
    for _, code in device._code.values():
        if code.heat:
            code.heat.wait()


def gemm(folder: Path, code: bytes) -> None:
    """Print the times of a product with LDS and WMMA."""
    # To load NumPy's generators takes 15 ms, which are not the machine's.
    draw = np.random.default_rng(1).normal
    numbers = [draw(size=(SIZE, SIZE)).astype(np.float16) for _ in "ab"]
    begun = time.perf_counter(), time.process_time()
    device = Device("gfx1100", cache_folder=folder)
    module = device.load(code)
    places = [device.memory.allocate(4 * SIZE * SIZE, name) for name in "abc"]
    a, b = (device.memory.array(place, np.float16, (SIZE, SIZE)) for place in places[:2])
    a[:], b[:] = numbers
    grid, arguments = (SIZE // 32, SIZE // 32), [*places, np.int32(SIZE)]
    report = device.launch(module, "gemm", grid, 128, arguments)
    first, used = time.perf_counter() - begun[0], time.process_time() - begun[1]
    for _ in range(RUNS):
        device.launch(module, "gemm", grid, 128, arguments)
    settle(device)
    warm, busy = medians(lambda: device.launch(module, "gemm", grid, 128, arguments))
    left, right = a.astype(np.float32), b.astype(np.float32)
    peer, _ = medians(lambda: left @ right)
    count = sum(each.count for each in executed(report.code, report.block_counts, "gfx1100"))
    print(
        f"gemm {SIZE}^3 f16: first {first:.3f} s ({used:.3f} s of processor; target 0.5 cold, 0.1"
        f" disk), warm {warm * 1e3:.2f} ms"
        f" ({busy * 1e3:.2f} ms of processor; target 3),"
        f" {warm / count * 1e9:.1f} ns each of {count:,} instructions of waves,"
        f" {warm / peer:.0f} times NumPy's f32 ({peer * 1e3:.3f} ms)"
    )


def compiling(code: bytes) -> None:
    """Print the processor time to compile many kernels at once."""
    device = Device("gfx1100")
    module = device.load(code)
    times: dict[str, list[float]] = {"cold": [], "disk": [], "whole regions": []}
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            for name, tier in (("cold", "steps"), ("disk", "steps"), ("whole regions", "regions")):
                times[name].append(_compiled(device, module, Jit(cache_folder=Path(folder)), tier))
    told = ", ".join(f"{name} {statistics.median(each):.3f}" for name, each in times.items())
    print(f"compiling: {told} s of processor for 1,000 instructions (target 0.12)")


def _compiled(device: Device, module: Module, jit: Jit, tier: Tier) -> float:
    """Compile all functions; gives seconds for 1,000 instructions."""
    code = code_of(module.listing(32), 32)
    begun = time.process_time()
    made = CompiledCode(code, codes_of(device.target.architecture), jit, tier=tier)
    for function in code.functions:
        made.compile(function.start)
    count = sum(len(block.instructions) for block in code.blocks)
    return (time.process_time() - begun) / count * 1000


def plain(folder: Path, size: str, tier: Tier, target_ns: int) -> None:
    """Print the time of an instruction without memory or matrices, by wave size and tier."""
    options = ("-O3",) if size == "32" else ("-O3", "-mwavefrontsize64")
    device = Device("gfx1100", cache_folder=folder, threads=1, tier=tier)
    module = device.load(linked("gfx1100", *options, source=PLAIN))
    place = device.memory.allocate(4 * 256 * 64, "x")
    arguments = [place, np.int32(2000)]
    report = device.launch(module, "plain", 64, 256, arguments)
    count = sum(each.count for each in executed(report.code, report.block_counts, "gfx1100"))
    _, warm = medians(lambda: device.launch(module, "plain", 64, 256, arguments))
    print(
        f"plain wave{size}, {tier}: {warm / count * 1e9:.1f} ns each (target {target_ns}), one"
        f" thread, {count:,} of them"
    )


def main() -> None:
    """Print everything; with an argument only the product, from that cache folder."""
    code = linked("gfx1100", "-O3", source=SOURCE)
    if len(sys.argv) > 1:
        gemm(Path(sys.argv[1]), code)
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in ("cold", "disk"):
            print(name, end=": ", flush=True)
            subprocess.run([sys.executable, __file__, folder], check=True)
        for tier in TIERS:
            plain(Path(folder), "32", tier, 25)
            plain(Path(folder), "64", tier, 45)
    compiling(linked("gfx1100", "-O3", source=ZOO))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory: {peak:.0f} MB at most (target 300 besides buffers), compilers not counted")


if __name__ == "__main__":
    main()
