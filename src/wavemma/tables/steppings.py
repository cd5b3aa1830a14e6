"""Records of data/steppings.toml: what single steppings of a target lack."""

from functools import cache

import msgspec

from wavemma.tables.files import rows
from wavemma.tables.keys import Grade, check_known
from wavemma.tables.sources import sources
from wavemma.tables.targets import targets

_FILE = "steppings.toml"


class AbsenceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Instructions that a stepping lacks.

    Attributes:
        target: The target, which has them.
        stepping: The stepping that lacks them, as its maker calls it.
        instructions: Their mnemonics.
        source: Key of the citation.
        grade: Evidence.
        note: How it is known, as a half sentence.

    """

    target: str
    stepping: str
    instructions: tuple[str, ...]
    source: str
    grade: Grade
    note: str

    def told(self, name: str) -> str:
        """Say it of one of the instructions."""
        return f"Stepping {self.stepping} of {self.target} lacks {name}: {self.note}."


@cache
def absences() -> tuple[AbsenceRow, ...]:
    """List what steppings lack.

    Raises:
        DataMistake: A row names a target or source that is not there.

    """
    table = rows(_FILE, "absence", AbsenceRow)
    for row in table:
        place = f"data/{_FILE}, {row.target} {row.stepping}"
        check_known(place, "target", [row.target], targets())
        check_known(place, "source", [row.source], sources())
    return table


def lacking(target: str, instruction: str) -> AbsenceRow | None:
    """Give the row of a stepping of a target that lacks an instruction; None if none does."""
    found = (row for row in absences() if row.target == target and instruction in row.instructions)
    return next(found, None)
