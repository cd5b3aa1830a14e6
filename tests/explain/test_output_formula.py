"""Wants and outputs that follow another formula of A, B and C than a @ b + c."""

from typing import Any

import numpy as np
import pytest

from wavemma.explain.difference import diagnose

TARGET, OP = "gfx942", "v_mfma_f32_16x16x16_f16"
RANDOM = np.random.default_rng(9)
A, B = (RANDOM.standard_normal(shape).astype(np.float16) for shape in ((32, 48), (48, 32)))
C = RANDOM.standard_normal((32, 32))
P = A.astype(float) @ B.astype(float)
ROWS = np.exp(RANDOM.standard_normal((32, 1)))
RELU = np.maximum(P + C, 0)

FORMULAS: dict[str, Any] = {
    "relu(a @ b + c)": RELU,
    "relu(a @ b) + c": np.maximum(P, 0) + C,
    "abs(a @ b + c)": np.abs(P + C),
    "leaky_relu_0.1(a @ b + c)": np.where(P + C < 0, (P + C) / 10, P + C),
    "0.5*(a @ b) + c": 0.5 * P + C,
    "a @ b + 0.25*c": P + 0.25 * C,
    "1.7*(a @ b) + 0.5*c": 1.7 * P + 0.5 * C,
    "-1*(a @ b) + c": C - P,
    "a @ b + c + 3": P + C + 3,
    "a @ b": P,
    "a @ b + c + bias[column]": P + C + ROWS.T,
    "a @ b + bias[row]": P + ROWS,
    "(a @ b + c) * scale[row]": (P + C) * ROWS,
    "(a @ b) * scale[row] + c": P * ROWS + C,
    "(a @ b) * scale_a[row] * scale_b[column]": P * ROWS * ROWS.T,
}


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_formula_of_want_is_named(formula: str) -> None:
    found = diagnose(TARGET, OP, P + C, FORMULAS[formula], a=A, b=B, c=C)
    (fault,) = found.explanations[0].faults
    assert fault.what == (
        "the given want is what differs: got is exactly a @ b + c of the given inputs, and want is"
        f" {formula}"
    )
    assert f"the kernel must compute {formula} too" in fault.fix


@pytest.mark.parametrize(
    ("got", "want"),
    [
        ("relu(a @ b) + c", "relu(a @ b + c)"),
        ("a @ b + 0.25*c", "1.7*(a @ b) + 0.5*c"),
        ("a @ b + bias[row]", "a @ b + c + bias[column]"),
    ],
)
def test_two_other_formulas_are_both_named(got: str, want: str) -> None:
    found = diagnose(TARGET, OP, FORMULAS[got], FORMULAS[want], a=A, b=B, c=C)
    (fault,) = found.explanations[0].faults
    assert (found.verdict, fault.kind) == ("explained", "epilogue")
    assert fault.what == f"got is {got} of the given inputs, and want is {want}"


def test_numbers_of_no_formula_have_none() -> None:
    noise = RANDOM.standard_normal((2, 32, 32))
    found = diagnose(TARGET, OP, P + C + noise[0], P + C + noise[1], a=A, b=B, c=C)
    assert found.verdict == "none"
    assert any("want is not a @ b + c: they agree" in note for note in found.notes)
    found = diagnose(TARGET, OP, P + C, P + C + noise[0], a=A, b=B, c=C)
    assert found.explanations[0].faults[0].what.endswith("and want is not")


def test_a_doubted_want_is_named_by_its_formula() -> None:
    found = diagnose(TARGET, OP, RELU + RANDOM.standard_normal(P.shape), RELU, a=A, b=B, c=C)
    assert any("want is not a @ b + c but relu(a @ b + c): they" in note for note in found.notes)


@pytest.mark.parametrize("target", [(TARGET, OP), ("gfx1100", "v_wmma_f32_16x16x16_f16")])
def test_factors_of_c_and_of_the_products(target: tuple[str, str]) -> None:
    for got, words in (
        (P + 1.5 * C, "C counts 1.5 times: got - want is 0.5*c"),
        (0.75 * P + 1.5 * C, "the products count 0.75 times, and C 1.5 times"),
    ):
        for given in ({"c": C}, {"a": A, "b": B, "c": C}):
            found = diagnose(*target, got, P + C, **given)
            (fault,) = found.explanations[0].faults
            assert (found.verdict, fault.what) == ("explained", words)


def test_the_whole_of_c_in_the_other_order() -> None:
    wide = RANDOM.standard_normal((48, 64)).astype(np.float16)
    c, product = RANDOM.standard_normal((32, 64)), A.astype(float) @ wide.astype(float)
    for moved, start in (
        (C.T, "the whole of C is used transposed"),
        (c.reshape(64, 32).T, "C is read column by column (32 apart), but lies row by row"),
        (c.T.reshape(32, 64), "C is read row by row (64 apart), but lies column by column"),
    ):
        square = moved.shape == (32, 32)
        a_b, own, b = (P, C, B) if square else (product, c, wide)
        found = diagnose(TARGET, OP, a_b + moved, a_b + own, a=A, b=b, c=own)
        (fault,) = found.explanations[0].faults
        assert (found.verdict, fault.kind) == ("explained", "c")
        assert fault.what.startswith(start)
