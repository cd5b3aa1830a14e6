"""Lines for the outside assemblers, all of one target and wave at once."""

import random
from collections.abc import Iterator

from tests.isa.drawn_lines import draw_line
from tests.isa.illegal_lines import REASONS, Wrong
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.tables.targets import TargetRow, Wave, targets

OLDER_LLVM = 22


def modes() -> list[tuple[str, Wave]]:
    """Every target with each of its wave sizes: 32 pairs."""
    return [(name, wave) for name, row in targets().items() for wave in row.waves]


def older_modes() -> list[tuple[str, Wave]]:
    """Those that LLVM 22 knows: 26 pairs."""
    return [(name, wave) for name, wave in modes() if knows(targets()[name])]


def knows(row: TargetRow) -> bool:
    return row.oldest_llvm <= OLDER_LLVM


def rows_of(target: str, llvm: int) -> list[Instruction]:
    """The target's rows that this LLVM has: LLVM 22 lacks those that only llvm24 verifies."""
    tag = f"llvm{llvm}"
    return [each for each in catalog.instructions(target) if tag in each.row.verified]


def legal_lines(
    target: str, wave: Wave, llvm: int, count: int, seed: int
) -> list[tuple[Instruction, str]]:
    rng = random.Random(seed)
    rows = rows_of(target, llvm)
    return [(each, draw_line(each, wave, rng)) for each in rows for _ in range(count)]


def illegal_lines(
    target: str, wave: Wave, llvm: int, count: int, seed: int
) -> Iterator[tuple[str, Instruction, str]]:
    """Give reason, row and line; each reason as often as it has forms."""
    rng = random.Random(seed)
    for each in rows_of(target, llvm):
        for reason, make in REASONS.items():
            for _ in range(count):
                for line in make(Wrong(each, wave, rng)):
                    yield reason, each, line
