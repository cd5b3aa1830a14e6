"""One of A and B in another order of k than the other, and steps that overlap: by NumPy alone."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from wavemma.explain.difference import Diagnosis, diagnose
from wavemma.render.terminal import as_text

TARGET, OP, DEPTH = "gfx1100", "v_wmma_f32_16x16x16_f16", 16
RANDOM = np.random.default_rng(37)
A = RANDOM.standard_normal((48, 96)).astype(np.float16)
B = RANDOM.standard_normal((96, 64)).astype(np.float16)
C = RANDOM.standard_normal((48, 64))
WANT = A.astype(float) @ B.astype(float) + C


def _causes(a: Any, b: Any) -> list[str]:
    found: Diagnosis = diagnose(
        TARGET, OP, a.astype(float) @ b.astype(float) + C, WANT, a=A, b=B, c=C
    )
    assert found.verdict in ("explained", "ambiguous")
    every = [*found.explanations, *found.alternatives]
    return [fault.what for each in every for fault in each.faults]


@pytest.mark.parametrize("letter", "AB")
@pytest.mark.parametrize(
    ("taken", "words"),
    [
        (lambda k: k ^ 1, "is loaded with neighbours along k exchanged (k ^ 1 for k)"),
        (lambda k: k ^ 3, "is loaded with each 4 of k in reverse order (k ^ 3 for k)"),
        (lambda k: k ^ 15, "is loaded with k reversed (k ^ 15 for k)"),
        (lambda k: k ^ 8, "is loaded with each 8 of k and the next 8 exchanged (k ^ 8 for k)"),
        (lambda k: k % 8 * 2 + k // 8, "in the order of k 0, 2, 4, 6, 8, 10, 12, 14"),
        (lambda k: k % 2 * 8 + k // 2, "in the order of k 0, 8, 1, 9, 2, 10, 3, 11"),
    ],
)
def test_a_wrong_order_of_k_is_named(letter: str, taken: Any, words: str) -> None:
    order = np.array([k // DEPTH * DEPTH + taken(k % DEPTH) for k in range(A.shape[1])])
    causes = _causes(*((A[:, order], B) if letter == "A" else (A, B[order])))
    assert any(cause.startswith(letter) and words in cause for cause in causes), causes


@pytest.mark.parametrize("stride", [8, 4, 1])
@pytest.mark.parametrize("sides", ["AB", "A", "B"])
def test_steps_that_move_on_too_little_are_named(stride: int, sides: str) -> None:
    steps = range(A.shape[1] // DEPTH)
    own, short = (
        np.concatenate([np.arange(step * each, step * each + DEPTH) for step in steps])
        for each in (DEPTH, stride)
    )
    a = A[:, short if "A" in sides else own]
    b = B[short if "B" in sides else own]
    words = " and ".join(sides) + (" move" if len(sides) > 1 else " moves")
    assert f"{words} on by {stride} along k with each step, not by 16" in _causes(a, b)


@pytest.mark.parametrize("bit", [1, 8])
@pytest.mark.parametrize("sides", ["A", "B", "AB"])
def test_a_bit_of_k_that_is_left_out_is_named(bit: int, sides: str) -> None:
    order = np.array([k - (k & bit) for k in range(A.shape[1])])
    causes = _causes(A[:, order] if "A" in sides else A, B[order] if "B" in sides else B)
    start = "A and B are" if sides == "AB" else f"{sides} is"
    assert any(cause.startswith(f"{start} loaded without the {bit} in k") for cause in causes)


def test_a_term_of_several_bits_that_is_left_out_is_named() -> None:
    """Lanes 16 and up of gfx942 load what lane % 16 does: k = slot + 8*(lane // 16), without it."""
    op = "v_mfma_f32_16x16x32_fp8_fp8"
    a, b = (each.astype(ml_dtypes.float8_e4m3fnuz) for each in (A, B))
    want = a.astype(float) @ b.astype(float)
    k = np.arange(A.shape[1])
    got = a[:, k // 32 * 32 + k % 8].astype(float) @ b.astype(float)
    found = diagnose("gfx942", op, got, want, a=a, b=b)
    (fault,) = found.explanations[0].faults
    assert fault.what.startswith("A is loaded without the 8 and 16 in k")


@pytest.mark.parametrize("sides", ["A", "B", "A and B"])
def test_the_first_of_several_steps_at_a_time_is_named(sides: str) -> None:
    k = np.arange(A.shape[1]) % 32
    causes = _causes(A[:, k] if "A" in sides else A, B[k] if "B" in sides else B)
    assert f"every 32 along k, 2 steps, use the first 32 of {sides}" in causes


def test_what_is_asked_for_is_what_is_lacking() -> None:
    noise = RANDOM.standard_normal(WANT.shape)
    found = diagnose(TARGET, OP, noise, WANT, a=A, b=B)
    text = " ".join(as_text(found, width=80, colour=False).split())
    assert "Give --c too, and more can be tried: faults of C." in text
