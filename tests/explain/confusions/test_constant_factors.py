"""One factor of an output is one cause, whether C is known or not."""

from typing import Any

import numpy as np
import pytest

from wavemma.explain.difference import diagnose
from wavemma.explain.telling_inputs import telling_inputs

OP = "v_wmma_f32_16x16x16_f16"
MADE = telling_inputs("gfx1100", OP, steps=3)
WANT = MADE["want"]
PRODUCT = WANT - MADE["c"].astype(float)


@pytest.mark.parametrize(
    ("factor", "words"),
    [
        (-1.0, "factor -1: every result has the other sign"),
        (0.5, "factor 1/2: every result is half of what it should be"),
        (2.0, "factor 2: every result is twice what it should be"),
        (-2.0, "factor -2: every result is -2 times what it should be"),
        (0.7, "factor 0.7: every result is 0.7 times what it should be"),
        (1 / 3, "factor 1/3: every result is 1/3 of what it should be"),
    ],
)
@pytest.mark.parametrize("given", ["all", "want", "c"])
def test_a_factor_of_every_result_is_one_fault(factor: float, words: str, given: str) -> None:
    arrays: dict[str, Any] = {"all": MADE, "want": {"want": WANT}, "c": {"want": WANT}}[given]
    if given == "c":
        arrays = {"want": WANT, "c": MADE["c"]}
    found = diagnose("gfx1100", OP, (factor * WANT).astype(np.float32), **arrays)
    (fault,) = found.explanations[0].faults
    expected = words if given != "want" else words.replace("every result", "every product")
    if given == "want" and factor == -1:
        expected = "factor -1: the products are subtracted"
    assert fault.what.startswith(expected)
    assert found.verdict == "explained", found.alternatives


@pytest.mark.parametrize(
    ("factor", "words"),
    [
        (-1.0, "factor -1: the products are subtracted"),
        (0.25, "factor 1/4: every product is 1/4 of what it should be"),
        (0.125, "factor 1/8: every product is 1/8 of what it should be"),
        (3.0, "factor 3: every product is 3 times what it should be"),
    ],
)
def test_a_factor_of_the_products_leaves_c(factor: float, words: str) -> None:
    got = factor * PRODUCT + MADE["c"]
    for arrays in (MADE, {"want": WANT, "c": MADE["c"]}):
        (fault,) = diagnose("gfx1100", OP, got, **arrays).explanations[0].faults
        assert fault.what.startswith(words)


def test_a_huge_factor_is_told_as_it_is() -> None:
    """Numbers of f32 whose bits were read as whole numbers are millions of times too large."""
    random = np.random.default_rng(3)
    a, b = (random.integers(-128, 128, (32, 32)).astype(np.int8) for _ in range(2))
    want = a.astype(int) @ b.astype(int)
    got = want.astype(np.float32).view(np.int32)
    found = diagnose("gfx1201", "v_wmma_i32_16x16x16_iu8", got, want, a=a, b=b)
    (fault,) = found.explanations[0].faults
    assert fault.what == "results are numbers of f32, whose bits are read as whole numbers"
    assert diagnose("gfx1201", "v_wmma_i32_16x16x16_iu8", want * 3000001, want).explanations
