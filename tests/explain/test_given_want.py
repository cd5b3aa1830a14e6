"""What is said of the given want itself."""

import numpy as np

from wavemma.explain.difference import diagnose

DENSE = "v_wmma_f32_16x16x16_f16"
RNG = np.random.default_rng(5)


def test_a_want_that_is_nan_is_not_passed_over() -> None:
    number, want = RNG.standard_normal((2, 16, 16)).astype(np.float32)
    want[::2, ::2] = np.nan
    for got, verdict in ((want.copy(), "equal"), (np.where(want != want, number, want), "none")):
        found = diagnose("gfx1100", DENSE, got, want)
        assert found.verdict == verdict
        assert any("want is NaN in 64 of 256 elements" in note for note in found.notes)


def test_a_want_of_numbers_is_not_doubted() -> None:
    want = RNG.standard_normal((16, 16)).astype(np.float32)
    got = np.full_like(want, np.nan)
    assert not any("want is NaN" in note for note in diagnose("gfx1100", DENSE, got, want).notes)
