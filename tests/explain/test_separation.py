"""Inputs that tell two targets apart are told apart by the twin too, and none are made up."""

import pytest

from tests.explain.twin_sums import twin_sum
from wavemma.explain.separation import Separation, separation

PAIRS = [
    ("f16", "gfx908", "gfx90a", 1),
    ("f16", "gfx908", "gfx942", 1),
    ("f16", "gfx942", "gfx950", 2),
    ("f16", "gfx1250", "gfx908", 2),
    ("f16", "gfx1100", "gfx1201", 1),
    ("f16", "gfx1201", "gfx942", 2),
    ("bf16", "gfx1151", "gfx1201", 1),
    ("bf16", "gfx908", "gfx90a", 1),
    ("fp8", "gfx942", "gfx1201", 2),
    ("fp8", "gfx950", "gfx1250", 3),
    ("bf8", "gfx942", "gfx1250", 2),
]


def codes(numbers: tuple) -> list[int]:
    return [int(each.code.code, 16) for each in numbers]


def check(found: Separation, *, clamp: bool = False) -> None:
    """The rows' bits are the twin's, and they differ."""
    assert found.found is not None
    readings = {each.a_format: each for each in found.found.readings}
    rows = found.found.rows
    assert [row.target for row in rows] == [each.target for each in found.targets]
    for row in rows:
        reading = readings[row.a]
        formats = {"a": row.a, "b": row.b, "c": row.d, "d": row.d}
        c = int(reading.c.code.code, 16)
        a, b = codes(reading.a), codes(reading.b)
        want = twin_sum(row.target, row.instructions[0], a, b, c, formats=formats, wave=row.wave,
                        clamp=clamp)  # fmt: skip
        assert int(row.result.code, 16) == want
    assert rows[0].result.value != rows[1].result.value


@pytest.mark.parametrize(("word", "first", "second", "most"), PAIRS)
def test_found_and_small(word: str, first: str, second: str, most: int) -> None:
    found = separation(word, first, second)
    check(found)
    assert found.found is not None
    a = found.found.readings[0].a
    assert len([each for each in a if each.code.value]) <= most
    assert found.tried > 0


def test_clamped_integers_part_by_stage() -> None:
    found = separation("i8", "gfx1100", "gfx1201", clamp=True)
    check(found, clamp=True)


def test_none_where_the_rule_is_the_same() -> None:
    found = separation("f16", "gfx1100", "gfx1103")
    assert (found.found, found.same_rule, found.tried) == (None, True, 0)


def test_none_where_arithmetic_is_the_same_by_another_rule() -> None:
    found = separation("i8", "gfx942", "gfx1201")
    assert (found.found, found.same_rule) == (None, False)
    # Many trials, none of which parts them.
    assert found.tried > 20_000


def test_sums_that_differ_only_in_nan_bits_are_equal() -> None:
    assert separation("f64", "gfx90a", "gfx1251").found is None
