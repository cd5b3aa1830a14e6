"""Loads that reach the wrong rows, C that is added too often, and results that are clipped."""

from typing import Any

import numpy as np
import pytest

from wavemma.explain.difference import diagnose

TARGET, OP = "gfx942", "v_mfma_f32_16x16x16_f16"
RANDOM = np.random.default_rng(11)
A, B = (RANDOM.standard_normal(shape).astype(np.float16) for shape in ((48, 96), (96, 80)))
C = RANDOM.standard_normal((48, 80))


def _made(a: Any, b: Any, c: Any) -> Any:
    return a.astype(float) @ b.astype(float) + c


def _apart(array: Any, pitch: int) -> Any:
    """Read rows at another distance from memory that holds zeros behind the array."""
    height, width = array.shape
    memory = np.concatenate([array.ravel(), np.zeros(height * pitch + width, array.dtype)])
    return np.stack([memory[row * pitch : row * pitch + width] for row in range(height)])


def _half(count: int) -> Any:
    number = np.arange(count)
    return number // 16 * 16 + number % 8


CASES = {
    "rows twice": (
        _made(A[_half(48)], B, C),
        "rows 0..7 of A are loaded twice, rows 8..15 never, in each tile: as with lane % 8 for"
        " lane % 16",
    ),
    "columns twice": (
        _made(A, B[:, _half(80)], C),
        "columns 0..7 of B are loaded twice, columns 8..15 never, in each tile: as with lane % 8"
        " for lane % 16",
    ),
    "pitch of A": (
        _made(_apart(A, 80), B, C),
        "the rows of A are read 80 elements apart, not 96: a wrong leading dimension",
    ),
    "pitch of B": (
        _made(A, _apart(B, 96), C),
        "the rows of B are read 96 elements apart, not 80: a wrong leading dimension",
    ),
    "C in each step": (_made(A, B, 6 * C), "C is added once in each of the 6 steps along k"),
    "ReLU": (np.maximum(_made(A, B, C), 0), "results below 0 are 0, as a ReLU leaves them"),
}


@pytest.mark.parametrize("case", CASES)
def test_the_fault_is_named(case: str) -> None:
    got, what = CASES[case]
    found = diagnose(TARGET, OP, got.astype(np.float32), _made(A, B, C), a=A, b=B, c=C)
    assert [fault.what for fault in found.explanations[0].faults] == [what]


@pytest.mark.parametrize(
    ("kind", "words"),
    [("clip", "results are clipped to 16 bits"), ("low", "only the low 16 bits of results")],
)
def test_whole_numbers_of_16_bits(kind: str, words: str) -> None:
    a, b = (RANDOM.integers(-128, 128, (32, 32)).astype(np.int8) for _ in range(2))
    want = a.astype(np.int32) @ b.astype(np.int32)
    got = np.clip(want, -32768, 32767) if kind == "clip" else want.astype(np.int16)
    found = diagnose("gfx1201", "v_wmma_i32_16x16x16_iu8", got.astype(np.int32), want, a=a, b=b)
    (fault,) = found.explanations[0].faults
    assert fault.what.startswith(words)
    assert "subnormals" not in found.kinds


@pytest.mark.parametrize("given", ["want", "factors"])
def test_a_batch_that_does_not_move_on(given: str) -> None:
    a, b = (np.stack([each, each[::-1], -each]) for each in (A, B))
    want, got = a.astype(float) @ b.astype(float), a.astype(float) @ b[0].astype(float)
    if given == "factors":
        found = diagnose(TARGET, OP, got, want, a=a, b=b)
        (fault,) = found.explanations[0].faults
        assert fault.what == "B of the first matrix is used in the whole batch"
    else:
        found = diagnose(TARGET, OP, np.stack([want[0]] * 3), want)
        (fault,) = found.explanations[0].faults
        assert fault.what == "every matrix of the batch has the results of the first"
