"""Integers: rounding, saturation and wrapping, signed and not."""

import numpy as np

from wavemma.formats import encode, number_format


def test_integers():
    form = number_format("iu8")
    assert encode(form, [-1, 127]).tolist() == [255, 127]
    assert encode(form, [255], signed=False).tolist() == [255]
    assert encode(form, [-300, 300], overflow="saturate").tolist() == [0x80, 0x7F]
    assert encode(form, [-300, 300], overflow="saturate", signed=False).tolist() == [0, 255]
    assert encode(form, [300, -300], overflow="wrap").tolist() == [300 % 256, -300 % 256]
    assert encode(number_format("iu4"), [-8, 7]).tolist() == [8, 7]
    halves = [-1.5, -0.5, 0.5, 1.5, 2.5, 2.25]
    want = {
        "nearest_even": [-2, 0, 0, 2, 2, 2],
        "nearest_away": [-2, -1, 1, 2, 3, 2],
        "zero": [-1, 0, 0, 1, 2, 2],
        "up": [-1, 0, 1, 2, 3, 3],
        "down": [-2, -1, 0, 1, 2, 2],
        "odd": [-1, -1, 1, 1, 3, 3],
    }
    for rounding, numbers_ in want.items():
        codes = encode(number_format("i8"), halves, rounding=rounding)
        assert codes.view(np.int8).tolist() == numbers_, rounding
