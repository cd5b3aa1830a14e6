"""Every row of vector arithmetic against the ISA documents' definitions, on both engines.

Instructions are drawn with all their modifiers (signs, halves, clamp) and operands of all kinds,
run on a wave of arrays, and compared lane by lane with plain Python numbers; compiled code must
then leave the same registers.
"""

import re
from functools import cache

import pytest

from tests.machine.semantics.drawing import rows_with_meaning
from tests.machine.semantics.programs import Program, check
from wavemma.tables.ordinary import OrdinaryRow
from wavemma.tables.targets import Wave

ELSEWHERE = re.compile(r"v_nop|v_pipeflush|v_rsq_f64")
"""What does nothing, and what is no correctly rounded function: see `test_functions`."""
DRAWS = 3


@cache
def groups(architecture: str) -> dict[str, list[OrdinaryRow]]:
    found: dict[str, list[OrdinaryRow]] = {}
    for row in rows_with_meaning(architecture):
        if not ELSEWHERE.fullmatch(row.name) and not row.encoding.startswith("VOPD"):
            found.setdefault(row.meaning, []).append(row)
    return found


def programs(
    architecture: str, size: Wave, rows: list[OrdinaryRow], seed: int, extension: str = ""
) -> list[Program]:
    """Draw instructions of each row, as many programs as their registers need."""
    found = [Program(architecture, size, seed)]
    for row in rows:
        for draw in range(DRAWS):
            if found[-1].drawer.is_full:
                found.append(Program(architecture, size, seed + 1000 * len(found) + draw))
            found[-1].add(row, extension=extension)
    return found


PLACES: list[tuple[str, Wave]] = [
    ("rdna3", 32), ("rdna3", 64), ("rdna3.5", 32), ("rdna4", 32), ("cdna3", 64),
    ("cdna4", 64),
    ("cdna2", 64), ("cdna1", 64), ("cdna5", 32),
]  # fmt: skip
SAMPLE = 16
"""Of so many cases the quick run takes one."""


def marks(
    number: int, otherwise: pytest.MarkDecorator, sample: int = SAMPLE
) -> list[pytest.MarkDecorator]:
    """Leave a sample to the quick run."""
    return [otherwise] if number % sample else []


LARGER_SAMPLE = 4
"""Of so many cases of CDNA3 ./check all takes one besides."""
RELATIVES = {"cdna1": "cdna3", "cdna2": "cdna3", "cdna4": "cdna3", "cdna5": "rdna4"}
"""Those with most of another's meanings."""


def marks_of(architecture: str, size: Wave, number: int) -> list[pytest.MarkDecorator]:
    """Leave to longer runs what one architecture has told already."""
    if architecture == "cdna3":
        return marks(number, pytest.mark.nightly if number % LARGER_SAMPLE else pytest.mark.slow)
    if architecture in RELATIVES:
        is_fresh = list(groups(architecture))[number] not in groups(RELATIVES[architecture])
        return marks(number, pytest.mark.slow if is_fresh else pytest.mark.nightly, 4 * SAMPLE)
    return [] if (architecture, size) == PLACES[0] else [pytest.mark.slow]


CASES = [
    pytest.param(*place, name, marks=marks_of(*place, number))
    for place in PLACES
    for number, name in enumerate(groups(place[0]))
]


@pytest.mark.parametrize(("architecture", "size", "meaning"), CASES)
def test_meaning(architecture: str, size: Wave, meaning: str) -> None:
    rows = groups(architecture)[meaning]
    for number, program in enumerate(programs(architecture, size, rows, len(meaning))):
        check(program, f"{architecture} {size} {meaning} {number}")


LANES = ("dpp16", "dpp8", "dpp8_fi")
"""The further words that read other lanes: of a row of 16, of eight if active, of any eight."""
LANE_PLACES: list[tuple[str, Wave]] = [("rdna3", 32), ("rdna4", 64)]
LANE_CASES = [
    pytest.param(*place, meaning, word, marks=marks(number, pytest.mark.nightly, 4 * SAMPLE))
    for place in LANE_PLACES
    for word in LANES
    for number, (meaning, rows) in enumerate(groups(place[0]).items(), len(word))
    if any(word in row.extensions for row in rows)
]


@pytest.mark.parametrize(("architecture", "size", "meaning", "word"), LANE_CASES)
def test_sources_from_other_lanes(architecture: str, size: Wave, meaning: str, word: str) -> None:
    rows = [row for row in groups(architecture)[meaning] if word in row.extensions]
    for number, program in enumerate(programs(architecture, size, rows, len(meaning), word)):
        check(program, f"{architecture} {word} {meaning} {number}")


PARTS = ("sdwa", "sdwa_compare")
"""The further words that take parts of registers."""
PART_CASES = [
    pytest.param(meaning, word, marks=marks(number, pytest.mark.nightly))
    for word in PARTS
    for number, (meaning, rows) in enumerate(groups("cdna3").items())
    if any(word in row.extensions for row in rows)
]


@pytest.mark.parametrize(("meaning", "word"), PART_CASES)
def test_parts_of_registers(meaning: str, word: str) -> None:
    rows = [row for row in groups("cdna3")[meaning] if word in row.extensions]
    for number, program in enumerate(programs("cdna3", 64, rows, len(meaning), word)):
        check(program, f"{word} {meaning} {number}")
