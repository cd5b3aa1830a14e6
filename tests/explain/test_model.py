"""Everything that `show` says of an arithmetic model."""

import re

import pytest

from wavemma.errors import UnknownModel
from wavemma.explain.model import explain_model
from wavemma.numerics import complement_narrow as complement
from wavemma.numerics import floored_narrow as floored
from wavemma.numerics import truncated_narrow as truncated
from wavemma.tables.instructions import architecture_rows
from wavemma.tables.models import model_rows
from wavemma.tables.rules import rule_rows
from wavemma.tables.targets import architectures, targets_of


def test_users_are_the_rows_that_name_it():
    pairs = 0
    for name, row in model_rows().items():
        answer = explain_model(name.upper())
        assert (answer.name, answer.rule) == (name, row.rule)
        assert set(answer.parameters) == set(row.parameters)
        want = {
            (target, each.name)
            for key in architectures()
            for each in architecture_rows(key).instructions
            if each.model == name
            for target in each.targets or targets_of(key)
        }
        found = {(use.target, each) for use in answer.uses for each in use.instructions}
        assert found == want
        pairs += len(found)
        assert answer.evidence
    # 411 pairs of instruction and target, less the scale loads: 1 on CDNA4, 2 on each of CDNA5's.
    assert pairs == 411 - 5


def test_gfx1100_is_proved_and_gfx1101_is_not():
    grades = {use.target: use.grade for use in explain_model("complement_2").uses}
    assert (grades["gfx1100"], grades["gfx1151"], grades["gfx1101"]) == ("H", "H", "D")


def test_unknown_model():
    with pytest.raises(UnknownModel, match="Closest: complement_2"):
        explain_model("complement_3")


def test_every_rule_is_told_with_its_numbers_and_every_parameter_with_a_sentence():
    for name, row in model_rows().items():
        answer = explain_model(name)
        assert set(answer.meanings) == set(row.parameters)
        assert all(answer.meanings.values())
        assert not any("{" in step for step in answer.steps)
        for key in ("length", "group", "groups"):
            if key in row.parameters:
                assert str(row.parameters[key]) in re.findall(r"\d+", " ".join(answer.steps))


def test_the_numbers_of_a_rule_are_those_of_the_code():
    said = {name: " ".join(row.steps) + str(row.parameters) for name, row in rule_rows().items()}
    assert f"E_p - {truncated.PRODUCT_BITS}" in said["truncated"]
    assert f"2^(E - {truncated.SUM_BITS})" in said["truncated"]
    assert f"2^(n - {truncated.RESULT_BITS})" in said["truncated"]
    assert f"E_c < E - {truncated.CUT_OFF_BITS}" in said["truncated"]
    assert f"largest x - {complement.PRODUCT_BITS}" in said["complement"]
    assert f"lead(acc) - {complement.ACCUMULATOR_BITS}" in said["complement"]
    assert f"e(b) - {floored.PRODUCT_BITS}" in said["floored"]
    assert f"less {floored.ACCUMULATOR_BITS}" in said["floored"]
