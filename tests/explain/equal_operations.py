"""Which instructions do the same, worked out from the facts alone."""

from collections.abc import Iterator
from typing import Any

from tests.facts import facts_json

# The unsigned-or-signed forms do what the signed ones do.
ALIKE = {"iu8": "i8"}


def matrix_rows() -> list[dict[str, Any]]:
    """Give every row that multiplies (261)."""
    return [row for row in facts_json("instructions")["instructions"] if "types" in row]


def targets() -> list[str]:
    return list(dict.fromkeys(name for row in matrix_rows() for name in row["targets"]))


def types(row: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the words for A, B, C and D, for each choice that modifiers leave."""
    words = row["types"]
    sides = [words[role] if isinstance(words[role], list) else [words[role]] for role in "AB"]
    for a in sides[0]:
        for b in sides[1]:
            yield tuple(ALIKE.get(word, word) for word in (a, b, words["C"], words["D"]))


def first_types(row: dict[str, Any]) -> tuple[str, ...]:
    return next(types(row))


def scale_block(row: dict[str, Any]) -> int:
    return row["scale"]["block_k"] if row.get("scaled") else 0


def equals(row: dict[str, Any], target: str) -> list[dict[str, Any]]:
    """List the rows of a target that compute the same, shapes and codes aside."""
    return [
        other
        for other in matrix_rows()
        if target in other["targets"]
        and other["sparse"] == row["sparse"]
        and scale_block(other) == scale_block(row)
        and first_types(row) in set(types(other))
    ]


def nearest(row: dict[str, Any], found: list[dict[str, Any]]) -> set[str]:
    """Of equal rows, keep those with the tile if any has it, then those with the nearest K."""
    tile = (row["M"], row["N"], row["blocks"])
    same = [each for each in found if (each["M"], each["N"], each["blocks"]) == tile] or found
    ratio = {each["mnemonic"]: max(each["K"], row["K"]) / min(each["K"], row["K"]) for each in same}
    return {name for name, value in ratio.items() if value == min(ratio.values())}
