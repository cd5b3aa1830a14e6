"""What lint finds, and where."""

from typing import Literal

import msgspec

from wavemma.checks.program import Item, Unit
from wavemma.tables.keys import Grade

Severity = Literal["error", "suspect", "hint"]
What = Literal["hazard", "not legal", "not there", "registers", "signs", "banks", "stepping"]
SEVERITIES: tuple[Severity, ...] = ("error", "suspect", "hint")


class Where(msgspec.Struct, frozen=True):
    """An instruction in a file.

    Attributes:
        place: Its address, or the number of its line.
        unit: Which of them it is.
        function: The function around it; "" if none is known.
        offset: Bytes from the start of the function; 0 in text.
        text: The instruction.

    """

    place: int
    unit: Unit
    function: str
    offset: int
    text: str


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One finding.

    Attributes:
        severity: error: a rule is broken; suspect: sources disagree or nothing is known for sure;
            hint: about speed, signs or steppings, no fault of the code.
        what: Its kind.
        rule: Key of the rule; "" if there is none.
        at: Where it is.
        message: What is the matter, in a sentence or two.
        producer: Of hazards: the earlier instruction.
        needs: Of hazards: what must stand between.
        has: Of hazards: what does, on the path where it is the least.
        counted: What both count, such as "wait states".
        round_the_loop: Of hazards: whether the producer is behind, in the round before.
        dependence: RAW, WAW, WAR or structural.
        fix: Lines that go in front of the instruction.
        also: What else this instruction breaks; the fix is enough for all.
        times: How often it was found, `at` being the first.
        sources: Keys of the citations.
        grade: Evidence of the rule.
        conflicts: Keys of the conflicts of sources about it.
        note: What the rule's row says besides.

    """

    severity: Severity
    what: What
    rule: str = ""
    at: Where
    message: str
    producer: Where | None = None
    needs: int = 0
    has: int = 0
    counted: str = ""
    round_the_loop: bool = False
    dependence: str = ""
    fix: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    times: int = 1
    sources: tuple[str, ...] = ()
    grade: Grade = "V"
    conflicts: tuple[str, ...] = ()
    note: str = ""


def where(item: Item, unit: Unit) -> Where:
    """Say where an instruction is."""
    return Where(item.place, unit, item.function, item.offset, item.text)
