"""Scales that a diagnosis cannot take, each refused with the shape that is wanted."""

import numpy as np
import pytest

from wavemma.errors import ArrayMistake
from wavemma.explain.difference import diagnose

SCALED = "v_mfma_scale_f32_16x16x128_f8f6f4"
RNG = np.random.default_rng(9)
A = RNG.integers(-8, 9, (2, 16, 256)).astype(np.float32)
B = RNG.integers(-8, 9, (2, 256, 16)).astype(np.float32)
GOT = (A @ B).astype(np.float32)
SCALE_A, SCALE_B = np.full((2, 16, 8), 127, np.uint8), np.full((2, 8, 16), 127, np.uint8)


def test_scales_of_the_right_shape_are_taken() -> None:
    found = diagnose("gfx950", SCALED, GOT, a=A, b=B, scale_a=SCALE_A, scale_b=SCALE_B)
    assert found.verdict == "equal"
    once = diagnose("gfx950", SCALED, GOT, a=A, b=B, scale_a=SCALE_A[0], scale_b=SCALE_B[0])
    assert once.verdict == "equal"
    # K that ends inside of a block has a scale for that block too.
    short = diagnose(
        "gfx950",
        SCALED,
        (A[..., :240] @ B[:, :240]).astype(np.float32),
        a=A[..., :240],
        b=B[:, :240],
        scale_a=SCALE_A,
        scale_b=SCALE_B,
    )
    assert short.verdict == "equal"


@pytest.mark.parametrize(
    ("scale_a", "scale_b", "said"),
    [
        (SCALE_A[..., :7], SCALE_B, r"scale_a .* shape \[2, 16, 8\], one .* 32 k of a; it has"),
        (
            SCALE_A,
            SCALE_B[:, :, :5],
            r"scale_b .* shape \[2, 8, 16\], one .* of b; it has \[2, 8, 5\]",
        ),
        (SCALE_A.swapaxes(1, 2), None, r"axes are exchanged: give scale_a\.swapaxes\(-1, -2\)"),
        (None, SCALE_A, r"axes are exchanged: give scale_b\.swapaxes\(-1, -2\)"),
        (SCALE_A[0, 0], None, r"it has \[8\]"),
        (np.full((3, 16, 8), 127, np.uint8), None, r"it has \[3, 16, 8\]"),
        (A, B, r"it has \[2, 16, 256\]"),
    ],
)
def test_scales_of_another_shape_are_refused(scale_a, scale_b, said: str) -> None:
    with pytest.raises(ArrayMistake, match=said) as caught:
        diagnose("gfx950", SCALED, GOT, a=A, b=B, scale_a=scale_a, scale_b=scale_b)
    assert caught.value.subject is not None


def test_scales_that_nothing_would_heed_are_refused() -> None:
    with pytest.raises(ArrayMistake, match="v_wmma_f32_16x16x16_f16 takes no scales, so scale_b"):
        diagnose("gfx1100", "v_wmma_f32_16x16x16_f16", GOT, a=A, b=B, scale_b=SCALE_B)
    with pytest.raises(ArrayMistake, match="scale_a goes with a and b"):
        diagnose("gfx950", SCALED, GOT, GOT, scale_a=SCALE_A, scale_b=SCALE_B)
