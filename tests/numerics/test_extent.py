"""Bounds of arrays against every number in them."""

import math

import numpy as np
import pytest

from tests.numerics.adversarial import codes
from wavemma.formats.decode import decode
from wavemma.formats.format import number_format
from wavemma.numerics.dot import checked_codes
from wavemma.numerics.extent import EMPTY, extent

NAMES = ["f16", "bf16", "f32", "xf32", "f64", "fp8_ocp", "bf8_fnuz", "fp6", "fp4"]


@pytest.mark.parametrize("name", NAMES)
def test_bounds(name: str) -> None:
    form = number_format(name)
    rng = np.random.default_rng(1)
    for count in (1, 2, 5, 300):
        drawn = checked_codes("codes", form, codes(rng, form, (count, 1))[:, 0])
        values = [abs(float(value)) for value in decode(form, drawn)]
        finite = [value for value in values if math.isfinite(value)]
        found = extent(form, drawn)
        assert found.finite == (len(finite) == len(values))
        exponents = [math.frexp(value)[1] - 1 for value in finite if value]
        if found.finite and exponents:
            assert (found.low, found.high) == (min(exponents), max(exponents))
        if not exponents and found.finite:
            assert found == EMPTY


def test_integers_and_nothing_are_unbounded() -> None:
    assert extent(number_format("i8"), np.array([1, 2], dtype=np.uint8)) == EMPTY
    assert extent(number_format("f32"), np.array([], dtype=np.uint32)) == EMPTY
    assert extent(number_format("f32"), np.array([0, 0x80000000], dtype=np.uint32)) == EMPTY
