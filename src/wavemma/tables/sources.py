"""Records of data/sources.toml: what every other row rests on."""

from functools import cache
from typing import Literal

import msgspec

from wavemma.tables.files import rows
from wavemma.tables.keys import by_name

Kind = Literal[
    "vendor document", "vendor code", "compiler", "measurement", "third party", "derivation"
]
_FILE = "sources.toml"


class SourceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One citation.

    Attributes:
        name: Key that other rows give in their `source`.
        kind: Who speaks; a measurement is one on silicon.
        date: ISO date as far as known, else "unknown".
        document: What is cited.
        where: Place inside it.

    """

    name: str
    kind: Kind
    date: str
    document: str
    where: str


@cache
def sources() -> dict[str, SourceRow]:
    """Give the citations by key.

    Raises:
        DataMistake: If two rows have one key.

    """
    return by_name(_FILE, "source", rows(_FILE, "source", SourceRow))
