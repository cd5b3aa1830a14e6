"""Records of data/accuracy.toml: how far functions of hardware may be from exact ones."""

from functools import cache

import msgspec

from wavemma.tables.files import rows
from wavemma.tables.keys import Grade, check_known
from wavemma.tables.sources import sources
from wavemma.tables.targets import architectures, targets

_FILE = "accuracy.toml"


class AccuracyRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A function of one type.

    Attributes:
        meaning: What rows of instructions name.
        type: Of the result.
        ulps: Units in the last place that the manuals allow.
        source: Key of the citation of that.
        grade: Of that.
        seen: Units in the last place that captures differ by at most from results rounded once;
            0 if nobody has said.
        seen_on: The target of the captures, or "".
        seen_source: Key of the citation of them.
        architectures: Keys of those that the manuals are of.

    """

    meaning: str
    type: str
    ulps: float
    source: str
    grade: Grade
    seen: float
    seen_on: str
    seen_source: str
    architectures: tuple[str, ...]


@cache
def accuracies() -> tuple[AccuracyRow, ...]:
    """List every function.

    Raises:
        DataMistake: A row names an architecture, target or source that is not there.

    """
    table = rows(_FILE, "accuracy", AccuracyRow)
    for row in table:
        place = f"data/{_FILE}, {row.meaning} of {row.type}"
        check_known(place, "architectures", row.architectures, architectures())
        check_known(place, "seen_on", [row.seen_on] if row.seen_on else [], targets())
        check_known(place, "source", [row.source, row.seen_source], sources())
    return table


def allowed_ulps(meaning: str, type_name: str, architecture: str) -> float:
    """Give the units in the last place that the manuals allow a function; 0 if none is named.

    Args:
        meaning: What the row of the instruction names.
        type_name: Of its result.
        architecture: Key.

    """
    for row in accuracies():
        if (row.meaning, row.type) == (meaning, type_name) and architecture in row.architectures:
            return row.ulps
    return 0.0
