"""Block scales in a wrong order or place, made by NumPy alone."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from wavemma.explain.difference import Diagnosis, diagnose
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


def diagnosed(
    target: str,
    op: str,
    change: Callable[[Array, Array], tuple[Array, Array]],
    tile: tuple[int, int] | None = None,
) -> Diagnosis:
    """Diagnose what a kernel gives that takes changed scales, of all rows and columns or some."""
    made = telling_inputs(target, op)
    if tile is not None:
        rows, columns = tile
        made = {
            "a": made["a"][:rows],
            "b": made["b"][:, :columns],
            "c": made["c"][:rows, :columns],
            "scale_a": made["scale_a"][:rows],
            "scale_b": made["scale_b"][:, :columns],
            "want": made["want"][:rows, :columns],
        }
    scale_a, scale_b = change(*(made[f"scale_{side}"] for side in "ab"))
    a = made["a"].astype(float) * np.repeat(2.0 ** (scale_a.astype(float) - 127), 32, axis=1)
    b = made["b"].astype(float) * np.repeat(2.0 ** (scale_b.astype(float) - 127), 32, axis=0)
    return diagnose(target, op, (a @ b + made["c"]).astype(np.float32), **made)


@pytest.mark.parametrize(("target", "op"), OPS)
@pytest.mark.parametrize("case", CASES)
def test_scales_that_lie_elsewhere_are_named(target: str, op: str, case: str) -> None:
    change, what = CASES[case]
    found = diagnosed(target, op, change)
    assert [fault.what for fault in found.explanations[0].faults] == [what]
    assert found.verdict == "explained", found.alternatives


def one_byte(scales: Array, byte: int = 0) -> Array:
    return np.repeat(scales[..., byte::4], 4, axis=-1)


SLIPS = {
    "byte of both": (
        lambda a, b: (one_byte(a), one_byte(b.T).T),
        "the scales of A and B are in every block along k those of block 0 of the step",
    ),
    "byte of A": (
        lambda a, b: (one_byte(a), b),
        "the scales of A are in every block along k those of block 0 of the step",
    ),
    "byte of B": (
        lambda a, b: (a, one_byte(b.T, 2).T),
        "the scales of B are in every block along k those of block 2 of the step",
    ),
    "rolled A": (
        lambda a, b: (np.roll(a, 1, 1), b),
        "the scales of A come from the block before along k",
    ),
    "rolled B": (
        lambda a, b: (a, np.roll(b, -1, 0)),
        "the scales of B come from the next block along k",
    ),
    "half of the rows": (
        lambda a, b: (a[np.arange(len(a)) // 16 * 16 + np.arange(len(a)) % 8], b),
        "the scales of A come from the first half of the rows in both halves of each tile",
    ),
    "twice": (
        lambda a, b: (2 * a.astype(int) - 127, b),
        "the scales of A are applied twice",
    ),
    "bias": (
        lambda a, b: (a.astype(int) + 1, b),
        "every scale of A or of B is 1 too large: every product is 2 times what it should be, as"
        " with an E8M0 bias of 128",
    ),
}


@pytest.mark.parametrize(("target", "op"), OPS[:1])
@pytest.mark.parametrize("case", SLIPS)
def test_usual_slips_of_scales_are_named(target: str, op: str, case: str) -> None:
    change, what = SLIPS[case]
    found = diagnosed(target, op, change)
    (fault,) = found.explanations[0].faults
    assert fault.what.startswith(what)
    every = [fault, *(each for other in found.alternatives for each in other.faults)]
    assert not any("FNUZ" in each.what or "--a" in each.fix for each in every)


def _by_columns(array: Any) -> Any:
    """Take element (r, c) from place c * height + r of a memory that holds rows."""
    height, width = array.shape
    flat = array.ravel()
    return np.array([[flat[c * height + r] for c in range(width)] for r in range(height)])


@pytest.mark.parametrize("letter", "ab")
def test_scales_in_the_other_order_of_memory_are_named(letter: str) -> None:
    target, op = "gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4"
    made = telling_inputs(target, op, steps=2)
    a, b, c = (made[name].astype(float) for name in "abc")
    scales = {side: made[f"scale_{side}"] for side in "ab"}
    scales[letter] = _by_columns(scales[letter])
    powers = {side: 2.0 ** (array.astype(float) - 127) for side, array in scales.items()}
    got = (a * np.repeat(powers["a"], 32, 1)) @ (b * np.repeat(powers["b"], 32, 0)) + c
    found = diagnose(target, op, got.astype(np.float32), **made)
    every = [*found.explanations, *found.alternatives]
    causes = [fault.what for each in every for fault in each.faults]
    words = f"the scales of {letter.upper()} are read column by column, but lie row by row"
    assert any(cause.startswith(words) for cause in causes), causes


@pytest.mark.parametrize(("target", "op"), OPS)
@pytest.mark.parametrize("case", ["exchanged", "exchanged in memory"])
def test_exchanged_arrays_of_one_tile_are_named(target: str, op: str, case: str) -> None:
    """Inputs that tell explanations apart have other shapes than one tile."""
    change, what = CASES[case]
    found = diagnosed(target, op, change, tile=(16, 16))
    faults = [fault.what for each in found.explanations for fault in each.faults]
    faults += [fault.what for each in found.alternatives for fault in each.faults]
    assert any(what in each for each in faults)
