"""The examples of numerics.md, section 13, as rows, and one output element computed."""

import re
from dataclasses import dataclass

import numpy as np
import pytest

from tests.facts import facts_text
from wavemma.formats.format import number_format
from wavemma.numerics.dot import dot
from wavemma.numerics.model import model
from wavemma.numerics.path import Setting


@dataclass(frozen=True)
class Row:
    number: int
    instruction: str
    inputs: str
    result: str

    def field(self, name: str) -> str:
        found = re.search(rf"(?:^|; ){name}=([^;]*)", self.inputs)
        return found.group(1).strip()

    def words(self, name: str) -> list[int]:
        """Codes in hex; `80 x16` repeats."""
        text = self.field(name)
        repeated = re.fullmatch(r"(\w+) x(\d+)", text)
        if repeated:
            return [int(repeated.group(1), 16)] * int(repeated.group(2))
        return [int(word, 16) for word in text.split()]

    def results(self) -> list[str]:
        return [part.strip() for part in self.result.strip("`").split("/")]


def rows() -> dict[int, Row]:
    table = {}
    for line in facts_text("numerics.md").splitlines():
        if re.match(r"\| \d+ \|", line):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            table[int(cells[0])] = Row(int(cells[0]), cells[1], cells[2], cells[3])
    return table


ROWS = rows()


def setting(a, b=None, d="f32", **options):
    formats = (a, b or a, d, d)
    return Setting(*(number_format(name) for name in formats), **options)


def one(name, given, a, b, c, scales=None):
    """One output element."""
    size = max(len(a), len(b))
    a = [*a, *[0] * (size - len(a))]
    b = [*b, *[0] * (size - len(b))]
    column = [[code] for code in b]
    return int(dot(model(name), given, [a], column, [[c]], scales)[0, 0])


def is_nan(bits):
    return (bits & 0x7FFFFFFF) > 0x7F800000


def equal_or_both_nan(got, want):
    return got == want or (is_nan(got) and is_nan(want))


def floats_to_codes(kind, values):
    bits = np.array(values, dtype=np.float32).view(np.uint32)
    if kind == "bf16":
        return [int(word) >> 16 for word in bits]
    return [int(word) for word in np.array(values, dtype=np.float16).view(np.uint16)]


def fnv(words, size=4):
    digest = 14695981039346656037
    for word in words:
        for byte in int(word).to_bytes(size, "little"):
            digest = ((digest ^ byte) * 1099511628211) % 2**64
    return f"{digest:016x}"


COVERED: dict[str, list[int]] = {
    "complement_steps": [*range(1, 24)],
    "paired_steps": [*range(24, 38)],
    "paired_matrices": [38, 39, 40],
    "small_integer_elements": [*range(41, 46)],
    "small_integer_matrix": [132],
    "packed_elements": [*range(46, 52), *range(123, 127)],
    "packed_uniform": [*range(52, 58), 127],
    "overflow_mode": [*range(59, 65)],
    "dot_of_four": [*range(65, 69), 130],
    "cdna_floats": [*range(69, 99), 100, 101, 102, 131],
    "long_sum": [99],
    "wrapping_integers": [103],
    "signedness": [104],
    "clamp_once": [105],
    "clamp_by_halves": [106],
    "dense_bytes": [107],
    "dense_nibbles": [108],
    "decoding": [*range(110, 119)],
    "scales_at_once": [120, 121],
    "scales_one_by_one": [122],
    "inline_integers": [128],
    "inline_floats": [129],
}
"""Rows by the test that computes them; test_examples.py holds this to the table."""


def covers(name: str) -> pytest.MarkDecorator:
    """Run a test on each of its rows."""
    return pytest.mark.parametrize("number", COVERED[name])
