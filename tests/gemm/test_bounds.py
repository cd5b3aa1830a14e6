"""No sum is further from exact than its model's bound says, and the bound is not vacuous."""

from fractions import Fraction

import numpy as np
import pytest

from tests.numerics.adversarial import limited, problems
from tests.numerics.twins import CASES, SCALED, Case
from tests.twin import dot as twin_dot
from wavemma.formats import decode, encode, number_format
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
        limit = float(bound(step, setting, Factors(left, right), start, steps=STEPS)[0, 0])
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


def row_of(form: Format, numbers: list[float]) -> np.ndarray:
    """Codes of one row, repeated over all steps."""
    return np.asarray(encode(form, np.array([numbers])), dtype=np.uint64)


SMALL = 1029 * 2.0**-17, 1843 * 2.0**-18
"""Their product is 2047/2048 more than a multiple of 2^-24: cutting it loses a whole unit."""
# Model, A's format, and a step's worth of A and of B that loses nearly what a step can, with
# the share of the bound that it reaches: twice any constant of the bound would halve it.
WORST = [
    ("even_odd_16_keep", "f16", [1.0] * 2 + [SMALL[0]] * 14, [1.0] * 2 + [SMALL[1]] * 14, 0.2),
    ("truncated_16", "f16", [1.0] + [SMALL[0]] * 15, [1.0] + [SMALL[1]] * 15, 0.3),
    ("paired_4", "f16", [1.0] + [SMALL[0]] * 3, [1.0] + [SMALL[1]] * 3, 0.05),
    ("flush_4", "bf16", [2.0**-63] * 4, [2.0**-64] * 4, 0.2),
    ("fma_chain", "f64", [2.0**-538], [2.0**-537], 0.4),
]


@pytest.mark.parametrize(("name", "form", "left", "right", "least"), WORST)
def test_the_worst_of_a_step_comes_near_its_bound(
    name: str, form: str, left: list[float], right: list[float], least: float
) -> None:
    case = next(c for c in FLOATS if (c.model, c.a) == (name, form) and c.d in ("f32", "f64"))
    repeats = case.k * STEPS // len(left)
    a, b = (row_of(number_format(form), side * repeats) for side in (left, right))
    (share,) = shares(case, a, b, np.zeros(1, np.uint64))
    assert least < share <= 1


def scaled_shares(case: Case, generator: np.random.Generator, count: int) -> list[float]:
    """Scales from the least to the greatest: errors of the twin as shares of the bounds."""
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
    for row in range(count):
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
    found = scaled_shares(case, generator, 200)
    assert len(found) > 20
    assert max(found) > LEAST_SHARE


@pytest.mark.slow
@pytest.mark.parametrize("case", SCALED, ids=lambda case: case.label)
def test_many_scaled_sums_stay_within(case: Case) -> None:
    scaled_shares(case, np.random.default_rng(77 + sum(map(ord, case.label))), 1000)


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


def test_every_model_has_a_bound() -> None:
    f16, f32, i8, i32 = (number_format(name) for name in ("f16", "f32", "i8", "i32"))
    for each in models():
        forms = (i8, i32) if each.row.rule == "integer" else (f16, f32)
        step = step_error(each, Setting(forms[0], forms[0], forms[1], forms[1], depth=32))
        exact = each.row.rule == "integer"
        assert (step.state == 0) == exact
        assert step.state < 2.0**-20
