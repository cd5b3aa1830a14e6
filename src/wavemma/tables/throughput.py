"""Records of data/throughput: how long each matrix instruction keeps a SIMD busy."""

from functools import cache
from typing import Literal

import msgspec

from wavemma.tables.files import rows
from wavemma.tables.keys import Grade, check_known
from wavemma.tables.sources import sources
from wavemma.tables.targets import targets, targets_of

Unknown = Literal["unknown"]


class OtherCycles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cycles that another source gives."""

    source: str
    cycles: int


class TimingRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cycles of one instruction; of several rows of a name the first that fits holds.

    Attributes:
        name: Mnemonic.
        cycles: Cycles that one SIMD is busy.
        coexec: Of these, cycles in which it takes other vector instructions.
        pipe: Whether it runs on a pipe beside the vector ALU or on that ALU.
        targets: Targets that the row is for; empty: all of the architecture.
        stepping: Silicon stepping that the row is for; empty: all that have no row of their own.
        a: Formats of A that the row is for; empty: any.
        b: Formats of B that the row is for; empty: any.
        coexec_source: Citation of `coexec` where it is not `source`.
        also: Sources that give the same cycles.
        against: Sources that give others.

    """

    name: str
    cycles: int | Unknown
    coexec: int | Unknown
    pipe: Literal["matrix", "valu", "unknown"]
    source: str
    grade: Grade
    targets: tuple[str, ...] = ()
    stepping: str = ""
    a: tuple[str, ...] = ()
    b: tuple[str, ...] = ()
    coexec_source: str = ""
    also: tuple[str, ...] = ()
    against: tuple[OtherCycles, ...] = ()


@cache
def timings(architecture: str) -> dict[str, tuple[TimingRow, ...]]:
    """Give the rows of an architecture by mnemonic, each in the order in which they are tried.

    Args:
        architecture: Key of an architecture, such as "cdna4".

    Raises:
        DataMistake: If the file is missing, or a row names a target or source that is not there.

    """
    path = f"throughput/{architecture}.toml"
    table: dict[str, tuple[TimingRow, ...]] = {}
    for row in rows(path, "timing", TimingRow):
        place = f"data/{path}, timing {row.name}"
        check_known(place, "targets", row.targets, targets_of(architecture))
        check_known(place, "source", _cited(row), sources())
        table[row.name] = (*table.get(row.name, ()), row)
    return {
        name: tuple(sorted(found, key=lambda row: not row.stepping))
        for name, found in table.items()
    }


@cache
def steppings(target_name: str) -> tuple[str, ...]:
    """List the steppings of a target that have rows of their own.

    Args:
        target_name: Key of a target, such as "gfx1250".

    """
    table = timings(targets()[target_name].architecture)
    named = {
        row.stepping
        for found in table.values()
        for row in found
        if row.stepping and (not row.targets or target_name in row.targets)
    }
    return tuple(sorted(named))


def _cited(row: TimingRow) -> list[str]:
    """List every source that a row names."""
    coexec = [row.coexec_source] if row.coexec_source else []
    return [row.source, *coexec, *row.also, *(other.source for other in row.against)]
