"""Checks across rows: names used once, and references that lead somewhere."""

from collections.abc import Collection, Iterable
from typing import Literal, Protocol, TypeVar

from wavemma.errors import DataMistake

Grade = Literal["H", "V", "D", "unknown"]
"""Evidence: compared with silicon, vendor document or tool, derived, or unknown."""


def weakest(*grades: Grade) -> Grade:
    """Give the grade of what rests on all of several."""
    return max(grades, key=("H", "V", "D", "unknown").index)


class Named(Protocol):
    """A row with a name."""

    @property
    def name(self) -> str:
        """The key of the row."""


Row = TypeVar("Row", bound=Named)


def by_name(path: str, key: str, table: Iterable[Row]) -> dict[str, Row]:
    """Index rows by their name, in file order.

    Args:
        path: Place below data/, for the message.
        key: Name of the array of tables, for the message.
        table: The rows.

    Raises:
        DataMistake: If a name is used twice.

    """
    named: dict[str, Row] = {}
    for row in table:
        if row.name in named:
            raise DataMistake(f"data/{path}, {key}: the name {row.name!r} must be used only once.")
        named[row.name] = row
    return named


def check_known(place: str, field: str, values: Iterable[str], allowed: Collection[str]) -> None:
    """Refuse references that lead nowhere.

    Args:
        place: File and row, such as "data/targets.toml, target gfx942".
        field: Field that holds the references.
        values: The references.
        allowed: The names they may be.

    Raises:
        DataMistake: Names file, row, field and the unknown value.

    """
    for value in values:
        if value not in allowed:
            raise DataMistake(
                f"{place}: {field} must be a known name, it is {value!r}.",
                subject=value,
                allowed=allowed,
            )
