"""A million outputs a model against the exact twin, and that a wrong model would be noticed."""

import dataclasses

import pytest

from tests.numerics import million
from tests.numerics.million import OUTPUTS, SLICES, Outcome, cases_of, compare, drawn, run
from tests.numerics.twins import Case
from wavemma.engines.jit import shared_jit
from wavemma.numerics.model import models

SLICE = OUTPUTS // SLICES
NAMES = [each.name for each in models()]


def test_each_model_gets_a_million() -> None:
    assert SLICE * SLICES >= 1_000_000
    assert all(cases_of(name) for name in NAMES)


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(SLICES))
@pytest.mark.parametrize("name", NAMES)
def test_slice(name: str, part: int) -> None:
    found = run(name, part * SLICE, SLICE)
    assert found.outputs == SLICE
    assert not found.mismatches, "\n".join(found.told)


@pytest.mark.parametrize("name", ["complement_2", "integer_halves", "block_scaled_fma"])
def test_a_few_of_every_way(name: str) -> None:
    found = run(name, 0, 200)
    assert found.outputs == 200
    assert found.ways["array"] == found.ways["compiled"] == 200
    assert not found.mismatches, "\n".join(found.told)


# A rule that is nearly the model's: (model, format, rule).
WRONG = [
    ("truncated_8", "f16", "cdna4_even_odd_16bit"),
    ("exact_4", "f16", "cdna3_truncated"),
    ("grouped_8", "fp8_ocp", "cdna1_exact"),
]


@pytest.mark.parametrize(("name", "form", "rule"), WRONG)
def test_a_wrong_model_is_noticed_in_every_way(name: str, form: str, rule: str) -> None:
    right = next(case for case in cases_of(name) if case.a == form)
    wrong: Case = dataclasses.replace(right, rule=rule)
    for way in ("array", "compiled", "fast 0", "fast 0 compiled"):
        outcome = Outcome()
        rng = million.np.random.default_rng(1)
        batch = drawn(wrong, rng, 400, short=False)
        rows_of = [(w, rows, codes) for w, rows, codes in million.made(batch, shared_jit())]
        only = next(entry for entry in rows_of if entry[0] == way)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(million, "made", lambda *_, only=only: iter([only]))
            compare(batch, shared_jit(), outcome)
        assert outcome.ways == {way: len(only[1])}
        assert outcome.mismatches
        assert way in outcome.told[0]
