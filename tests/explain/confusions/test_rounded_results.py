"""Sums and C that go through 16 bits on their way: what NumPy's own types make of them."""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from wavemma.explain.difference import diagnose
from wavemma.explain.telling_inputs import telling_inputs

OP, STEPS = "v_mfma_f32_16x16x16_f16", 4
MADE = telling_inputs("gfx942", OP, steps=STEPS)
Array = npt.NDArray[Any]


def rounded(kind: Any) -> Callable[[Array], Array]:
    return lambda numbers: numbers.astype(kind).astype(np.float64)


F16, BF16 = rounded(np.float16), rounded(ml_dtypes.bfloat16)


def cut_off(numbers: Array) -> Array:
    """Drop the low half of each float32, as bf16 by a shift does."""
    return (numbers.astype(np.float32).view(np.uint32) >> 16 << 16).view(np.float32).astype(float)


def summed(between: Callable[[Array], Array], start: Array) -> Array:
    a, b = np.split(MADE["a"].astype(float), STEPS, 1), np.split(MADE["b"].astype(float), STEPS, 0)
    total = start
    for left, right in zip(a, b, strict=True):
        total = between(total + left @ right)
    return total.astype(np.float32)


def same(numbers: Array) -> Array:
    return numbers


C = MADE["c"].astype(float)


@pytest.mark.parametrize(
    ("got", "what"),
    [
        (summed(F16, C), "the sum is rounded to f16 between the steps along k"),
        (summed(BF16, C), "the sum is rounded to bf16 between the steps along k"),
        (summed(F16, F16(C)), "C, and the sum between the steps along k, are rounded to f16"),
        (summed(BF16, BF16(C)), "C, and the sum between the steps along k, are rounded to bf16"),
        (summed(same, F16(C)), "C is rounded to f16"),
        (summed(same, BF16(C)), "C is rounded to bf16"),
        (summed(same, cut_off(C)), "C is cut off, not rounded, to bf16"),
    ],
)
def test_what_went_through_16_bits_is_named(got: Array, what: str) -> None:
    found = diagnose("gfx942", OP, got, **MADE)
    assert [(each.kind, each.what) for each in found.explanations[0].faults] == [("rounding", what)]
