"""The tables of data/abi: what a loader and a machine must know to run code objects."""

from collections.abc import Iterable
from functools import cache
from typing import TypeVar

import msgspec

from wavemma.errors import DataMistake, UnknownName
from wavemma.tables.abi_rows import (
    AbiConflict,
    BitsRow,
    CitedRow,
    HiddenRow,
    HighBitsRow,
    LimitRow,
    MemberRow,
    NumberRow,
    PaddingRow,
    QuestionRow,
    RelocationRow,
    RemarkRow,
    SgprRow,
    StructRow,
    WordRow,
)
from wavemma.tables.files import document, rows
from wavemma.tables.keys import check_known
from wavemma.tables.sources import sources
from wavemma.tables.targets import architectures, targets

_SUBJECTS = (
    "elf",
    "metadata",
    "containers",
    "descriptor",
    "launch",
    "structs",
    "registers",
    "buffer",
    "extensions",
    "open",
)


class Abi(msgspec.Struct, frozen=True):
    """All rows of data/abi, in the order of the files."""

    bits: tuple[BitsRow, ...]
    numbers: tuple[NumberRow, ...]
    words: tuple[WordRow, ...]
    limits: tuple[LimitRow, ...]
    structs: tuple[StructRow, ...]
    members: tuple[MemberRow, ...]
    relocations: tuple[RelocationRow, ...]
    hidden: tuple[HiddenRow, ...]
    sgprs: tuple[SgprRow, ...]
    paddings: tuple[PaddingRow, ...]
    high_bits: tuple[HighBitsRow, ...]
    remarks: tuple[RemarkRow, ...]
    questions: tuple[QuestionRow, ...]
    conflicts: tuple[AbiConflict, ...]


@cache
def abi() -> Abi:
    """Load data/abi, checked across rows.

    Raises:
        DataMistake: If a row names a source, architecture, target or structure that is not there,
            or fields of a word share a bit.

    """
    table = Abi(
        bits=_all("bits", BitsRow),
        numbers=_all("number", NumberRow),
        words=_all("word", WordRow),
        limits=_all("limit", LimitRow),
        structs=_all("struct", StructRow),
        members=_all("member", MemberRow),
        relocations=_all("relocation", RelocationRow),
        hidden=_all("hidden", HiddenRow),
        sgprs=_all("sgpr", SgprRow),
        paddings=_all("padding", PaddingRow),
        high_bits=_all("high_bits", HighBitsRow),
        remarks=_all("remark", RemarkRow),
        questions=_all("question", QuestionRow),
        conflicts=_all("conflict", AbiConflict),
    )
    _check(table)
    return table


@cache
def bit_fields(word: str, architecture: str) -> dict[str, BitsRow]:
    """Give the fields of a word by name.

    Args:
        word: Such as "rsrc1", "MODE" or "resource".
        architecture: Key of an architecture.

    Raises:
        UnknownName: If the architecture has no such word.

    """
    known = [row for row in abi().bits if row.holds_for(architecture)]
    found = {row.name: row for row in known if row.word == word}
    return _found(found, f"a word of {architecture}", word, (row.word for row in known))


@cache
def numbers(set_name: str, architecture: str) -> dict[str, int]:
    """Give the numbers of a set by name.

    Args:
        set_name: Such as "machine", "hwreg_id" or "message".
        architecture: Key of an architecture.

    Raises:
        UnknownName: If the architecture has no such set.

    """
    known = [row for row in abi().numbers if row.holds_for(architecture)]
    found = {row.name: row.value for row in known if row.set == set_name}
    return _found(found, f"a set of numbers of {architecture}", set_name, (r.set for r in known))


@cache
def limit(name: str, architecture: str, wave: int) -> int:
    """Give a limit or granule.

    Args:
        name: Such as "lds_max" or "vgpr_granule".
        architecture: Key of an architecture.
        wave: Lanes of a wave.

    Raises:
        UnknownName: If the architecture has no such limit.

    """
    known = {
        row.name: row.value
        for row in abi().limits
        if row.holds_for(architecture) and (not row.waves or wave in row.waves)
    }
    return _found({name: known[name]} if name in known else {}, "a limit", name, known)[name]


Record = TypeVar("Record")
Value = TypeVar("Value")


def _all(key: str, record: type[Record]) -> tuple[Record, ...]:
    """Join the rows of one kind from every file that has any."""
    paths = [f"abi/{subject}.toml" for subject in _SUBJECTS]
    return tuple(row for path in paths if key in document(path) for row in rows(path, key, record))


def _found(
    found: dict[str, Value], what: str, name: str, allowed: Iterable[str]
) -> dict[str, Value]:
    if not found:
        raise UnknownName(f"{name!r} is not {what}.", subject=name, allowed=dict.fromkeys(allowed))
    return found


def _check(table: Abi) -> None:
    cited: tuple[CitedRow, ...] = (
        *table.bits,
        *table.numbers,
        *table.words,
        *table.limits,
        *table.structs,
        *table.relocations,
        *table.hidden,
        *table.sgprs,
        *table.high_bits,
        *table.remarks,
    )
    for row in cited:
        check_known(f"data/abi, {row}", "source", [row.source], sources())
        check_known(f"data/abi, {row}", "architectures", row.architectures, architectures())
    for padding in table.paddings:
        check_known("data/abi, padding", "targets", padding.targets, targets())
        check_known("data/abi, padding", "source", [padding.source], sources())
    named = {row.name for row in table.structs}
    check_known("data/abi, member", "struct", [row.struct for row in table.members], named)
    for architecture in architectures():
        _check_apart([row for row in table.bits if row.holds_for(architecture)], architecture)


def _check_apart(bits: list[BitsRow], architecture: str) -> None:
    """Refuse two fields of one word on one bit."""
    taken: dict[tuple[str, int], str] = {}
    for row in bits:
        for bit in range(row.lo, row.hi + 1):
            other = taken.setdefault((row.word, bit), row.name)
            if other != row.name:
                raise DataMistake(
                    f"data/abi, {row.word} of {architecture}: bit {bit} must belong to one field,"
                    f" {other} and {row.name} have it.",
                    subject=row.name,
                )
