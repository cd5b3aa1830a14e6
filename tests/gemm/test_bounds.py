"""No sum is further from exact than its model's bound says, and some come near it."""

from fractions import Fraction

import numpy as np
import pytest

from tests.numerics.adversarial import limited, problems
from tests.numerics.twins import CASES, SCALED, Case
from tests.twin import dot as twin_dot
from wavemma.formats import decode, number_format
from wavemma.formats.dtypes import dtype_of
from wavemma.formats.format import Format
from wavemma.gemm.block_scales import BlockScales
from wavemma.gemm.bounds import bound, product_bound
from wavemma.gemm.factors import Factors
from wavemma.gemm.matmul import multiply
from wavemma.numerics.bounds import step_error
from wavemma.numerics.dot import Scales, accumulate
from wavemma.numerics.model import model, models
from wavemma.numerics.path import Setting

STEPS = 3
FLOATS = [case for case in CASES if number_format(case.a).is_float and not case.setting]


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


def shares(
    case: Case, a: np.ndarray, b: np.ndarray, c: np.ndarray, steps: int = STEPS
) -> list[float]:
    """The error of each sum, which must lie within its bound, as a share of it."""
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
        limit = float(bound(step, setting, Factors(left, right), start, steps=steps)[0, 0])
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


@pytest.mark.parametrize("case", FLOATS, ids=lambda case: case.label)
def test_adversarial_sums_stay_within(case: Case) -> None:
    generator = np.random.default_rng(sum(map(ord, case.label)))
    assert len(drawn_shares(case, generator, 40)) > 40


ROUNDS = [pytest.param(1, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.nightly)]


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("case", FLOATS, ids=lambda case: case.label)
def test_many_adversarial_sums_stay_within(case: Case, rounds: int) -> None:
    generator = np.random.default_rng(rounds + sum(map(ord, case.label)))
    for _ in range(rounds):
        drawn_shares(case, generator, 300)


def drawn_scaled_shares(case: Case, generator: np.random.Generator, count: int) -> list[float]:
    """Draw scales from the least to the greatest."""
    block, f32 = case.setting["scale_block"], number_format("f32")
    forms = [number_format(name) for name in (case.a, case.b or case.a)]
    scale_forms = [number_format(name) for name in case.scales]
    a, b, c = problems(generator, *forms, f32, case.k, count)
    scales = [generator.integers(0, f.max_code + 1, (count, case.k // block)) for f in scale_forms]
    # In half of the rows the two scales nearly undo each other.
    half = slice(0, count // 2)
    undone = 2 * scale_forms[1].bias - (scales[0][half] >> scale_forms[0].fraction)
    undone += scale_forms[0].bias - scale_forms[1].bias + generator.integers(-3, 4, undone.shape)
    highest = scale_forms[1].max_code >> scale_forms[1].fraction
    scales[1][half] = np.clip(undone, 0, highest) << scale_forms[1].fraction
    return scaled_shares(case, a, b, c, scales)


def scaled_shares(
    case: Case, a: np.ndarray, b: np.ndarray, c: np.ndarray, scales: list[np.ndarray]
) -> list[float]:
    """The error of each sum, which must lie within its bound, as a share of it."""
    block, f32 = case.setting["scale_block"], number_format("f32")
    forms = [number_format(name) for name in (case.a, case.b or case.a)]
    scale_forms = [number_format(name) for name in case.scales]
    setting = Setting(
        *forms, f32, f32, depth=case.k, scale_a=scale_forms[0], scale_b=scale_forms[1],
        scale_block=block,
    )  # fmt: skip
    step = step_error(model(case.model), setting)
    got = decode(f32, accumulate(model(case.model), setting, a, b, c, Scales(*scales)))
    numbers = [decode(form, codes) for form, codes in zip((*forms, f32), (a, b, c), strict=True)]
    wide = [
        np.repeat(decode(form, codes), block, axis=1)
        for form, codes in zip(scale_forms, scales, strict=True)
    ]
    found = []
    for row in range(len(a)):
        parts = [part[row] for part in (*numbers[:2], *wide)]
        if not all(np.isfinite(part).all() for part in (*parts, numbers[2][row], got[row])):
            continue
        terms = [Fraction(x) * Fraction(y) * Fraction(s) * Fraction(t) for x, y, s, t in
                 zip(*(part.tolist() for part in parts), strict=True)]  # fmt: skip
        want = sum(terms, Fraction(float(numbers[2][row])))
        left, right, scale_a, scale_b = parts
        factors = Factors(left[None], right[:, None], scale_a[None], scale_b[:, None])
        start = np.abs(numbers[2][row]).reshape(1, 1)
        limit = float(bound(step, setting, factors, start, steps=1)[0, 0])
        if np.isinf(limit):
            continue
        error = abs(Fraction(float(got[row])) - want)
        assert error <= Fraction(limit), (case.label, float(error), limit, a[row], b[row])
        found.append(float(error / Fraction(limit)) if limit else 0.0)
    return found


@pytest.mark.parametrize("case", SCALED, ids=lambda case: case.label)
def test_scaled_sums_stay_within(case: Case) -> None:
    generator = np.random.default_rng(sum(map(ord, case.label)))
    found = drawn_scaled_shares(case, generator, 200)
    assert len(found) > 20


@pytest.mark.slow
@pytest.mark.parametrize("case", SCALED, ids=lambda case: case.label)
def test_many_scaled_sums_stay_within(case: Case) -> None:
    drawn_scaled_shares(case, np.random.default_rng(77 + sum(map(ord, case.label))), 1000)


def test_scales_that_undo_each_other_are_bounded() -> None:
    """A block of 2^-32 times 2^-127 is below f32, so that nothing is left for 2^127."""
    a = np.zeros((16, 128), np.uint8)
    a[0, 0] = 1  # The least bf8, 2^-16.
    scale_a, scale_b = np.zeros((16, 4), np.uint8), np.full((4, 16), 254, np.uint8)
    kind = dtype_of(number_format("bf8_ocp"))
    made = multiply(
        a.view(kind), a.T.copy().view(kind), target="gfx1250", scales=BlockScales(scale_a, scale_b)
    )
    want = twin_dot(
        "cdna5_scaled", a[0].tolist(), a[0].tolist(), 0, a_format="bf8_ocp",
        scale_a=[0] * 4, scale_b=[254] * 4,
    )  # fmt: skip
    assert made.d.view(np.uint32)[0, 0] == want == 0
    most = product_bound(made.plan, made.factors(), None)
    assert 2.0**-32 <= most[0, 0] <= 2.0**-20
    assert most.shape == (16, 16)


def test_sizes_that_overflow_have_an_infinite_bound() -> None:
    f64 = number_format("f64")
    setting = Setting(f64, f64, f64, f64, depth=4)
    step = step_error(model("fma_chain"), setting)
    large = np.full((1, 4), 1e200)
    (limit,) = bound(step, setting, Factors(large, large.T), None, steps=1).ravel()
    assert limit == np.inf


def test_every_model_has_a_bound() -> None:
    f16, f32, i8, i32 = (number_format(name) for name in ("f16", "f32", "i8", "i32"))
    for each in models():
        forms = (i8, i32) if each.row.rule == "integer" else (f16, f32)
        step = step_error(each, Setting(forms[0], forms[0], forms[1], forms[1], depth=32))
        exact = each.row.rule == "integer"
        assert (step.state == 0) == exact
        assert step.state < 2.0**-20
