"""The only module that opens data/: TOML text in, frozen records out."""

import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

import msgspec

from wavemma.errors import DataMistake
from wavemma.tables.plain_rows import read_plain

Row = TypeVar("Row")


@cache
def _data() -> Traversable:
    """Find data/; to look for it anew takes as long as to read a file."""
    return files("wavemma").joinpath("data")


def text(path: str) -> str:
    """Read the text of one data file.

    Args:
        path: Place below data/, with forward slashes.

    Raises:
        DataMistake: If the file is missing.

    """
    place = _data().joinpath(*path.split("/"))
    try:
        return place.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DataMistake(f"data/{path} must exist, it was not found.", subject=path) from None


@cache
def document(path: str) -> dict[str, Any]:
    """Read one data file.

    Args:
        path: Place below data/, with forward slashes.

    Raises:
        DataMistake: If the file is missing or is not TOML.

    """
    whole = text(path)
    found = read_plain(whole)
    if found is not None:
        return found
    try:
        return tomllib.loads(whole)
    except tomllib.TOMLDecodeError as error:
        raise DataMistake(f"data/{path} must be TOML: {error}", subject=path) from None


def rows(path: str, key: str, record: type[Row], *, optional: bool = False) -> tuple[Row, ...]:
    """Turn the array named `key` of a data file into records; unknown fields are refused.

    Args:
        path: Place below data/, with forward slashes.
        key: Name of the array of tables.
        record: A frozen msgspec.Struct with forbid_unknown_fields.
        optional: A file without the array has no rows, and that is right.

    Raises:
        DataMistake: Names file, row and field.

    """
    table = document(path)
    if key not in table:
        if optional:
            return ()
        raise DataMistake(f"data/{path} must have rows '{key}'.", subject=key, allowed=table)
    return tuple(_record(path, key, number, row, record) for number, row in enumerate(table[key]))


def named(path: str, key: str, record: type[Row]) -> dict[str, Row]:
    """Turn the tables below `key` of a data file into records by name; as `rows` otherwise."""
    table = document(path).get(key, {})
    return {name: _record(path, key, name, row, record) for name, row in table.items()}


def _record(path: str, key: str, place: object, row: object, record: type[Row]) -> Row:
    try:
        return msgspec.convert(row, record)
    except msgspec.ValidationError as error:
        name = row.get("name", place) if isinstance(row, dict) else place
        raise DataMistake(f"data/{path}, {key} {name}: {error}", subject=name) from None
