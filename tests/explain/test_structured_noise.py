"""Noise of many kinds is called none of the faults, whatever it is made of."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from wavemma.explain.difference import diagnose

RANDOM = np.random.default_rng(91)
OPS = {
    "gfx908": "v_mfma_f32_16x16x16f16",
    "gfx90a": "v_mfma_f32_32x32x8f16",
    "gfx1201": "v_wmma_f32_16x16x16_f16",
    "gfx1250": "v_wmma_f32_16x16x32_f16",
}
A, B = (RANDOM.standard_normal(shape).astype(np.float16) for shape in ((64, 96), (96, 64)))
C = RANDOM.standard_normal((64, 64))
W = A.astype(float) @ B.astype(float) + C
SCALE = float(np.median(np.abs(W)))


@pytest.fixture(autouse=True)
def _same_numbers() -> None:
    """Draw the same noise whichever tests ran before."""
    RANDOM.bit_generator.state = np.random.default_rng(92).bit_generator.state


def _drawn() -> Any:
    return RANDOM.standard_normal(W.shape)


NOISE: dict[str, Callable[[], Any]] = {
    "signs": lambda: W * RANDOM.choice([-1, 1], W.shape),
    "order in rows": lambda: RANDOM.permuted(W, axis=1),
    "order in columns": lambda: RANDOM.permuted(W, axis=0),
    "one more or less": lambda: W + RANDOM.integers(-1, 2, W.shape),
    "one element": lambda: np.where(np.arange(W.size).reshape(W.shape) == 1234, 99, W),
    "zeros here and there": lambda: np.where(_drawn() > 1, 0, W),
    "NaN here and there": lambda: np.where(_drawn() > 1, np.nan, W),
    "an outer product more": lambda: W + np.outer(*RANDOM.standard_normal((2, 64))),
    "factors of an outer product": lambda: W * (1 + np.outer(*RANDOM.standard_normal((2, 64)))),
    "a curve": lambda: W + 0.1 * W**2 / SCALE,
    "a sine": lambda: SCALE * np.sin(W / SCALE),
    "next to nothing": lambda: 1e-6 * _drawn(),
    "nearly constant": lambda: SCALE * (1 + 1e-3 * _drawn()),
    "another product more": lambda: W + _drawn()[:, :8] @ _drawn()[:8],
    "whole numbers": lambda: np.rint(W + 0.3 * _drawn()),
    "little": lambda: W + 1e-3 * _drawn(),
}


# Two of three kinds wait for the night.
KINDS = [
    kind if number % 3 == 0 else pytest.param(kind, marks=pytest.mark.nightly)
    for number, kind in enumerate(NOISE)
]


@pytest.mark.parametrize("kind", KINDS)
def test_noise_of_a_kind_is_none(kind: str) -> None:
    target = list(OPS)[list(NOISE).index(kind) % len(OPS)]
    for given in ({"a": A, "b": B, "c": C}, {}):
        found = diagnose(target, OPS[target], NOISE[kind](), W, **given)
        assert found.verdict == "none", [each.faults for each in found.explanations]


@pytest.mark.parametrize(("size", "is_said"), [(1e-3, False), (1e-6, True)])
def test_what_is_next_to_nothing_is_said_to_be(size: float, *, is_said: bool) -> None:
    """Small wants too, whose parts would be whole numbers that are 0."""
    for want in (W, W / 50):
        got = size * _drawn() * np.median(np.abs(want)) / 8
        found = diagnose("gfx1100", "v_wmma_f32_16x16x16_f16", got, want)
        assert found.verdict == "none"
        assert found.wrong is not None
        said = f"all of got is next to nothing: {np.abs(got).max():.3g} at most"
        assert any(each.startswith(said) for each in found.wrong.striking) == is_said
