"""Faults of the whole of A or B: seen in every tile, or not named."""

from typing import Any

import numpy as np
import pytest

from wavemma.explain.difference import Diagnosis, diagnose

TARGET, OP = "gfx1100", "v_wmma_f32_16x16x16_f16"
RANDOM = np.random.default_rng(23)
A, B = (RANDOM.standard_normal((64, 64)).astype(np.float16) for _ in range(2))
C = RANDOM.standard_normal((64, 64))
WANT = A.astype(float) @ B.astype(float) + C


def _apart(array: Any, pitch: int) -> Any:
    """Read rows at another distance from memory that holds zeros behind the array."""
    height, width = array.shape
    memory = np.concatenate([array.ravel(), np.zeros(height * pitch, array.dtype)])
    return np.stack([memory[row * pitch : row * pitch + width] for row in range(height)])


WRONG = {
    "the whole of A is used transposed": (A.T, B),
    "the whole of B is used transposed": (A, B.T),
    "the rows of A are read 72 elements apart": (_apart(A, 72), B),
    "the rows of B are read 72 elements apart": (A, _apart(B, 72)),
}


def _product(what: str) -> Any:
    a, b = WRONG[what]
    return a.astype(float) @ b.astype(float) + C


def _causes(found: Diagnosis) -> list[str]:
    every = [*found.explanations, *found.alternatives] if found.verdict != "none" else []
    return [fault.what for each in every for fault in each.faults]


@pytest.mark.parametrize("what", WRONG)
def test_a_fault_of_the_whole_is_named_where_every_tile_has_it(what: str) -> None:
    found = diagnose(TARGET, OP, _product(what), WANT, a=A, b=B, c=C)
    assert any(cause.startswith(what) for cause in _causes(found))


@pytest.mark.parametrize("what", WRONG)
def test_it_is_not_named_where_tiles_are_right_that_it_would_spoil(what: str) -> None:
    got = WANT.copy()
    got[32:48, 16:32] = _product(what)[32:48, 16:32]
    found = diagnose(TARGET, OP, got, WANT, a=A, b=B, c=C)
    assert found.differing == 1
    assert not any(cause.startswith(what) for cause in _causes(found))


LONG = RANDOM.standard_normal((64, 48)).astype(np.float16)
WIDE = RANDOM.standard_normal((48, 32)).astype(np.float16)
LONG_WANT = LONG.astype(float) @ WIDE.astype(float)


def _read_by_columns(array: Any) -> Any:
    """Take element (r, c) from place c * height + r of a memory that holds rows."""
    height, width = array.shape
    flat = array.ravel()
    return np.array([[flat[c * height + r] for c in range(width)] for r in range(height)])


def _lying_by_columns(array: Any) -> Any:
    """Take element (r, c) from place r * width + c of a memory that holds columns."""
    height, width = array.shape
    flat = array.T.ravel()
    return np.array([[flat[r * width + c] for c in range(width)] for r in range(height)])


@pytest.mark.parametrize(
    ("letter", "change", "words"),
    [
        ("A", _read_by_columns, "A is read column by column (64 apart), but lies row by row"),
        ("B", _read_by_columns, "B is read column by column (48 apart), but lies row by row"),
        ("A", _lying_by_columns, "A is read row by row (48 apart), but lies column by column"),
        ("B", _lying_by_columns, "B is read row by row (32 apart), but lies column by column"),
        ("D", _lying_by_columns, "the output is stored column by column (64 apart), but read row"),
        ("D", _read_by_columns, "the output is stored row by row (32 apart), but read column"),
    ],
)
def test_an_order_of_memory_is_named_where_matrices_are_no_squares(
    letter: str, change: Any, words: str
) -> None:
    a = change(LONG) if letter == "A" else LONG
    b = change(WIDE) if letter == "B" else WIDE
    got = a.astype(float) @ b.astype(float)
    got = change(got) if letter == "D" else got
    found = diagnose(TARGET, OP, got, LONG_WANT, a=LONG, b=WIDE)
    assert any(cause.startswith(words) for cause in _causes(found)), _causes(found)
