"""Ranges of fast paths: what lies inside gets the right bits, and what should lie inside does."""

import math

import numpy as np
import pytest

from tests.numerics.adversarial import codes, limited
from tests.numerics.twins import CASES, Case
from wavemma.engines.array_engine import ArrayEngine
from wavemma.engines.machine import Machine, host_machine
from wavemma.formats.decode import decode
from wavemma.formats.format import Format, number_format, number_formats
from wavemma.numerics.dot import accumulate
from wavemma.numerics.model import model
from wavemma.numerics.path import Extent, Setting
from wavemma.numerics.ranges import fast_path, inside

E = ArrayEngine()
# Where single instructions round as told, and where they do not.
MACHINES = [pytest.param(host_machine(level), id=level) for level in ("avx512", "avx2")]
FLOATS = [
    form
    for form in number_formats()
    if form.is_float and form.bits <= 16 and form.lowest == "subnormal"
]


def lanes(form: Format, drawn: np.ndarray) -> np.ndarray:
    return drawn.astype(np.uint64).view(np.int64)


@pytest.mark.parametrize("form", FLOATS, ids=lambda form: form.name)
@pytest.mark.parametrize("bounds", [(-2000, 2000), (-3, 2), (0, 0), (-9, -8), (-130, 5), (1, 200)])
def test_inside_every_code(form: Format, bounds: tuple[int, int]) -> None:
    drawn = np.arange(form.codes)
    values = decode(form, drawn)
    least = math.frexp(form.min_subnormal)[1] - 1
    low, high = max(bounds[0], least), min(bounds[1], math.frexp(form.max_value)[1] - 1)
    with np.errstate(all="ignore"):
        exponents = np.frexp(values)[1] - 1
    finite = np.isfinite(values)
    want = finite & ((values == 0) | ((exponents >= low) & (exponents <= high)))
    got = inside(E, form, Extent(low, high, True), lanes(form, drawn))
    assert np.array_equal(got, want)


def setting(case: Case) -> Setting:
    a, b, d = (number_format(name) for name in (case.a, case.b or case.a, case.d))
    return Setting(a, b, d, d, depth=case.k, **case.setting)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_inside_means_right(case: Case, machine: Machine) -> None:
    given, summing = setting(case), model(case.model)
    found = fast_path(summing, given, case.k, machine)
    if found is None:
        assert len(summing.paths(given)) == 1
        return
    assert found.path.suits(machine)
    rng = np.random.default_rng(31)
    # Any codes, and numbers as wide apart as the ranges are.
    drawn = []
    for form, k, known in (
        (given.a, case.k, found.ranges.a),
        (given.b, case.k, found.ranges.b),
        (given.c, 1, found.ranges.c),
    ):
        spread = max(1, min(-known.low, known.high, 1 << (form.exponent - 1)))
        edge = limited(rng, form, (3000, k), spread)
        drawn.append(np.concatenate([codes(rng, form, (3000, k)), edge]))
    a, b, c = drawn
    c = c[:, 0]
    keep = inside(E, given.a, found.ranges.a, lanes(given.a, a)).all(axis=1)
    keep &= inside(E, given.b, found.ranges.b, lanes(given.b, b)).all(axis=1)
    keep &= inside(E, given.c, found.ranges.c, lanes(given.c, c))
    assert keep.sum() > 20
    a, b, c = a[keep], b[keep], c[keep]
    assert np.array_equal(
        accumulate(summing, given, a, b, c, path=found.path), accumulate(summing, given, a, b, c)
    )


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "source", "result"),
    [
        ("complement_2", "f16", "f32"),
        ("complement_2", "f16", "f16"),
        ("paired_4", "f16", "f32"),
        ("paired_4", "f16", "f16"),
        ("grouped_8", "bf8_ocp", "f32"),
        ("truncated_8", "f16", "f32"),
        ("even_odd_16", "bf8_fnuz", "f32"),
        ("fma_chain_first_nan", "bf16", "f32"),
    ],
)
def test_all_finite_factors_are_fast(name: str, source: str, result: str, machine: Machine) -> None:
    """The range of A and B is the whole of a narrow format."""
    form, d = number_format(source), number_format(result)
    found = fast_path(model(name), Setting(form, form, d, d), 64, machine)
    assert found is not None
    assert math.ldexp(1.0, found.ranges.a.low) <= form.min_subnormal
    assert math.ldexp(2.0, found.ranges.a.high) > form.max_value


@pytest.mark.parametrize("machine", MACHINES)
def test_wide_formats_keep_ordinary_numbers_fast(machine: Machine) -> None:
    form, d = number_format("bf16"), number_format("f32")
    for name in ("complement_2_flush", "paired_4", "truncated_8"):
        found = fast_path(model(name), Setting(form, form, d, d), 64, machine)
        assert found is not None
        assert found.ranges.a.low <= -24
        assert found.ranges.a.high >= 24
        assert found.ranges.c.low <= -40
        assert found.ranges.c.high >= 30
