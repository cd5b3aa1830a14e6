"""Records of data/errata.toml: what documentation or a tool says wrongly."""

from functools import cache

import msgspec

from wavemma.tables.files import rows
from wavemma.tables.keys import Grade, check_known
from wavemma.tables.sources import sources
from wavemma.tables.targets import architectures, targets

_FILE = "errata.toml"


class ErratumRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that a source says wrongly.

    Attributes:
        about: What it is about.
        effect: Effect word of the modifiers that it is about; empty if about targets.
        architectures: Architectures whose instructions it is about.
        targets: Targets that it is about.
        taken: What holds.
        source: Key of the citation of what holds.
        grade: Grade of what holds.
        said: What the other source says.
        said_source: Key of that source.

    """

    about: str
    effect: str
    architectures: tuple[str, ...]
    targets: tuple[str, ...]
    taken: str
    source: str
    grade: Grade
    said: str
    said_source: str


@cache
def errata() -> tuple[ErratumRow, ...]:
    """List every erratum.

    Raises:
        DataMistake: A row names a target, architecture or source that is not there.

    """
    table = rows(_FILE, "erratum", ErratumRow)
    for row in table:
        place = f"data/{_FILE}, {row.about}"
        check_known(place, "architectures", row.architectures, architectures())
        check_known(place, "targets", row.targets, targets())
        check_known(place, "source", [row.source, row.said_source], sources())
    return table
