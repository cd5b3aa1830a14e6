"""Addresses without a tile's place, or some elements off, made by NumPy tile by tile."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from wavemma.explain.difference import diagnose

TARGET, OP, SIZE = "gfx1201", "v_wmma_f32_16x16x16_f16", 16
RANDOM = np.random.default_rng(41)
A = RANDOM.standard_normal((64, 80)).astype(np.float16)
B = RANDOM.standard_normal((80, 96)).astype(np.float16)
C = RANDOM.standard_normal((64, 96)).astype(np.float32)
FA, FB, FC = (each.astype(float) for each in (A, B, C))
PRODUCT = FA @ FB
WANT = PRODUCT + FC
ROWS, COLUMNS = (range(0, size, SIZE) for size in WANT.shape)


def _tiles(made: Callable[[int, int], Any]) -> Any:
    return np.block([[made(row, column) for column in COLUMNS] for row in ROWS])


def _part(array: Any, row: int, column: int) -> Any:
    return array[row : row + SIZE, column : column + SIZE]


def _piled(*, rows: bool, columns: bool) -> Any:
    """Store tile after tile, one over another, where row or column is left out."""
    got = np.zeros_like(WANT)
    for row in ROWS:
        for column in COLUMNS:
            _part(got, 0 if rows else row, 0 if columns else column)[:] = _part(WANT, row, column)
    return got


def _off(array: Any, elements: int) -> Any:
    """Read from memory that holds zeros around the array."""
    around = np.zeros(200)
    memory = np.concatenate([around, array.ravel(), around])
    return memory[200 + elements : 200 + elements + array.size].reshape(array.shape)


CASES = {
    "every tile uses the rows of A of the first": _tiles(
        lambda r, c: FA[:SIZE] @ FB[:, c : c + SIZE]
    ) + FC,
    "every tile uses the columns of B of the first": _tiles(
        lambda r, c: FA[r : r + SIZE] @ FB[:, :SIZE]
    ) + FC,
    "C is loaded without the row of the tile": PRODUCT + _tiles(lambda r, c: _part(FC, 0, c)),
    "C is loaded without the column of": PRODUCT + _tiles(lambda r, c: _part(FC, r, 0)),
    "C is loaded without the row and column": PRODUCT + _tiles(lambda r, c: _part(FC, 0, 0)),
    "tiles are stored without the row of the tile": _piled(rows=True, columns=False),
    "tiles are stored without the column of": _piled(rows=False, columns=True),
    "tiles are stored without the row and column": _piled(rows=True, columns=True),
    "A is read 1 element too far on": _off(FA, 1) @ FB + FC,
    "A is read 1 row too far back": _off(FA, -80) @ FB + FC,
    "B is read 8 elements too far on": FA @ _off(FB, 8) + FC,
    "B is read 1 row too far on": FA @ _off(FB, 96) + FC,
    "A and B are both read 1 along k too late": _off(FA, 1) @ _off(FB, 96) + FC,
    "C is added without its sign": PRODUCT + np.abs(FC),
    "results are rounded to whole numbers": np.rint(WANT),
    "results are cut to whole numbers": np.trunc(WANT),
}  # fmt: skip


@pytest.mark.parametrize("words", CASES)
def test_a_wrong_place_is_named(words: str) -> None:
    found = diagnose(TARGET, OP, CASES[words].astype(np.float32), WANT, a=A, b=B, c=C)
    assert found.verdict in ("explained", "ambiguous")
    every = [*found.explanations, *found.alternatives]
    causes = [fault.what for each in every for fault in each.faults]
    assert any(cause.startswith(words) for cause in causes), causes


def test_two_tiles_in_each_others_place_are_told_where_others_are_right() -> None:
    want = np.delete(WANT, np.s_[64:], axis=1)
    got = want.copy()
    _part(got, 0, 16)[:], _part(got, 16, 0)[:] = _part(want, 16, 0), _part(want, 0, 16)
    found = diagnose(TARGET, OP, got, want)
    assert found.explanations[0].faults[0].what.startswith("2 tiles hold others' results")
