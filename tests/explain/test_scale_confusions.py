"""Block scales in a wrong order or place, made by NumPy alone."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from wavemma.explain.difference import diagnose
from wavemma.explain.telling_inputs import telling_inputs

Array = npt.NDArray[Any]
OPS = [
    ("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4"),
    ("gfx1250", "v_wmma_scale_f32_16x16x128_f8f6f4"),
]


def by_word(scales: Array, order: list[int]) -> Array:
    """Read the four scales along k of each word, the last axis, in another order."""
    return scales.reshape(*scales.shape[:-1], -1, 4)[..., order].reshape(scales.shape)


CASES = {
    "reversed": (
        lambda a, b: (by_word(a, [3, 2, 1, 0]), b),
        "the scales of A lie the other way round in each word of 4 bytes",
    ),
    "permuted": (
        lambda a, b: (a, by_word(b.T, [1, 2, 3, 0]).T),
        "the scales of B lie in another order: blocks 0, 1, 2, 3 along k take those of blocks"
        " 1, 2, 3, 0",
    ),
    "exchanged": (lambda a, b: (b.T, a.T), "the arrays of scales of A and B are exchanged"),
    "exchanged in memory": (
        lambda a, b: (b.reshape(a.shape), a.reshape(b.shape)),
        "the arrays of scales of A and B are exchanged, each read in memory as if it had the"
        " other's shape",
    ),
}


@pytest.mark.parametrize(("target", "op"), OPS)
@pytest.mark.parametrize("case", CASES)
def test_scales_that_lie_elsewhere_are_named(target: str, op: str, case: str) -> None:
    change, what = CASES[case]
    made = telling_inputs(target, op)
    scale_a, scale_b = change(*(made[f"scale_{side}"] for side in "ab"))
    a = made["a"].astype(float) * np.repeat(2.0 ** (scale_a.astype(float) - 127), 32, axis=1)
    b = made["b"].astype(float) * np.repeat(2.0 ** (scale_b.astype(float) - 127), 32, axis=0)
    found = diagnose(target, op, (a @ b + made["c"]).astype(np.float32), **made)
    assert [fault.what for fault in found.explanations[0].faults] == [what]
    assert found.verdict == "explained", found.alternatives
