"""Evidence and conflicts of an answer, from the keys that rows give."""

import re
from collections.abc import Collection, Iterable

from msgspec.structs import replace

from wavemma.errors import DataMistake
from wavemma.explain.answer import Conflict, Evidence
from wavemma.tables.errata import ErratumRow, errata
from wavemma.tables.instructions import InstructionRow
from wavemma.tables.keys import Grade
from wavemma.tables.products import ProductConflict
from wavemma.tables.sources import sources

UNKNOWN_SOURCE = "none"


def cited(what: str, source: str, grade: Grade, note: str = "") -> Evidence:
    """Say what a part of an answer rests on.

    Args:
        what: The part, such as "opcode".
        source: Key of data/sources.toml.
        grade: Grade of the row.
        note: What limits it.

    Raises:
        DataMistake: No such source.

    """
    return Evidence(what, source, citation(source), grade, note)


def citation(source: str) -> str:
    """Write one citation in words: document, place inside it, date if known.

    Raises:
        DataMistake: No such source.

    """
    if source not in sources():
        raise DataMistake(
            f"A row must cite a key of data/sources.toml, it cites {source!r}.",
            subject=source,
            allowed=sources(),
        )
    row = sources()[source]
    parts = [row.document]
    if row.where != "whole":
        parts.append(row.where)
    if row.date != "unknown":
        parts.append(row.date)
    return "; ".join(parts)


def distinct(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Keep each piece of evidence once, in order.

    Parts that differ only in what stands in brackets, as "cycles (one)" and "cycles (two)" do,
    become one where they rest on the same: "cycles (one, two)".
    """
    places: dict[tuple[str, Evidence], dict[str, None]] = {}
    for each in evidence:
        part, _, place = each.what.removesuffix(")").partition(" (")
        key = (part, replace(each, what=""))
        places.setdefault(key, {}).update(dict.fromkeys([place] if place else []))
    return tuple(
        replace(each, what=f"{part} ({', '.join(names)})" if names else part)
        for (part, each), names in places.items()
    )


def row_conflicts(architecture: str, row: InstructionRow) -> tuple[Conflict, ...]:
    """List what sources say otherwise about an instruction row."""
    return tuple(
        Conflict(
            what=f"{entry.what} of {row.name} ({architecture})",
            taken=str(getattr(row, entry.what, "the row's value")),
            other=entry.value,
            source=citation(entry.source),
        )
        for entry in row.conflict
    )


def product_conflicts(entries: Iterable[ProductConflict]) -> tuple[Conflict, ...]:
    """List what sources say otherwise about products."""
    return tuple(
        Conflict(
            what=f"{entry.about} ({', '.join(entry.products) or 'all products'})",
            taken=entry.taken,
            other="; ".join(map(_with_names, entry.claims)),
            source=f"{citation(entry.source)} [{entry.grade}]",
        )
        for entry in entries
    )


def _with_names(claim: str) -> str:
    """Write the names of the sources that a claim starts with in place of their keys."""
    keys, colon, said = claim.partition(":")
    if not colon:
        return claim
    return re.sub(r"[\w-]+", _named, keys) + colon + said


def _named(word: re.Match[str]) -> str:
    row = sources().get(word[0])
    return row.document if row else word[0]


def instruction_errata(architecture: str, effects: Collection[str]) -> tuple[Conflict, ...]:
    """List what documentation says wrongly of instructions with modifiers of these effects."""
    return tuple(
        _erratum(row)
        for row in errata()
        if architecture in row.architectures and row.effect in effects
    )


def target_errata(names: Collection[str]) -> tuple[Conflict, ...]:
    """List what documentation or tools say wrongly of targets."""
    return tuple(_erratum(row) for row in errata() if set(names) & set(row.targets))


def _erratum(row: ErratumRow) -> Conflict:
    taken = f"{row.taken} ({sources()[row.source].document}) [{row.grade}]"
    return Conflict(row.about, taken, row.said, citation(row.said_source))
