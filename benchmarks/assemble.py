"""Time 20,000 lines assembled and 20,000 words decoded; product.md asks for 2 s each.

Run: python -m benchmarks.assemble
"""

import random
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.isa.drawn_lines import draw_line
from wavemma.isa import assemble, catalog, decode, disassemble
from wavemma.tables.targets import targets

LINES = 20_000
LIMIT_S = 2.0
RUNS = 3


def drawn() -> list[tuple[str, str, int]]:
    """Draw lines of all targets and wave sizes, mixed."""
    rng = random.Random(0)
    modes = [(name, wave) for name, row in targets().items() for wave in row.waves]
    found = []
    for _ in range(LINES):
        target, wave = rng.choice(modes)
        each = rng.choice(catalog.instructions(target))
        found.append((draw_line(each, wave, rng), target, wave))
    return found


def main() -> int:
    """Print medians in seconds; 1 if one is over the limit."""
    lines = drawn()
    codes = [(assemble(line, target, wave), target, wave) for line, target, wave in lines]
    jobs = {
        "assemble": lambda: [assemble(*line) for line in lines],
        "decode": lambda: [decode(*code) for code in codes],
        "disassemble": lambda: [disassemble(*code) for code in codes],
    }
    slow = 0
    for name, job in jobs.items():
        took = []
        for _ in range(RUNS):
            start = time.perf_counter()
            job()
            took.append(time.perf_counter() - start)
        median = statistics.median(took)
        slow += median > LIMIT_S
        print(f"{name:12} {LINES} in {median:.2f} s (limit {LIMIT_S:.0f} s)")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
