"""Scales as matrices and in registers."""

import numpy as np
import pytest

from tests.fragments.drawn import fragment_for, random_matrix
from wavemma.errors import ArrayMistake, OutOfRange
from wavemma.fragments import pack, scale_word, spread
from wavemma.layouts import Shape, layout


def test_scales_spread_over_k() -> None:
    rng = np.random.default_rng(50)
    for block in (16, 32):
        shape = Shape(32, 16, 128)
        a, b = (
            fragment_for(layout("scale_bytes", role, shape, 8, 32, scale_block=block), role)
            for role in ("scale_a", "scale_b")
        )
        scales = random_matrix(a, rng, (2,))
        wide = spread(scales, a, 128)
        assert wide.shape == (2, 32, 128)
        assert all((wide[..., k] == scales[..., k // block]).all() for k in range(128))
        scales = random_matrix(b, rng)
        wide = spread(scales, b, 128)
        assert wide.shape == (128, 16)
        assert all((wide[k] == scales[k // block]).all() for k in range(128))


def test_a_register_of_scales() -> None:
    # Row 5 holds its four scales in the bytes of one register of lane 5.
    a = fragment_for(layout("scale_bytes", "scale_a", Shape(16, 16, 128), 8, 32), "scale_a")
    matrix = np.full((16, 4), 0x7F, dtype=np.uint8)
    matrix[5] = (1, 2, 3, 4)
    registers = pack(matrix, a)
    assert registers[0, 5] == 0x04030201
    # Case 28: the neutral word.
    assert registers[0, 6] == scale_word(0x7F) == 0x7F7F7F7F


def test_mistakes_are_named() -> None:
    a = fragment_for(layout("scale_bytes", "scale_a", Shape(16, 16, 128), 8, 32), "scale_a")
    with pytest.raises(ArrayMistake, match=r"\[\.\.\., 16, 4\]; given \[4, 16\]"):
        spread(np.zeros((4, 16), dtype=np.uint8), a, 128)
    with pytest.raises(OutOfRange, match="c holds none"):
        spread(np.zeros((4, 16), dtype=np.uint8), fragment_for(a.layout, "c"), 128)
    with pytest.raises(OutOfRange, match=r"0\.\.255; it is 256"):
        scale_word(256)
