"""Every example of numerics.md is computed somewhere, and how many there are."""

import pytest

from tests.numerics.examples import COVERED, ROWS

pytestmark = pytest.mark.facts

ELSEWHERE = {
    58: "halves of registers: tests/execute",
    109: "sparse selection: tests/execute",
    119: "packing of 6-bit codes: tests/formats",
}


def test_every_example_is_covered() -> None:
    covered = [number for numbers in COVERED.values() for number in numbers]
    assert len(covered) == len(set(covered)) == 129
    assert set(ROWS) == set(covered) | set(ELSEWHERE)
    assert len(ROWS) == 132
