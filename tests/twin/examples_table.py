"""Reads the rows of section 13 of numerics.md."""

import functools
import re
from typing import NamedTuple

from tests.facts import facts_text


class Row(NamedTuple):
    """One example: the cells as written."""

    number: int
    instruction: str
    inputs: str
    result: str
    note: str

    @property
    def results(self) -> list[str]:
        """The alternatives of the first quoted result, in the order of the instruction."""
        return [part.split()[0] for part in self.result.split("`")[1].split(" / ")]

    @property
    def words(self) -> list[int]:
        """The results as numbers."""
        return [int(text, 16) for text in self.results]


@functools.cache
def table() -> dict[int, Row]:
    """All rows of section 13 by number."""
    section = facts_text("numerics.md").split("## 13. Numeric examples")[1]
    rows = {}
    for line in section.splitlines():
        if re.match(r"\| \d+ \|", line):
            number, instruction, inputs, result, _, note = (
                cell.strip() for cell in line.strip("|").split(" | ", 5)
            )
            rows[int(number)] = Row(int(number), instruction, inputs, result, note.strip(" |"))
    return rows


def hex_list(text: str, name: str) -> list[int]:
    """The hex elements after ``name=`` in an inputs cell; "x16" repeats the element."""
    found = re.search(rf"\b{name}=([0-9a-f ]+?)(?: x(\d+))?(?:;|$)", text)
    if found is None:
        raise ValueError(f"no {name}= in {text!r}")
    return [int(word, 16) for word in found[1].split()] * int(found[2] or 1)


def operands(row: Row, length: int = 0) -> tuple[list[int], list[int], int]:
    """A and B padded with zeros to ``length`` elements, and C."""
    a, b = hex_list(row.inputs, "A"), hex_list(row.inputs, "B")
    length = max(length, len(a), len(b))
    pad = [[*x, *[0] * (length - len(x))] for x in (a, b)]
    return pad[0], pad[1], hex_list(row.inputs, "C")[0]


def matching(*numbers: int | range) -> list[Row]:
    """The rows of the given numbers and ranges."""
    rows = table()
    wanted = [n for item in numbers for n in ([item] if isinstance(item, int) else item)]
    return [rows[n] for n in wanted]
