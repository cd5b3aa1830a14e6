"""Time one exact 16x16x16 product on one core, in the three places where it is done.

Run: python -m benchmarks.tile [--rounds 15]

`registers` is an instruction on the registers of many waves, `matmul` a product of 1024 cubed
with one thread, `kernel` a compiled kernel's loop around the instruction. Instructions of another
size are counted by their multiplications. Times are medians and minima of the processor's time,
which other work on the machine lengthens less than the clock's: caches and the other thread of a
core are still shared. Beside them stand how often the median fits into the 41.7 ms of the
published Python model of CDNA3, and what NumPy's float32 product of 1024 cubed takes for as much,
all its threads together.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from benchmarks.machine import settle
from benchmarks.matmul import CASES, PUBLISHED_TILE_S, plain
from tests.objects.compiled import linked
from wavemma.engines.jit import Jit
from wavemma.engines.machine import host_machine
from wavemma.execute.compiled import compiled_instruction
from wavemma.fragments import pack
from wavemma.isa.catalog import instructions
from wavemma.isa.instruction import Instruction
from wavemma.machine.device import Device

TILE = 16**3
SIZE = 1024
WAVES = 256
LOOPS = (200, 10200)
"""Turns of the kernel's loop; the difference leaves the launch out."""
KERNEL = """
typedef _Float16 half16 __attribute__((ext_vector_type(16)));
typedef _Float16 half8 __attribute__((ext_vector_type(8)));
typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef float float8 __attribute__((ext_vector_type(8)));
typedef float float4 __attribute__((ext_vector_type(4)));
extern "C" __attribute__((global)) void tile(FACTOR* a, FACTOR* b, RESULT* c, int n) {
  unsigned lane = __builtin_amdgcn_workitem_id_x();
  FACTOR x = a[lane & LAST], y = b[lane & LAST];
  RESULT z = c[lane];
  for (int k = 0; k < n; k++) z = BUILTIN;
  c[lane] = z;
}
"""


class Case(NamedTuple):
    """One target's way to do it.

    Attributes:
        target: The target.
        instruction: Name of its instruction.
        model: The arithmetic model, whose product `benchmarks.matmul` knows.
        reach_us: Microseconds to reach.
        words: What the kernel's text says for each of its capital words.

    """

    target: str
    instruction: str
    model: str
    reach_us: float
    words: dict[str, str]


WMMA = "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32"
MFMA = "__builtin_amdgcn_mfma_f32_16x16x"
TILES = [
    Case(
        "gfx942",
        "v_mfma_f32_16x16x4_f32",
        "fma_chain",
        0.1,
        {
            "FACTOR": "float",
            "RESULT": "float4",
            "LAST": "63",
            "BUILTIN": f"{MFMA}4f32(x, y, z, 0, 0, 0)",
        },
    ),
    Case(
        "gfx1201",
        "v_wmma_f32_16x16x16_f16",
        "paired_4",
        0.3,
        {
            "FACTOR": "half8",
            "RESULT": "float8",
            "LAST": "31",
            "BUILTIN": f"{WMMA}_gfx12(x, y, z)",
        },
    ),
    Case(
        "gfx1100",
        "v_wmma_f32_16x16x16_f16",
        "complement_2",
        0.5,
        {"FACTOR": "half16", "RESULT": "float8", "LAST": "15", "BUILTIN": f"{WMMA}(x, y, z)"},
    ),
    Case(
        "gfx942",
        "v_mfma_f32_16x16x16_f16",
        "truncated_8",
        0.5,
        {
            "FACTOR": "half4",
            "RESULT": "float4",
            "LAST": "63",
            "BUILTIN": f"{MFMA}16f16(x, y, z, 0, 0, 0)",
        },
    ),
]


def used_s(job: Callable[[], object], rounds: int) -> list[float]:
    """Give the processor time of each of several runs, after one that is not counted."""
    job()
    took = []
    for _ in range(rounds):
        begun = time.process_time()
        job()
        took.append(time.process_time() - begun)
    return took


def instruction_of(case: Case) -> Instruction:
    """Give the row of a case's instruction."""
    return next(each for each in instructions(case.target) if each.name == case.instruction)


def in_registers(case: Case, jit: Jit, rounds: int) -> list[float]:
    """Give seconds a tile on the registers of a batch."""
    row = instruction_of(case)
    made, rng = compiled_instruction(row, jit=jit), np.random.default_rng(0)
    registers = {}
    for role, fragment in made.fragments.items():
        numbers = rng.standard_normal((WAVES, *fragment.matrix_shape))
        kind = np.dtype(fragment.dtype)
        codes = numbers.astype(f"f{kind.itemsize}").view(kind)
        registers[role] = pack(codes, fragment)
    tiles = WAVES * row.blocks * int(np.prod(row.shape)) / TILE
    return [each / tiles for each in used_s(lambda: made(registers), rounds)]


def in_matmul(case: Case, jit: Jit, rounds: int) -> list[float]:
    """Give seconds a tile in a matrix product."""
    found = next(each for each in CASES if (each.model, each.result) == (case.model, "f32"))
    job = plain(found, np.random.default_rng(0), SIZE, jit, threads=1)
    return [each * TILE / SIZE**3 for each in used_s(job, rounds)]


def in_kernel(case: Case, rounds: int) -> list[float]:
    """Give seconds a tile in a kernel."""
    source = KERNEL
    for word, text in case.words.items():
        source = source.replace(word, text)
    with tempfile.TemporaryDirectory() as folder:
        device = Device(case.target, cache_folder=Path(folder), threads=1)
        module = device.load(linked(case.target, "-O3", source=source))
        lanes = 64 if case.words["LAST"] == "63" else 32
        places = [device.memory.allocate(32 * lanes, name) for name in "abc"]
        number = np.float32 if case.words["FACTOR"] == "float" else np.float16
        count = 32 * lanes // np.dtype(number).itemsize
        for place in places[:2]:
            factor = device.memory.array(place, number, (count,))
            factor[:] = np.random.default_rng(0).standard_normal(count)

        def job(turns: int) -> Callable[[], object]:
            return lambda: device.launch(module, "tile", 1, lanes, [*places, np.int32(turns)])

        used_s(job(LOOPS[0]), 3)
        settle(device)
        short, long = (used_s(job(turns), rounds) for turns in LOOPS)
    first, row = statistics.median(short), instruction_of(case)
    tiles = row.blocks * int(np.prod(row.shape)) / TILE
    return [(each - first) / (LOOPS[1] - LOOPS[0]) / tiles for each in long]


def places(case: Case, jit: Jit, rounds: int) -> Iterator[tuple[str, list[float]]]:
    """Give the times in each place."""
    yield "registers", in_registers(case, jit, rounds)
    yield "matmul", in_matmul(case, jit, rounds)
    yield "kernel", in_kernel(case, rounds)


def main() -> None:
    """Print a line for each target and place."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    jit = Jit(host_machine(), None)
    floats = np.random.default_rng(0).standard_normal((SIZE, SIZE)).astype(np.float32)
    reference = statistics.median(used_s(lambda: floats @ floats, rounds)) * TILE / SIZE**3
    print(f"numpy float32: {reference * 1e6:.3f} us of processor time a tile, median")
    for case in TILES:
        for place, took in places(case, jit, rounds):
            middle = statistics.median(took)
            print(
                f"{case.target:8} {case.model:13} {place:10} {middle * 1e6:6.3f} us, least"
                f" {min(took) * 1e6:6.3f}, reach {case.reach_us:.1f}"
                f"  {PUBLISHED_TILE_S / middle:9,.0f} times  {middle / reference:5.1f} x numpy",
                flush=True,
            )


if __name__ == "__main__":
    main()
