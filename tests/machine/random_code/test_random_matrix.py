"""Random matrix instructions in launches: compiled code leaves what NumPy arrays leave."""

import random
import re

import pytest

from tests.isa.drawn_lines import draw_line
from tests.machine.random_code.template import VECTORS
from tests.machine.random_code.test_random_programs import (
    LAYOUTS,
    quiet,
    registers,
    results,
    state_of,
    stored,
)
from wavemma.errors import Unsupported
from wavemma.isa.assemble import assemble
from wavemma.isa.catalog import instructions
from wavemma.tables.targets import Wave

PLACES: list[tuple[str, Wave]] = [("gfx1100", 32), ("gfx1100", 64), ("gfx1201", 32),
                                  ("gfx1201", 64), ("gfx90a", 64), ("gfx942", 64),
                                  ("gfx950", 64)]  # fmt: skip
REGISTERS = re.compile(r"\b[va](?:\[(\d+):(\d+)\]|(\d+)\b)")


def moved(line: str, rng: random.Random) -> str | None:
    """Let the registers of a line be those of the pool, results and sources apart.

    A NaN's bits then reach no other number; None if there are not enough registers.
    """
    counts = [int(b) - int(a) + 1 if a else 1 for a, b, _ in REGISTERS.findall(line)]
    sources = counts[1:3]
    if max(sources) + 1 + counts[0] > VECTORS:
        return None
    result = (VECTORS - counts[0] + 1) // 2 * 2
    places = iter([result, *(_low(rng, n, result) for n in sources)])

    def placed(match: re.Match[str]) -> str:
        count = int(match[2]) - int(match[1]) + 1 if match[1] else 1
        first = next(places, result if count == counts[0] else 1)
        return f"v[{first}:{first + count - 1}]" if count > 1 else f"v{first}"

    return REGISTERS.sub(placed, line)


def _low(rng: random.Random, count: int, end: int) -> int:
    return 2 * rng.randrange(1, max((end - count) // 2, 1) + 1) if end - count >= 2 else 2


def run(name: str, wave: Wave, seed: int) -> int:
    """Run some instructions of one kind both ways; give how many registers they changed."""
    rng = random.Random(seed)
    every = [each for each in instructions(name) if each.is_matrix]
    chosen = rng.choice(every)
    lines = [moved(draw_line(chosen, wave, rng), rng) for _ in range(3)]
    code = b"".join(assemble(line, name, wave) for line in lines if line)
    if not code:
        return 0
    state = state_of(seed)
    kind = chosen.formats["d"][0]
    try:
        ways = [results(name, wave, code, state, interpreted=each) for each in (False, True)]
    except Unsupported:
        # Constants whose meaning among numbers of 16 bits is not known.
        return 0
    found = [registers(stored(each), wave) for each in ways]
    same = [quiet(each, kind) if kind in LAYOUTS and kind != "f64" else each for each in found]
    if kind == "f64":
        pairs = [each[1:-1].reshape(-1, 2, each.shape[1]).transpose(0, 2, 1) for each in found]
        same = [quiet(each.copy(), kind) for each in pairs]
    assert (same[0] == same[1]).all(), (name, wave, seed, lines)
    return int((found[0] != registers(state, wave)).any(axis=1).sum())


@pytest.mark.parametrize(("name", "wave", "seed"), [("gfx1201", 32, 3), ("gfx942", 64, 4)])
def test_some(name: str, wave: Wave, seed: int) -> None:
    assert run(name, wave, seed) > 0


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "wave"), PLACES)
def test_many(name: str, wave: Wave) -> None:
    assert sum(run(name, wave, seed) > 0 for seed in range(100, 200)) > 40
