"""Functions behind the loop: too many, left out, or before C is added."""

from collections.abc import Callable
from math import erf, exp, tanh
from typing import Any

import numpy as np
import pytest

from wavemma.explain.difference import diagnose

TARGETS = [
    ("gfx908", "v_mfma_f32_16x16x16f16"),
    ("gfx942", "v_mfma_f32_16x16x16_f16"),
    ("gfx1100", "v_wmma_f32_16x16x16_f16"),
    ("gfx1250", "v_wmma_f32_16x16x32_f16"),
]
RANDOM = np.random.default_rng(21)
A, B = (RANDOM.standard_normal(shape).astype(np.float16) for shape in ((48, 96), (96, 64)))
C = RANDOM.standard_normal((48, 64))
P = A.astype(float) @ B.astype(float)
W = P + C
GIVEN = {"a": A, "b": B, "c": C}

# Each as its textbook writes it, for one number.
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "a ReLU": lambda x: x if x > 0 else 0,
    "the absolute value": abs,
    "SiLU (Swish)": lambda x: x / (1 + exp(-x)),
    "GELU": lambda x: x * (1 + erf(x / 2**0.5)) / 2,
    "GELU by tanh": lambda x: (
        x * (1 + tanh((2 / 3.141592653589793) ** 0.5 * (x + 0.044715 * x**3))) / 2
    ),
    "a square": lambda x: x * x,
    "a sigmoid": lambda x: 1 / (1 + exp(-x)),
    "tanh": tanh,
    "exp": exp,
    "a leaky ReLU of slope 0.01": lambda x: x if x > 0 else 0.01 * x,
    "a leaky ReLU of slope 0.2": lambda x: x if x > 0 else x / 5,
    "a clip at -1 and 1": lambda x: min(max(x, -1), 1),
}


def _of(name: str, numbers: Any) -> Any:
    return np.vectorize(FUNCTIONS[name], otypes=[float])(numbers)


def _what(target: str, op: str, got: Any, want: Any, **given: Any) -> str:
    found = diagnose(target, op, np.asarray(got, np.float32), want, **given)
    assert found.verdict == "explained", found
    (fault,) = found.explanations[0].faults
    return fault.what


NAMES = [
    name if number % 3 == 0 else pytest.param(name, marks=pytest.mark.nightly)
    for number, name in enumerate(FUNCTIONS)
]


@pytest.mark.parametrize("name", NAMES)
def test_a_function_before_c_of_results_and_left_out(name: str) -> None:
    target, op = TARGETS[list(FUNCTIONS).index(name) % len(TARGETS)]
    before = f"the products went through {name} before C was added"
    assert _what(target, op, _of(name, P) + C, W, **GIVEN) == before
    of_results = f"every result went through {name}"
    if name == "a ReLU":
        of_results = "results below 0 are 0, as a ReLU leaves them"
    assert _what(target, op, _of(name, W), W) == of_results
    assert _what(target, op, W, _of(name, W)) == f"{name} is missing: want is got put through it"


def test_whole_numbers_go_through_functions_of_whole_numbers() -> None:
    a, b = (RANDOM.integers(-128, 128, (48, 48)).astype(np.int8) for _ in range(2))
    product = a.astype(int) @ b.astype(int)
    c = RANDOM.integers(-99, 99, (48, 48)).astype(np.int32)
    found = diagnose("gfx1201", "v_wmma_i32_16x16x16_iu8", np.abs(product) + c, product + c,
                     a=a, b=b, c=c)  # fmt: skip
    assert found.verdict == "explained"
    assert "the absolute value before C" in found.explanations[0].faults[0].what


@pytest.mark.parametrize(
    ("target", "op", "sides"),
    [(*each, sides) for each, sides in zip(TARGETS, ("A", "B", "AB", "-A"), strict=True)],
)
def test_a_factor_without_its_sign(target: str, op: str, sides: str) -> None:
    a, b = A.astype(float), B.astype(float)
    left = np.abs(a) if "A" in sides else a
    got = (-1 if "-" in sides else 1) * left @ (np.abs(b) if "B" in sides else b) + C
    found = diagnose(target, op, got, W, **GIVEN)
    named = [fault.what for fault in found.explanations[0].faults]
    expected = [f"{side} is taken without its sign" for side in "AB" if side in sides]
    assert set(expected) <= set(named)
    assert len(named) == (2 if len(sides) == 2 else 1)


@pytest.mark.parametrize("small", [1e-5, 1e-3])
def test_numbers_too_small_to_tell_are_put_through_nothing(small: float) -> None:
    """Beside results of 1000 all small numbers look alike, whatever function made them."""
    want = 1000 * W
    found = diagnose(*TARGETS[2], small * RANDOM.standard_normal(W.shape), want)
    named = [fault.kind for each in found.explanations for fault in each.faults]
    assert "activation" not in named
    assert "clip" not in named
