"""Fast paths give the bits of the path that covers every input, wherever they say so."""

import numpy as np
import pytest

from tests.numerics.adversarial import cancelling, limited, problems
from tests.numerics.twins import CASES, Case
from wavemma.formats.format import number_format
from wavemma.numerics.dot import accumulate, checked_codes
from wavemma.numerics.extent import extent
from wavemma.numerics.model import model
from wavemma.numerics.path import Extents, Setting

FAST = [
    case
    for case in CASES
    if len(
        model(case.model).paths(
            Setting(
                *(number_format(name) for name in (case.a, case.b or case.a, case.d, case.d)),
                depth=case.k,
                **case.setting,
            )
        )
    )
    > 1
]


def extents(given: Setting, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> Extents:
    left, right, start = (
        extent(form, checked_codes("codes", form, codes))
        for form, codes in ((given.a, a), (given.b, b), (given.c, c))
    )
    return Extents(left, right, start, a.shape[-1])


def test_count() -> None:
    assert len(FAST) == 48


@pytest.mark.parametrize("case", FAST, ids=lambda case: case.label)
@pytest.mark.parametrize("spread", [2, 8, 20])
def test_fast_path_within_bounds(case: Case, spread: int) -> None:
    """A whole batch inside the bounds, as a matrix product takes it."""
    rng = np.random.default_rng(spread)
    a, b, d = (number_format(name) for name in (case.a, case.b or case.a, case.d))
    given = Setting(a, b, d, d, depth=case.k, **case.setting)
    left, right = limited(rng, a, (2000, case.k), spread), limited(rng, b, (2000, case.k), spread)
    cancelling(rng, a, left, right)
    start = limited(rng, d, (2000,), spread + 12 if d.exponent > 5 else spread)
    bounds = extents(given, left, right, start)
    whole = accumulate(model(case.model), given, left, right, start)
    covering = [path for path in model(case.model).paths(given) if path.covers(bounds)]
    assert covering[-1] == model(case.model).whole_path(given)
    for path in covering[:-1]:
        got = accumulate(model(case.model), given, left, right, start, path=path)
        assert np.array_equal(got, whole)


@pytest.mark.parametrize("case", FAST, ids=lambda case: case.label)
def test_fast_path_row_by_row(case: Case) -> None:
    """Bounds of single rows: every kind of operand, at the edges of what is covered."""
    rng = np.random.default_rng(5)
    a, b, d = (number_format(name) for name in (case.a, case.b or case.a, case.d))
    given = Setting(a, b, d, d, depth=case.k, **case.setting)
    left, right, start = problems(rng, a, b, d, case.k, 300)
    for row, spread in enumerate((1, 4, 12) * 20):
        left[row], right[row] = (limited(rng, form, (case.k,), spread) for form in (a, b))
        start[row] = limited(rng, d, (1,), spread)[0]
    check_rows(case, given, left, right, start)


@pytest.mark.parametrize("case", FAST, ids=lambda case: case.label)
def test_fast_path_at_the_top(case: Case) -> None:
    """Factors of the greatest exponents beside small ones, and sums that overflow on the way.

    In formats of f32's range the greatest that fast paths take are just below 2^64.
    """
    rng = np.random.default_rng(9)
    a, b, d = (number_format(name) for name in (case.a, case.b or case.a, case.d))
    given = Setting(a, b, d, d, depth=case.k, **case.setting)
    shape = (300, case.k)
    below = (np.arange(300, dtype=np.uint64) // np.uint64(3) % np.uint64(4))[:, None]
    greatest = min(a.max_code, (a.bias + 64 << a.fraction) - 1)
    left = np.uint64(greatest) - (below << np.uint64(a.fraction))
    left = left - rng.integers(0, 1 << a.fraction, shape, dtype=np.uint64)
    left |= np.where(rng.random(shape) < 0.5, np.uint64(a.sign_bit), np.uint64(0))
    # Every third row of B is tiny.
    right = limited(rng, b, shape, 4)
    right[::3] = rng.integers(1, 1 << (b.fraction + 5), (100, case.k), dtype=np.uint64) % (
        b.max_code + 1
    )
    cancelling(rng, a, left, right)
    start = np.uint64(d.max_code) - rng.integers(0, 4, 300, dtype=np.uint64)
    start[::2] = limited(rng, d, (150,), 2)
    check_rows(case, given, left, right, start)
    if a == b:
        check_rows(case, given, right, left, start)


@pytest.mark.parametrize("case", FAST, ids=lambda case: case.label)
def test_fast_path_for_every_exponent_of_the_accumulator(case: Case) -> None:
    rng = np.random.default_rng(13)
    a, b, d = (number_format(name) for name in (case.a, case.b or case.a, case.d))
    given = Setting(a, b, d, d, depth=case.k, **case.setting)
    every = np.arange(d.max_code >> d.fraction, dtype=np.uint64) << np.uint64(d.fraction)
    start = every | np.where(every % np.uint64(2 << d.fraction), np.uint64(d.sign_bit), 0)
    start |= rng.integers(0, 1 << d.fraction, start.shape, dtype=np.uint64)
    shape = (start.size, case.k)
    left, right = limited(rng, a, shape, 4), limited(rng, b, shape, 4)
    check_rows(case, given, left, right, start)


def check_rows(case: Case, given: Setting, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    """Each fast path on the rows that it covers, each by its own bounds."""
    whole = accumulate(model(case.model), given, a, b, c)
    for path in model(case.model).paths(given)[:-1]:
        covered = [
            row
            for row in range(len(a))
            if path.covers(extents(given, a[row], b[row], c[row : row + 1]))
        ]
        assert covered, "a test of nothing"
        got = accumulate(model(case.model), given, a[covered], b[covered], c[covered], path=path)
        assert np.array_equal(got, whole[covered])


@pytest.mark.parametrize("case", FAST, ids=lambda case: case.label)
def test_ordinary_numbers_are_covered(case: Case) -> None:
    """Numbers near one must not fall back to the slow path."""
    rng = np.random.default_rng(7)
    a, b, d = (number_format(name) for name in (case.a, case.b or case.a, case.d))
    given = Setting(a, b, d, d, depth=case.k, **case.setting)
    left, right = limited(rng, a, (50, case.k), 1), limited(rng, b, (50, case.k), 1)
    bounds = extents(given, left, right, np.zeros(50, dtype=np.uint64))
    assert model(case.model).paths(given)[0].covers(bounds)
