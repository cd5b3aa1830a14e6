"""Records of data/not_run.toml: why instructions are not run, or not even decoded."""

from functools import cache

import msgspec

from wavemma.tables.files import rows
from wavemma.tables.keys import Grade, check_known
from wavemma.tables.sources import sources
from wavemma.tables.targets import architectures

_FILE = "not_run.toml"


class NotRunRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Instructions that are decoded, but not run.

    Attributes:
        names: Mnemonics.
        architectures: Keys of those whose instructions they are.
        why: The reason, without capital and full stop.
        source: Key of the citation that it rests on.
        grade: Of the reason.

    """

    names: tuple[str, ...]
    architectures: tuple[str, ...]
    why: str
    source: str
    grade: Grade


class NotDecodedRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words of instructions that are not decoded.

    Attributes:
        words: What they are for, with the names of their encodings.
        architectures: Keys of those that have them.
        why: The reason, without capital and full stop.
        source: Key of the citation that it rests on.
        grade: Of the reason.

    """

    words: str
    architectures: tuple[str, ...]
    why: str
    source: str
    grade: Grade


@cache
def not_run() -> tuple[NotRunRow, ...]:
    """List the instructions that are decoded, but not run.

    Raises:
        DataMistake: A row names an architecture or source that is not there.

    """
    table = rows(_FILE, "not_run", NotRunRow)
    for row in table:
        _check(row.names[0], row)
    return table


@cache
def not_decoded() -> tuple[NotDecodedRow, ...]:
    """List the words of instructions that are not decoded.

    Raises:
        DataMistake: A row names an architecture or source that is not there.

    """
    table = rows(_FILE, "not_decoded", NotDecodedRow)
    for row in table:
        _check(row.words, row)
    return table


def _check(name: str, row: NotRunRow | NotDecodedRow) -> None:
    place = f"data/{_FILE}, {name}"
    check_known(place, "architectures", row.architectures, architectures())
    check_known(place, "source", [row.source], sources())


def reasons(architecture: str) -> dict[str, str]:
    """Give why instructions of an architecture are not run, by mnemonic."""
    known = [row for row in not_run() if architecture in row.architectures]
    return {name: row.why for row in known for name in row.names}
