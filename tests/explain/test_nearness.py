"""Whether one format holds every value of another, against all values."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from wavemma.explain.nearness import HELD, OTHER, RECODED, ROUNDED, SAME, between, holds
from wavemma.formats.decode import decode
from wavemma.formats.format import number_format
from wavemma.tables.formats import format_row

SMALL = ("f16", "bf16", "fp8_ocp", "bf8_ocp", "fp8_fnuz", "bf8_fnuz", "fp6", "bf6", "fp4", "i8")


def values(name: str) -> set[Fraction]:
    form = number_format(name)
    codes = np.arange(1 << form.bits, dtype=np.uint16 if form.bits > 8 else np.uint8)
    found = np.asarray(decode(form, codes), dtype=np.float64)
    return {Fraction(float(value)) for value in found[np.isfinite(found)]}


@pytest.mark.slow
def test_a_format_holds_another_if_all_its_values_are_there() -> None:
    sets = {name: values(name) for name in SMALL}
    for wide, narrow in itertools.product(SMALL, repeat=2):
        claimed = holds(format_row(wide), format_row(narrow))
        assert claimed == (sets[narrow] <= sets[wide]), (wide, narrow)


@pytest.mark.parametrize(
    ("old", "new", "how"),
    [
        ("f16", "f16", SAME),
        ("iu8", "i8", SAME),
        ("fp8_fnuz", "fp8_ocp", RECODED),
        ("f16", "f32", HELD),
        ("fp4", "fp8_ocp", HELD),
        ("iu4", "i8", HELD),
        ("i8", "f16", HELD),
        ("f32", "xf32", ROUNDED),
        ("xf32", "f32", HELD),
        ("f16", "bf16", ROUNDED),
        ("f64", "f32", ROUNDED),
        ("f16", "i8", OTHER),
    ],
)
def test_between(old: str, new: str, how: int) -> None:
    assert between(old, new) == how
