"""A and B in fewer bits than they have, sums of 16 bits inside of a step, bytes in other orders."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from wavemma.explain.difference import diagnose

TARGETS = [
    ("gfx908", "v_mfma_f32_16x16x16f16"),
    ("gfx950", "v_mfma_f32_16x16x32_f16"),
    ("gfx1100", "v_wmma_f32_16x16x16_f16"),
    ("gfx1250", "v_wmma_f32_16x16x32_f16"),
]
RANDOM = np.random.default_rng(71)
A, B = (RANDOM.standard_normal(shape).astype(np.float16) for shape in ((48, 96), (96, 48)))
C = RANDOM.standard_normal((48, 48)).astype(np.float32)
P = A.astype(float) @ B.astype(float)
TYPES = {"bf16": ml_dtypes.bfloat16, "fp8_ocp": ml_dtypes.float8_e4m3fn}


def _found(target: tuple[str, str], got: Any) -> Any:
    return diagnose(*target, np.asarray(got, np.float32), P + C, a=A, b=B, c=C)


def _cut(x: Any) -> Any:
    """Cut the low bits of an f32 off, as kernels that shift it to bf16 do."""
    bits = x.astype(np.float32).view(np.uint32) >> 16 << 16
    return bits.view(np.float32).astype(float)


@pytest.mark.parametrize(
    ("name", "sides"), [("bf16", "A"), ("fp8_ocp", "B"), ("bf16", "A and B"), ("fp8_ocp", "A")]
)
def test_factors_of_fewer_bits(name: str, sides: str) -> None:
    a, b = (
        each.astype(TYPES[name]).astype(float) if side in sides else each.astype(float)
        for side, each in (("A", A), ("B", B))
    )
    target = TARGETS[len(sides) % 2 + 2 * (name == "bf16")]
    found = _found(target, a @ b + C)
    verb = "are" if " " in sides else "is"
    (fault,) = found.explanations[0].faults
    assert (found.verdict, fault.what) == (
        "explained",
        f"{sides} {verb} rounded to {name} before the multiplication",
    )


def test_factors_that_are_cut_off() -> None:
    found = _found(TARGETS[1], _cut(A) @ _cut(B) + C)
    (fault,) = found.explanations[0].faults
    assert (found.verdict, fault.what) == (
        "explained",
        "A and B are cut off to bf16 before the multiplication",
    )


@pytest.mark.parametrize(("together", "name"), [(1, "f16"), (2, "bf16"), (8, "f16")])
def test_a_sum_of_16_bits_inside_of_steps(together: int, name: str) -> None:
    kind = np.float16 if name == "f16" else ml_dtypes.bfloat16
    total = C.astype(kind)
    a, b = A.astype(float), B.astype(float)
    for k in range(0, 96, together):
        total = (total.astype(float) + a[:, k : k + together] @ b[k : k + together]).astype(kind)
    found = _found(TARGETS[together % 4], total)
    every = f"{together} of k" if together > 1 else "number of k"
    (fault,) = found.explanations[0].faults
    assert found.verdict == "explained"
    assert fault.what == f"the sum is rounded to {name} after every {every}"


@pytest.mark.parametrize("target", TARGETS[2:3])
def test_bytes_in_the_other_order(target: tuple[str, str]) -> None:
    """What is no number then, and all that it touches, is NaN."""
    a, b = A.byteswap().astype(float), B.byteswap().astype(float)
    with np.errstate(all="ignore"):
        for left, right, letters in ((a, B, "A"), (A, b, "B"), (a, b, "A and B")):
            got = left.astype(float) @ right.astype(float) + C
            (fault,) = _found(target, got).explanations[0].faults
            assert fault.what == f"the bytes of each number of {letters} are in the other order"


def test_halves_of_numbers_of_32_bits_in_the_other_order() -> None:
    a, b = (RANDOM.standard_normal((32, 32)).astype(np.float32) for _ in range(2))
    swapped = a.view(np.uint16).reshape(32, 32, 2)[..., ::-1].copy().view(np.float32)[..., 0]
    with np.errstate(all="ignore"):
        got = swapped.astype(float) @ b.astype(float)
    want = a.astype(float) @ b.astype(float)
    found = diagnose("gfx942", "v_mfma_f32_16x16x4_f32", got, want, a=a, b=b)
    (fault,) = found.explanations[0].faults
    assert fault.what == "the halves of 16 bits of each number of A are in the other order"


@pytest.mark.parametrize("power", [-7, -10])
def test_little_noise_is_called_little_and_nothing_else(power: int) -> None:
    off = RANDOM.uniform(-1, 1, P.shape) * 2.0**power * np.median(np.abs(P + C))
    for given in ({}, {"a": A, "b": B, "c": C}):
        found = diagnose(*TARGETS[0], P + C + off, P + C, **given)
        assert found.verdict == "none"
        assert found.wrong is not None
        assert f"off by little, at most 2^{power} of the usual size" in found.wrong.striking[0]
