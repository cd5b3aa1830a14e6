"""Everything that `show` says of an arithmetic model."""

import pytest

from wavemma.errors import UnknownModel
from wavemma.explain.model import explain_model
from wavemma.tables.instructions import architecture_rows
from wavemma.tables.models import model_rows
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
