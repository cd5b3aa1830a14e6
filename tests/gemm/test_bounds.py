"""No sum is further from exact than its model's bound says, and the bound is not vacuous."""

from fractions import Fraction

import numpy as np
import pytest

from tests.numerics.adversarial import limited, problems
from tests.numerics.twins import CASES, Case
from wavemma.formats import decode, number_format
from wavemma.formats.format import Format
from wavemma.gemm.bounds import bound
from wavemma.numerics.bounds import step_error
from wavemma.numerics.dot import accumulate
from wavemma.numerics.model import model, models
from wavemma.numerics.path import Setting

STEPS = 3
FLOATS = [case for case in CASES if number_format(case.a).is_float and not case.setting]
WIDE = [case for case in FLOATS if number_format(case.a).bits >= 16]
# What share of the bound the worst of a few random sums must reach: no constant is far too large.
LEAST_SHARE = 0.002


def given(name: str) -> Format:
    """The format of the numbers as given: hardware drops low bits of some."""
    form = number_format(name)
    return number_format("f32") if form.ignored else form


def exact_sums(case: Case, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> list[Fraction | None]:
    """Sums of decoded numbers as fractions; None where one is infinite or NaN."""
    values = [
        decode(given(name), codes)
        for name, codes in ((case.a, a), (case.b or case.a, b), (case.d, c))
    ]
    found: list[Fraction | None] = []
    for left, right, start in zip(*values, strict=True):
        if not (np.isfinite(left).all() and np.isfinite(right).all() and np.isfinite(start)):
            found.append(None)
            continue
        terms = [
            Fraction(x) * Fraction(y) for x, y in zip(left.tolist(), right.tolist(), strict=True)
        ]
        found.append(sum(terms, Fraction(float(start))))
    return found


def shares(case: Case, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> list[float]:
    """The error of each sum as a share of its bound."""
    forms = [number_format(name) for name in (case.a, case.b or case.a, case.d)]
    setting = Setting(forms[0], forms[1], forms[2], forms[2], depth=case.k)
    state = c
    for first in range(0, a.shape[1], case.k):
        part = slice(first, first + case.k)
        state = accumulate(model(case.model), setting, a[:, part], b[:, part], state)
    got = decode(forms[2], state)
    exact = exact_sums(case, a, b, c)
    step = step_error(model(case.model), setting)
    found = []
    for row, want in enumerate(exact):
        if want is None or not np.isfinite(got[row]):
            continue
        left = decode(given(case.a), a[row])[None]
        right = decode(given(case.b or case.a), b[row])[:, None]
        start = np.abs(decode(forms[2], c[row])).reshape(1, 1)
        limit = float(bound(step, setting, left, right, start, steps=STEPS)[0, 0])
        if np.isinf(limit):
            continue
        most = Fraction(limit)
        error = abs(Fraction(float(got[row])) - want)
        assert error <= most, (case.label, float(error), float(most), a[row], b[row], c[row])
        found.append(float(error / most) if most else 0.0)
    return found


def drawn_shares(case: Case, generator: np.random.Generator, count: int) -> list[float]:
    """Any bits, then the same without special values, then exponents far and near."""
    forms = [number_format(name) for name in (case.a, case.b or case.a, case.d)]
    depth = case.k * STEPS
    a, b, c = problems(generator, *forms, depth, count)
    found = shares(case, a, b, c)
    a, b, c = (
        np.where(np.isfinite(decode(form, codes)), codes, np.uint64(0))
        for form, codes in zip(forms, (a, b, c), strict=True)
    )
    found += shares(case, a, b, c)
    for spread in (2, 9):
        a, b = (limited(generator, form, (count, depth), spread) for form in forms[:2])
        start = limited(generator, forms[2], (count,), spread)
        found += shares(case, a, b, start)
    return found


def close(generator: np.random.Generator, form: Format, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers near one, of full precision, so that every step loses something."""
    drawn = limited(generator, form, shape, 1)
    low = generator.integers(0, 1 << form.ignored, shape, dtype=np.uint64)
    return drawn | low


@pytest.mark.parametrize("case", FLOATS, ids=lambda case: case.label)
def test_adversarial_sums_stay_within(case: Case) -> None:
    generator = np.random.default_rng(sum(map(ord, case.label)))
    assert len(drawn_shares(case, generator, 40)) > 40


@pytest.mark.slow
@pytest.mark.parametrize("case", FLOATS, ids=lambda case: case.label)
def test_many_adversarial_sums_stay_within(case: Case) -> None:
    generator = np.random.default_rng(1 + sum(map(ord, case.label)))
    for _ in range(5):
        drawn_shares(case, generator, 300)


@pytest.mark.parametrize("case", WIDE, ids=lambda case: case.label)
def test_the_bound_is_near_what_happens(case: Case) -> None:
    generator = np.random.default_rng(2 + sum(map(ord, case.label)))
    forms = [number_format(name) for name in (case.a, case.b or case.a, case.d)]
    a, b = (close(generator, form, (100, case.k * STEPS)) for form in forms[:2])
    c = close(generator, forms[2], (100,))
    assert max(shares(case, a, b, c)) > LEAST_SHARE


def test_every_model_has_a_bound() -> None:
    f16, f32, i8, i32 = (number_format(name) for name in ("f16", "f32", "i8", "i32"))
    for each in models():
        forms = (i8, i32) if each.row.rule == "integer" else (f16, f32)
        step = step_error(each, Setting(forms[0], forms[0], forms[1], forms[1], depth=32))
        exact = each.row.rule == "integer"
        assert (step.state == 0) == exact
        assert step.state < 2.0**-20
