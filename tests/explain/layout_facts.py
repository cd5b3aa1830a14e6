"""The layouts of the fact files as questions, and their own way to an element's place."""

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.facts import facts_json

ROLES = {"A scale": "scale_a", "B scale": "scale_b"}


class Question(NamedTuple):
    """One layout of the facts, for one instruction on one target."""

    target: str
    instruction: str
    operand: str
    wave: int
    format: str | None
    fact: dict[str, Any]


def questions() -> Iterator[Question]:
    """Yield every layout of the facts for every instruction that has it, on its first target."""
    rows = {
        (row["arch"], row["mnemonic"]): row for row in facts_json("instructions")["instructions"]
    }
    for fact in facts_json("layouts")["layouts"]:
        for name in fact["instructions"]:
            yield Question(
                rows[fact["arch"], name]["targets"][0],
                name,
                ROLES.get(fact["operand"], fact["operand"]),
                fact["wave"],
                fact.get("format"),
                fact,
            )


def axes(fact: dict[str, Any]) -> list[str]:
    """The letters of an operand in the order of its matrix's axes, blocks first."""
    used = {bit[0] for bit in fact["lane_bits"] + fact["slot_bits"]}
    order = {
        "A": "bigsk",
        "index": "bigsk",
        "A scale": "iq",
        "B": "bkj",
        "B scale": "qj",
        "C": "bij",
        "D": "bij",
    }
    return [letter for letter in order[fact["operand"]] if letter in used]


def place(fact: dict[str, Any], indices: dict[str, int]) -> list[tuple[int, int, int]]:
    """Work out (lane, lowest bit counted from register 0, highest bit) of each copy."""
    lane, slot = (
        sum((indices[bit[0]] >> int(bit[1:] or 0) & 1) << n for n, bit in enumerate(fact[key]))
        for key in ("lane_bits", "slot_bits")
    )
    low = slot * fact["stride_bits"]
    return [(lane + copy, low, low + fact["element_bits"] - 1) for copy in fact["copies"]]


def size(fact: dict[str, Any], letter: str) -> int:
    """The extent of an index, as its bits tell."""
    return 1 << sum(bit[0] == letter for bit in fact["lane_bits"] + fact["slot_bits"])


def elements(fact: dict[str, Any]) -> Iterator[dict[str, int]]:
    """Yield the indices of every element."""
    letters = axes(fact)
    for values in itertools.product(*(range(size(fact, letter)) for letter in letters)):
        yield dict(zip(letters, values, strict=True))
