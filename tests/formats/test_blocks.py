"""Block scales: how they are chosen, what quantising loses, and what is refused."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.rules import RULES, exact, positive
from wavemma.errors import ArrayMistake, OutOfRange
from wavemma.formats import block_error, decode, dequantise, number_format, quantise

ELEMENTS = ("fp8_ocp", "bf8_ocp", "fp6", "bf6", "fp4")
SCALES = ("e8m0", "e5m3", "e4m3")


def largest(name):
    return positive(name)[-1][1]


def floor_log2(number):
    return math.frexp(number)[1] - 1


def matrix(seed, shape=(4, 64)):
    draw = np.random.default_rng(seed)
    return draw.standard_normal(shape) * 2.0 ** draw.integers(-8, 8, shape)


@pytest.mark.parametrize("block", [16, 32])
@pytest.mark.parametrize("name", ELEMENTS)
def test_the_mx_rule_brings_the_largest_exponent_to_that_of_the_format(name, block):
    form, scale_form = number_format(name), number_format("e8m0")
    numbers = matrix(block)
    made = quantise(numbers, form, scale_form, block)
    assert made.codes.shape == numbers.shape
    assert made.scales.shape == (4, 64 // block)
    for row, number in np.ndindex(4, 64 // block):
        part = numbers[row, number * block : (number + 1) * block]
        power = floor_log2(np.abs(part).max()) - floor_log2(float(largest(name)))
        assert made.scales[row, number] == power + 127


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", ELEMENTS)
def test_elements_are_the_nearest_of_their_block(name, scale):
    form, scale_form = number_format(name), number_format(scale)
    numbers = matrix(7)
    made = quantise(numbers, form, scale_form, 32)
    values = np.array([float(value) for _, value in positive(name)])
    every = np.concatenate([-values, values])
    for row, k in np.ndindex(numbers.shape):
        factor = float(exact(RULES[scale], int(made.scales[row, k // 32]))[1])
        got = float(exact(RULES[name], int(made.codes[row, k]))[1]) * factor
        best = np.abs(every * factor - numbers[row, k]).min()
        assert abs(got - numbers[row, k]) <= best * (1 + 1e-12)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", ELEMENTS)
def test_a_fitting_scale_is_the_smallest_that_cuts_nothing(name, scale):
    numbers = matrix(9)
    form, scale_form = number_format(name), number_format(scale)
    made = quantise(numbers, form, scale_form, 32, rule="fit")
    top = np.abs(numbers).reshape(4, 2, 32).max(axis=-1)
    for place in np.ndindex(4, 2):
        code = int(made.scales[place])
        size = Fraction(top[place]) / largest(name)
        assert exact(RULES[scale], code)[1] >= size
        assert code == (0 if scale == "e8m0" else 1) or exact(RULES[scale], code - 1)[1] < size
    assert block_error(numbers, made, form, scale_form, 32).saturated == 0


def test_blocks_run_along_the_axis_of_k():
    form, scale_form = number_format("fp4"), number_format("e8m0")
    numbers = matrix(3, (64, 5))
    made = quantise(numbers, form, scale_form, 16, axis=-2)
    other = quantise(numbers.T, form, scale_form, 16)
    assert made.scales.shape == (4, 5)
    assert (made.codes == other.codes.T).all()
    assert (made.scales == other.scales.T).all()
    back = dequantise(made, form, scale_form, 16, axis=-2)
    assert (back == dequantise(other, form, scale_form, 16).T).all()


@pytest.mark.parametrize("scale", SCALES)
def test_zeros_have_the_scale_one(scale):
    made = quantise(np.zeros((2, 32)), number_format("fp4"), number_format(scale), 32)
    assert not made.codes.any()
    assert (decode(number_format(scale), made.scales) == 1.0).all()


@pytest.mark.parametrize("scale", SCALES)
def test_scales_of_extremes_stay_numbers(scale):
    numbers = np.array([[1e300] * 16, [1e-300] * 16, [5e-324] * 16])
    made = quantise(numbers, number_format("fp4"), number_format(scale), 16)
    factors = decode(number_format(scale), made.scales)
    assert np.isfinite(factors).all()
    assert (factors > 0).all()
    assert made.codes[0, 0] == 7
    assert (made.codes[1:] == 0).all()


def test_the_error_of_a_matrix():
    form, scale_form = number_format("fp4"), number_format("e8m0")
    numbers = np.array([[7.0, 0.2, 2.0, -1.25]])
    made = quantise(numbers, form, scale_form, 4)
    assert made.scales.tolist() == [[127]]
    assert made.codes.tolist() == [[7, 0, 4, 10]]
    found = block_error(numbers, made, form, scale_form, 4)
    errors = [1.0, 0.2, 0.0, 0.25]
    assert found.largest == 1.0
    assert found.mean == pytest.approx(sum(errors) / 4)
    noise = sum(error**2 for error in errors)
    assert found.root_mean_square == pytest.approx(math.sqrt(noise / 4))
    signal = float((numbers**2).sum())
    assert found.signal_to_noise_db == pytest.approx(10 * math.log10(signal / noise))
    assert (found.saturated, found.vanished) == (1, 1)


@given(st.sampled_from(ELEMENTS), st.sampled_from(SCALES), st.data())
def test_numbers_that_fit_lose_nothing(name, scale, data):
    """One block made of a scale and codes comes back, if its largest code fixes the scale."""
    form, scale_form = number_format(name), number_format(scale)
    codes = data.draw(st.lists(st.sampled_from([code for code, _ in positive(name)]), min_size=3))
    codes = [positive(name)[-1][0], *codes]
    factor = 2.0 ** data.draw(st.integers(-4, 4))
    numbers = np.array([[float(exact(RULES[name], code)[1]) * factor for code in codes]])
    made = quantise(numbers, form, scale_form, len(codes))
    assert made.codes.tolist() == [codes]
    assert block_error(numbers, made, form, scale_form, len(codes)).largest == 0
    assert block_error(numbers, made, form, scale_form, len(codes)).signal_to_noise_db == math.inf


@pytest.mark.parametrize(
    ("numbers", "block", "axis", "mistake", "match"),
    [
        ([[1.0, math.nan]], 2, -1, ArrayMistake, r"must be finite; at \[0, 1\] stands nan"),
        ([[1.0, math.inf]], 2, -1, ArrayMistake, "must be finite"),
        ([[1.0, 1.0, 1.0]], 2, -1, ArrayMistake, "multiple of the block 2; it is 3"),
        ([[1.0, 1.0]], 0, -1, OutOfRange, "must be positive"),
        ([[1.0, 1.0]], 2, 2, OutOfRange, "the axis one of 2"),
    ],
)
def test_what_cannot_be_quantised_is_refused(numbers, block, axis, mistake, match):
    with pytest.raises(mistake, match=match):
        quantise(numbers, number_format("fp4"), number_format("e8m0"), block, axis=axis)


def test_empty_matrices():
    form, scale_form = number_format("fp4"), number_format("e8m0")
    made = quantise(np.zeros((0, 64)), form, scale_form, 32)
    assert made.scales.shape == (0, 2)
    assert block_error(np.zeros((0, 64)), made, form, scale_form, 32).largest == 0
    assert quantise(np.zeros((3, 0)), form, scale_form, 32).scales.shape == (3, 0)


def test_codes_and_scales_must_fit():
    form, scale_form = number_format("fp4"), number_format("e8m0")
    made = quantise(np.ones((2, 64)), form, scale_form, 32)
    with pytest.raises(ArrayMistake, match="one scale for each block of 16"):
        dequantise(made, form, scale_form, 16)
    with pytest.raises(ArrayMistake, match="must have the shape of the codes"):
        block_error(np.ones((2, 32)), made, form, scale_form, 32)


@pytest.mark.parametrize("size", [1e300, 1.5e308, 1e-300, 5e-324])
@pytest.mark.filterwarnings("error")
def test_errors_whose_squares_leave_f64_are_told(size):
    numbers = np.array([[size] * 15 + [0.0] + [0.0] * 16])
    form, scale = number_format("fp4"), number_format("e8m0")
    made = quantise(numbers, form, scale, 32)
    found = block_error(numbers, made, form, scale, 32)
    # Cut to the largest number of the largest scale, or gone: nearly all of it is lost.
    lost = Fraction(size) - Fraction(6) * 2**127 if size > 1 else Fraction(size)
    assert found.largest == pytest.approx(float(lost), rel=1e-12)
    assert found.mean == pytest.approx(float(lost * 15 / 32), rel=1e-12)
    assert found.root_mean_square == pytest.approx(float(lost) * math.sqrt(15 / 32), rel=1e-12)
    assert found.signal_to_noise_db == pytest.approx(0, abs=1e-12)
