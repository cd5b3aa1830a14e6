"""Matrices that fill no whole steps or tiles: what is dropped along k, and wrong edges."""

from typing import Any

import numpy as np
import pytest

from wavemma.explain.difference import Diagnosis, diagnose
from wavemma.explain.telling_inputs import telling_inputs
from wavemma.render.terminal import as_text

TARGET, OP = "gfx942", "v_mfma_f32_16x16x16_f16"


def _made(m: int, n: int, k: int) -> tuple[Any, Any]:
    random = np.random.default_rng(m + n + k)
    return tuple(random.standard_normal(shape).astype(np.float16) for shape in ((m, k), (k, n)))


def _product(a: Any, b: Any) -> Any:
    return a.astype(float) @ b.astype(float)


def _causes(found: Diagnosis) -> list[str]:
    every = [*found.explanations, *found.alternatives]
    return [fault.what for each in every for fault in each.faults]


@pytest.mark.parametrize(("m", "n", "k"), [(16, 16, 24), (48, 48, 90), (20, 20, 20)])
def test_a_ragged_last_step_that_is_dropped_is_named(m: int, n: int, k: int) -> None:
    a, b = _made(m, n, k)
    whole = k // 16 * 16
    found = diagnose(TARGET, OP, _product(a[:, :whole], b[:whole]), a=a, b=b)
    (cause, *_) = _causes(found)
    assert cause.startswith("the ragged last step along k is dropped")
    assert f"K = {k} = {k // 16} * 16 + {k - whole}" in cause


@pytest.mark.parametrize("k", [5, 40])
def test_k_of_any_length_is_diagnosed(k: int) -> None:
    a, b = _made(k, k, k) if k >= 16 else _made(16, 16, k)
    assert diagnose(TARGET, OP, _product(a, b), a=a, b=b).verdict == "equal"
    assert diagnose(TARGET, OP, -_product(a, b), a=a, b=b).verdict != "none"


def test_scales_of_a_ragged_k() -> None:
    target, op = "gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4"
    made = telling_inputs(target, op)
    made.pop("want")
    a, b, scale_a, scale_b = (
        made["a"][:, :160], made["b"][:160], made["scale_a"][:, :5], made["scale_b"][:5],
    )  # fmt: skip
    cut = {"a": a, "b": b, "scale_a": scale_a, "scale_b": scale_b, "c": made["c"]}
    unscaled = a.astype(float) @ b.astype(float) + made["c"]
    assert "no scales are applied" in _causes(diagnose(target, op, unscaled, **cut))


def _with(want: Any, cut: Any, value: float) -> Any:
    got = want.copy()
    got[cut] = value
    return got


@pytest.mark.parametrize(
    ("cut", "value", "words"),
    [
        (np.s_[48:], 0.0, "rows 48, 49 of the last tile row (140 of 428 elements of the edge"),
        (np.s_[:, 64:], np.nan, "columns 64..69 of the last tile column (300 of 428 elements of"),
        (np.s_[49, 69], 9.0, "row 49 of the last tile row (1 of 428 elements of the edge)."),
    ],
)
def test_a_wrong_edge_is_not_equal(cut: Any, value: float, words: str) -> None:
    want = np.random.default_rng(8).standard_normal((50, 70))
    found = diagnose(TARGET, OP, _with(want, cut, value), want)
    assert (found.verdict, found.differing) == ("edge", 0)
    text = " ".join(as_text(found, width=80, colour=False).split())
    assert f"All that is wrong lies in the edge: {words}" in text
    got = _with(want, cut, value)
    got[:16, :16] = -want[:16, :16]
    both = " ".join(as_text(diagnose(TARGET, OP, got, want), width=80, colour=False).split())
    assert f"Wrong in the edge too: {words}" in both


def test_a_right_edge_is_equal() -> None:
    want = np.random.default_rng(8).standard_normal((50, 70))
    found = diagnose(TARGET, OP, want, want)
    assert found.verdict == "equal"
    assert "in all 12 tiles and in the edges" in as_text(found, width=200, colour=False)
