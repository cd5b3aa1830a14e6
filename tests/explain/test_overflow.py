"""Results too large for the format that they go through: infinities match those of their sign."""

import numpy as np
import pytest

from wavemma.explain.difference import diagnose

TARGET, OP = "gfx942", "v_mfma_f32_16x16x16_f16"
RANDOM = np.random.default_rng(7)
A, B = ((200 * RANDOM.standard_normal(shape)).astype(np.float16) for shape in ((48, 96), (96, 80)))
WANT = A.astype(float) @ B.astype(float)
with np.errstate(over="ignore"):
    GOT = WANT.astype(np.float16).astype(np.float32)


@pytest.mark.parametrize("factors", [{}, {"a": A, "b": B, "c": np.zeros_like(WANT)}])
def test_results_that_overflow_f16_are_rounded_at_the_end(factors: dict[str, object]) -> None:
    assert np.isinf(GOT).any()
    found = diagnose(TARGET, OP, GOT, WANT, **factors)  # type: ignore[arg-type]
    assert found.explanations[0].share == 1
    (fault,) = found.explanations[0].faults
    assert fault.what == "results are rounded to f16 on their way to the output"
    others = [fault.what for each in found.alternatives for fault in each.faults]
    assert not any("between the steps" in what for what in others)


def test_scattered_infinities_are_told_with_their_causes() -> None:
    got = WANT.copy()
    got[7, 9], got[20, 33] = np.inf, -np.inf
    found = diagnose(TARGET, OP, got, WANT)
    assert found.verdict == "none"
    assert found.wrong is not None
    assert found.wrong.striking[0].startswith("every wrong value is infinite: a sum or a narrower")


def test_an_infinity_is_no_other_number_and_has_a_sign() -> None:
    want = np.where(np.arange(256).reshape(16, 16) % 5 == 0, np.inf, 1.0)
    for got in (np.where(np.isinf(want), 3.0, want), np.where(np.isinf(want), -np.inf, want)):
        found = diagnose(TARGET, OP, got, want)
        assert (found.verdict == "equal", found.differing) == (False, 1)
