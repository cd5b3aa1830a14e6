"""Arrays whose shapes do not fit another: what they seem to be, and how to bring them to it."""

from typing import Any

import numpy as np
import pytest

from wavemma.errors import ArrayMistake
from wavemma.explain.difference import diagnose

OP = "v_wmma_f32_16x16x16_f16"
RANDOM = np.random.default_rng(0)
WANT = RANDOM.standard_normal((32, 48)).astype(np.float32)
A, B = RANDOM.standard_normal((32, 64)), RANDOM.standard_normal((64, 48))
OTHER = RANDOM.standard_normal((48, 32)).astype(np.float32)


def _said(got: Any, want: Any = WANT, **others: Any) -> str:
    with pytest.raises(ArrayMistake) as caught:
        diagnose("gfx1100", OP, got, want, **others)
    return str(caught.value)


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (WANT.T, "got is want transposed. Give got.swapaxes(-1, -2)"),
        (WANT.reshape(48, 32), "got is want, in memory, with rows and columns exchanged. Give"),
        (OTHER, "got has the shape of want transposed."),
        (WANT.ravel(), "as many numbers as want, flattened. Give got.reshape(32, 48)."),
        (WANT.reshape(1, -1), "flattened. Give got.reshape(32, 48)."),
        (WANT.reshape(64, 24), "If they lie row by row, give got.reshape(32, 48)."),
        (WANT.reshape(2, 16, 3, 16).swapaxes(1, 2), "got lies tile by tile, 16 x 16. Give"),
        (np.pad(WANT, ((0, 0), (0, 16))), "padding: columns (axis 1: want 48, got 64). Give got[:"),
        (np.pad(WANT, ((0, 32), (0, 16))), "want 48, got 64) and rows (axis 0: want 32, got 64)"),
        (WANT[:16], "got is a part of want, from its first row and column on: rows (axis 0: want"),
        (OTHER[:16], "They differ in columns (axis 1: want 48, got 32) and rows (axis 0"),
        (np.stack([WANT, WANT]), "got has 3 axes, want 2"),
        (WANT.ravel()[:1000], "got has 1 axis, want 2"),
    ],
)
def test_what_got_seems_to_be(got: np.ndarray, words: str) -> None:
    said = _said(got)
    assert said.startswith("want and got must have one shape; they have [32, 48] and")
    assert words in said


def test_what_is_said_brings_got_to_want() -> None:
    for got in (WANT.T, WANT.reshape(48, 32), WANT.ravel(), np.pad(WANT, ((0, 3), (0, 5)))):
        given = _said(got).split("Give ")[1].split(", or")[0].rstrip(".")
        found = eval(given, {"__builtins__": {}}, {"got": got})
        assert np.array_equal(found, WANT)


@pytest.mark.parametrize("want", [None, WANT])
def test_factors_that_do_not_fit(want: Any) -> None:
    for a, b, words in (
        (A.T, B, "a is transposed"),
        (A, B.T, "b is transposed"),
        (A.T, B.T, "a and b are both transposed"),
        (B, A, "a and b are in each other's place"),
    ):
        said = _said(WANT, want, a=a, b=b)
        assert f"It seems that {words}" in said, said
    assert "a has one axis" in _said(WANT, want, a=A[0], b=B)


@pytest.mark.parametrize("want", [None, WANT])
def test_a_start_that_does_not_fit(want: Any) -> None:
    for c, words in (
        (WANT.T, "c has the shape of want transposed"),
        (WANT[0], "If it is added to every row, give np.broadcast_to(c, (32, 48))"),
        (WANT[:, :1], "If it is added to every column, give np.broadcast_to(c, (32, 48))"),
        (WANT[:, 0], "If each row has one, give np.broadcast_to(c[:, None], (32, 48))"),
        (WANT.ravel(), "give c.reshape(32, 48)"),
    ):
        said = _said(WANT, want, a=A, b=B, c=c)
        assert words in said, said
    assert _said(WANT, c=WANT[:5, :5]).endswith("[5, 5].")


def test_one_matrix_in_a_batch_of_one_is_that_matrix() -> None:
    for got, want in ((WANT[None], WANT), (WANT, WANT[None])):
        assert diagnose("gfx1100", OP, got, want).verdict == "equal"
