"""What a name for a number format means: ours, an instruction's, or another tool's."""

import re
from collections.abc import Collection
from functools import cache
from typing import Literal, NamedTuple

import msgspec

from wavemma.errors import DataMistake, UnknownFormat
from wavemma.tables.files import rows
from wavemma.tables.formats import format_rows
from wavemma.tables.keys import Grade, check_known
from wavemma.tables.sources import sources

_FILE = "format_names.toml"
_SHAPE = re.compile(r"e(\d+)m(\d+)")
HINT = "All: wavemma list formats"


class FormatNameRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names that a tool has for a number format.

    Attributes:
        used_by: The tool, or who writes so.
        names: In small letters.
        formats: Names of formats that are meant, the likelier first; empty: none of ours.
        sign: How codes are read whose format leaves the sign to the instruction.
        packed: Numbers in one element of an array, the first in the low bits.
        note: What it is, where it is none of ours.

    """

    used_by: str
    names: tuple[str, ...]
    formats: tuple[str, ...]
    source: str
    grade: Grade
    sign: Literal["", "signed", "unsigned"] = ""
    packed: int = 1
    note: str = ""


class Meaning(NamedTuple):
    """What a name means.

    Attributes:
        formats: Names of formats; several where the name leaves open which.
        signed: How codes are read whose format leaves the sign to the instruction; None: it
            does not say.
        packed: Numbers in one element of an array.

    """

    formats: tuple[str, ...]
    signed: bool | None = None
    packed: int = 1


@cache
def format_name_rows() -> dict[str, FormatNameRow]:
    """Give the rows by each of their names.

    Raises:
        DataMistake: If a name is used twice, or a row names a format or source that is not there.

    """
    found: dict[str, FormatNameRow] = {}
    for row in rows(_FILE, "format_name", FormatNameRow):
        place = f"data/{_FILE}, {', '.join(row.names)}"
        check_known(place, "formats", row.formats, format_rows())
        check_known(place, "source", [row.source], sources())
        for name in row.names:
            if name in found:
                raise DataMistake(f"{place}: the name {name!r} must be used only once.")
            found[name] = row
    return found


def formats_called(word: str) -> tuple[str, ...]:
    """List the formats that a name may mean, the likelier first; as `meaning`."""
    return meaning(word).formats


def formats_alike(word: str) -> tuple[str, ...]:
    """As `formats_called`, for a name of formats whose bits are parted alike.

    Raises:
        UnknownFormat: Also where they are not, as with "float8": E4M3 or E5M2.

    """
    table = format_rows()
    found = formats_called(word)
    parted = {(row.exponent, row.fraction): row.type for row in map(table.__getitem__, found)}
    if len(parted) > 1:
        words = [f"{kind} (E{bits[0]}M{bits[1]})" for bits, kind in parted.items()]
        raise UnknownFormat(f"{word!r} may be {' or '.join(words)}: name one.", subject=word)
    return found


def meaning(word: str) -> Meaning:
    """Say what a name for a number format means.

    Args:
        word: In any case, with or without the module it is in: "f16", "torch.bfloat16", "E4M3".

    Raises:
        UnknownFormat: Offers the nearest names, or says what a format is that no instruction has.

    """
    name = _bare(word)
    row = format_name_rows().get(name)
    if row is not None and not row.formats:
        raise UnknownFormat(f"{word!r} of {row.used_by} is {row.note}.", subject=name, hint=HINT)
    if row is not None:
        signed = None if not row.sign else row.sign == "signed"
        return Meaning(row.formats, signed, row.packed)
    found = _own(name)
    if not found:
        raise UnknownFormat(
            f"{word!r} is not a number format of these instructions.",
            subject=name,
            allowed=known_names(),
            hint=HINT,
        )
    return Meaning(found)


def is_format_name(word: str) -> bool:
    """Whether a word names a number format, one of ours or another."""
    name = _bare(word)
    return name in format_name_rows() or bool(_own(name))


@cache
def known_names() -> tuple[str, ...]:
    """List every name that means a format of ours, ours first."""
    ours = [word for row in format_rows().values() for word in (row.name, row.type, row.dtype)]
    theirs = [name for name, row in format_name_rows().items() if row.formats]
    return tuple(dict.fromkeys(filter(None, (*ours, *theirs))))


def format_among(word: str, allowed: Collection[str], what: str) -> str:
    """Choose the one format of several that a name means.

    Args:
        word: As for `meaning`.
        allowed: Names of formats that can be.
        what: What has the format, such as "A of v_wmma_f32_16x16x16_f16", for the message.

    Raises:
        UnknownFormat: The name means none of them, or several.

    """
    if word in allowed:
        return word
    table = format_rows()
    meant = formats_called(word) if is_format_name(word) else ()
    codes = {table[name].dtype for name in meant} - {""}
    found = [name for name in allowed if name in meant]
    found = found or [name for name in allowed if table[name].dtype in codes]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownFormat(
            f"{word!r} may be {' or '.join(found)} for {what}: name one of them.", subject=word
        )
    raise UnknownFormat(
        f"{what} must be {' or '.join(allowed)}; {word!r} was given.",
        subject=word,
        allowed=allowed,
    )


def _bare(word: str) -> str:
    return word.strip().lower().rpartition(".")[2]


def _own(name: str) -> tuple[str, ...]:
    """List the formats that a word of the formats' own rows means."""
    every = format_rows().values()
    shape = _SHAPE.fullmatch(name)
    if shape is not None:
        bits = tuple(map(int, shape.groups()))
        return tuple(row.name for row in every if (row.exponent, row.fraction) == bits)
    if name in format_rows():
        return (name,)
    words = tuple(row.name for row in every if row.type == name)
    return words or tuple(row.name for row in every if row.dtype and row.dtype == name)[:1]
