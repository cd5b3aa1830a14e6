"""Every model against the exact twin, on operands that hurt."""

import numpy as np
import pytest

from tests.numerics.adversarial import problems, scale_codes
from tests.numerics.twins import CASES, SCALED, Case
from tests.twin import dot as twin_dot
from tests.twin import same
from wavemma.formats.format import number_format
from wavemma.numerics.dot import Scales, accumulate
from wavemma.numerics.model import model, models
from wavemma.numerics.path import Setting

# The nightly run compares a million outputs of each model: here a sample is enough.
QUICK, SLOW = 120, 2_000


def check(case: Case, seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    a, b, d = (number_format(name) for name in (case.a, case.b or case.a, case.d))
    left, right, start = problems(rng, a, b, d, case.k, count)
    given = Setting(a, b, d, d, depth=case.k, **case.setting)
    got = accumulate(model(case.model), given, left, right, start)
    for row in range(count):
        want = twin_dot(
            case.rule,
            [int(code) for code in left[row]],
            [int(code) for code in right[row]],
            int(start[row]),
            a_format=case.a,
            b_format=case.b or case.a,
            c_format=case.d,
            **case.options,
        )
        told = f"row {row}: {left[row]} {right[row]} {start[row]:#x}: {got[row]:#x}, not {want:#x}"
        assert same(
            case.rule, int(got[row]), want, d_format=case.d, a_format=case.a, b_format=case.b
        ), told


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_model_equals_twin(case: Case) -> None:
    check(case, 1, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_model_equals_twin_at_length(case: Case) -> None:
    check(case, 2, SLOW)


@pytest.mark.parametrize("case", SCALED, ids=lambda case: case.label)
def test_scaled_model_equals_twin(case: Case) -> None:
    rng = np.random.default_rng(3)
    block, count = case.setting["scale_block"], 60
    a, b, f32 = (number_format(name) for name in (case.a, case.b or case.a, "f32"))
    scale_a, scale_b = (number_format(name) for name in case.scales)
    left, right, start = problems(rng, a, b, f32, case.k, count)
    scales = [scale_codes(rng, name, (count, case.k // block)) for name in case.scales]
    given = Setting(a, b, f32, f32, scale_a=scale_a, scale_b=scale_b, scale_block=block)
    got = accumulate(model(case.model), given, left, right, start, Scales(*scales))
    for row in range(count):
        want = twin_dot(
            case.rule,
            [int(code) for code in left[row]],
            [int(code) for code in right[row]],
            int(start[row]),
            a_format=case.a,
            b_format=case.b or case.a,
            scale_a=[int(code) for code in scales[0][row]],
            scale_b=[int(code) for code in scales[1][row]],
            block=block,
            **case.options,
        )
        assert same(case.rule, int(got[row]), want), f"row {row}: {got[row]:#x}, not {want:#x}"


def test_every_model_has_a_twin() -> None:
    named = {case.model for case in (*CASES, *SCALED)}
    assert named == {each.name for each in models()}
    assert len(named) == 30
