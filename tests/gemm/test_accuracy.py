"""Every field of an accuracy, on products whose errors are set by hand."""

import ml_dtypes
import numpy as np
import pytest

from wavemma.formats import number_format
from wavemma.gemm.accuracy import Accuracy, accuracy, ulp

F32, F16, F64, I32 = (number_format(name) for name in ("f32", "f16", "f64", "i32"))
A = np.array([[1, 2], [3, 4]], np.float16)
B = np.array([[8, 1], [4, 1]], np.float16)  # A @ B = [[16, 3], [40, 7]]
C = np.array([[0, 1], [0, 1]], np.float32)  # with C [[16, 4], [40, 8]]


def test_every_field_of_floats() -> None:
    d = np.array([[16, 4], [40, 8]], np.float32)
    d[0, 1] += 3 * 2.0**-21  # three units in the last place of 4
    d[1, 0] -= 2 * 2.0**-18  # two of 40, and the largest absolute error
    most = np.full((2, 2), 2.0**-16)
    most[1, 0] = 2.0**-14
    found = accuracy(d, A, B, C, F32, most)
    own = 2 * 2.0**-52 * np.array([[16, 4], [40, 8]])
    assert found == Accuracy(
        reference="exact sums",
        elements=4,
        not_finite=0,
        exact=2,
        max_ulp=3.0,
        mean_ulp=1.25,
        max_absolute=2.0**-17,
        worst=(0, 1),
        max_bound=2.0**-14,
        max_share=pytest.approx(2.0**-17 / (2.0**-14 + own[1, 0])),  # type: ignore[arg-type]
    )


def test_half_a_unit_is_rounded_right_and_more_is_not() -> None:
    ones = np.ones((1, 1), np.float16)
    start = np.full((1, 1), 2.0**-24, np.float64)
    half = accuracy(ones.astype(np.float32), ones, ones, start, F32)
    assert (half.exact, half.max_ulp) == (1, 0.5)
    more = accuracy(ones.astype(np.float32), ones, ones, start * 1.01, F32)
    assert (more.exact, more.max_ulp) == (0, pytest.approx(0.505))


def test_what_is_not_finite_is_counted_and_left_out() -> None:
    d = np.array([[np.inf, 4], [np.nan, 9]], np.float32)
    found = accuracy(d, A, B, C, F32, np.array([[1.0, np.inf], [1, 2]]))
    assert (found.elements, found.not_finite, found.exact) == (2, 2, 1)
    assert (found.max_absolute, found.worst, found.max_bound) == (1.0, (1, 1), 2.0)
    assert found.max_ulp == 2.0**20
    assert found.mean_ulp == 2.0**19
    nothing = accuracy(np.full((2, 2), np.nan, np.float32), A, B, C, F32, np.ones((2, 2)))
    assert nothing == Accuracy("exact sums", 0, 4, 0, 0.0, 0.0, 0.0, ())
    empty = accuracy(np.zeros((0, 2), np.float32), A[:0], B, None, F32)
    assert empty == Accuracy("exact sums", 0, 0, 0, 0.0, 0.0, 0.0, ())


def test_bounds_of_nothing_give_no_share() -> None:
    d = np.array([[16, 3], [40, 7]], np.float32)
    found = accuracy(d, A, B, None, F32, np.zeros((2, 2)))
    assert (found.max_bound, found.max_share) == (None, None)


def test_integers_are_compared_with_exact_ones() -> None:
    a, b = A.astype(np.int8), B.astype(np.int8)
    d = np.array([[16, 4], [40, 8]], np.int32)
    d[1, 1] -= 6
    d[0, 0] += 2
    found = accuracy(d, a, b, C.astype(np.int32), I32)
    want = Accuracy("exact integers", 4, 0, 2, 6.0, 2.0, 6.0, (1, 1))
    assert found == want
    empty = accuracy(d[:0], a[:0], b, None, I32)
    assert empty == Accuracy("exact integers", 0, 0, 0, 0.0, 0.0, 0.0, ())


def test_sums_that_f64_does_not_hold_are_exact() -> None:
    # The middle one is lost in f64, and the product that lost it too was called exact.
    a = np.array([[2.0**60, 1, -(2.0**60)], [2.0**40, 3, -(2.0**40)]], ml_dtypes.bfloat16)
    ones = np.ones((3, 1), ml_dtypes.bfloat16)
    for batch in ((), (2, 1)):
        d = np.zeros((*batch, 2, 1), np.float32)
        found = accuracy(d, a, np.broadcast_to(ones, (*batch, 3, 1)), None, F32)
        assert (found.max_absolute, found.exact) == (3.0, 0)
        assert found.max_ulp == 2.0**23 * 1.5
        assert found.worst == (*(0 for _ in batch), 1, 0)


def test_half_a_unit_is_decided_by_what_f64_does_not_hold() -> None:
    ones = np.ones((4, 1), np.float32)
    start = np.ones((1, 1), np.float32)
    for last, right in ((0.0, 1), (2.0**-80, 0), (-(2.0**-80), 1)):
        a = np.array([[2.0**-24, last, 0, 0]], np.float32)
        assert accuracy(start, a, ones, start, F32).exact == right


def test_f64_is_compared_with_exact_sums() -> None:
    a = np.array([[1.0, 2.0**-53]])
    found = accuracy(np.array([[1.0]]), a, np.ones((2, 1)), None, F64)
    assert (found.max_ulp, found.exact, found.reference) == (0.5, 1, "exact sums")
    small = np.array([[1.0 + 2.0**-52, -1.0]])
    products = np.array([[1.0 - 2.0**-52], [1.0]])  # the difference is -2^-104
    found = accuracy(np.zeros((1, 1)), small, products, None, F64)
    assert (found.max_absolute, found.max_ulp) == (2.0**-104, 2.0**52)


def test_too_many_sums_keep_the_reference_of_more_precision() -> None:
    a = np.full((40, 40), 1 / 3)
    found = accuracy(a @ a, a, a, None, F64)
    assert found.reference == "exact sums"
    a = np.full((64, 64), 1 / 3)
    found = accuracy(a @ a, a, a, None, F64)
    assert found.reference == str(np.dtype(np.longdouble))
    assert found.max_ulp < 64


@pytest.mark.parametrize(
    ("form", "value", "want"),
    [
        (F32, 1.0, 2.0**-23),
        (F32, 1.999, 2.0**-23),
        (F32, -2.0, 2.0**-22),
        (F32, 0.0, 2.0**-149),
        (F32, 2.0**-126, 2.0**-149),
        (F32, 2.0**-125, 2.0**-148),
        (F16, 1.0, 2.0**-10),
        (F16, 2.0**-15, 2.0**-24),
        (F64, 1.0, 2.0**-52),
    ],
)
def test_units_in_the_last_place(form, value, want) -> None:
    assert ulp(np.array([value]), form)[0] == want
