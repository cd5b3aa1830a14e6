"""Records of data/hazard_classes.toml: which instructions the rules of hazards speak of."""

from functools import cache
from typing import Literal

import msgspec

from wavemma.tables.files import rows
from wavemma.tables.hazards import hazards
from wavemma.tables.instructions import Kind
from wavemma.tables.keys import Grade, check_known
from wavemma.tables.sources import sources
from wavemma.tables.targets import architectures

_FILE = "hazard_classes.toml"


class MatrixClassRow(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"name": "class"}
):
    """The class of matrix instructions; the first row that fits holds, an empty list fits any.

    Attributes:
        name: The class.
        kinds: Kinds of instruction.
        architectures: Where.
        a: Formats of A.
        shapes: M, N and K.

    """

    name: str
    kinds: tuple[Kind | Literal["scale_load"], ...]
    source: str
    grade: Grade
    architectures: tuple[str, ...] = ()
    a: tuple[str, ...] = ()
    shapes: tuple[tuple[int, int, int], ...] = ()


class NamedClassRow(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"name": "class"}
):
    """The class of other instructions, by mnemonic without the suffix of the encoding.

    `alone`: whether they are then no vector ALU instructions for the rules.
    """

    name: str
    names: tuple[str, ...]
    source: str
    grade: Grade
    architectures: tuple[str, ...] = ()
    alone: bool = False


class ResultRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What operand rows don't say of instructions that have these meanings or names.

    `what`: the result is read too; the first source is written too; the data is what is written.
    """

    what: Literal["read", "written", "data"]
    source: str
    grade: Grade
    meanings: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


class PrefixRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"name": "class"}):
    """What a written name that no row has is taken for, by its first letters."""

    prefix: str
    name: Literal["VALU", "MEM"]
    source: str
    grade: Grade


class NamedCodeRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The source codes of a register that rules name."""

    word: Literal["exec"]
    codes: tuple[int, ...]
    source: str
    grade: Grade


class WordClassRow(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"label": "class"}
):
    """An instruction that no table of instructions has, by bits of its first word.

    Attributes:
        label: Its class.
        name: Its mnemonic.
        architectures: Where.
        mask: The bits that name it.
        value: What they are.
        size_bytes: Bytes of it.
        reads: Lowest bits of the numbers of 8 bits that name registers which it reads.
        enables: The bit that says whether each of them is read; -1: it is unless it is number 0.
        roles: What each of them is.
        writes: Lowest bits of those that it writes.

    """

    label: str
    name: str
    architectures: tuple[str, ...]
    mask: int
    value: int
    size_bytes: int
    reads: tuple[int, ...]
    enables: tuple[int, ...]
    source: str
    grade: Grade
    roles: tuple[str, ...] = ()
    writes: tuple[int, ...] = ()


class HazardClasses(msgspec.Struct, frozen=True):
    """All of data/hazard_classes.toml."""

    matrix: tuple[MatrixClassRow, ...]
    named: tuple[NamedClassRow, ...]
    results: tuple[ResultRow, ...]
    prefixes: tuple[PrefixRow, ...]
    codes: tuple[NamedCodeRow, ...]
    words: tuple[WordClassRow, ...]


@cache
def hazard_classes() -> HazardClasses:
    """Load the classes, checked across rows.

    Raises:
        DataMistake: If a row names a class, architecture or source that is not there.

    """
    table = HazardClasses(
        matrix=rows(_FILE, "matrix", MatrixClassRow),
        named=rows(_FILE, "named", NamedClassRow),
        results=rows(_FILE, "result", ResultRow),
        prefixes=rows(_FILE, "prefix", PrefixRow),
        codes=rows(_FILE, "code", NamedCodeRow),
        words=rows(_FILE, "word", WordClassRow),
    )
    _check(table)
    return table


def _check(table: HazardClasses) -> None:
    place = f"data/{_FILE}"
    classes = [row.name for row in table.matrix]
    classes += [row.name for row in table.named]
    check_known(place, "class", [*classes, *(row.label for row in table.words)], hazards().classes)
    named = [name for row in table.matrix for name in row.architectures]
    named += [name for row in table.named for name in row.architectures]
    named += [name for row in table.words for name in row.architectures]
    check_known(place, "architectures", named, architectures())
    cited = [row.source for row in table.matrix]
    cited += [row.source for row in table.named]
    cited += [row.source for row in table.words]
    cited += [row.source for row in table.results]
    cited += [row.source for row in table.codes]
    cited += [row.source for row in table.prefixes]
    check_known(place, "source", cited, sources())
