"""Checks across rows."""

import pytest

from wavemma.errors import DataMistake
from wavemma.tables.keys import by_name, check_known
from wavemma.tables.targets import target, units


def test_a_name_used_twice_is_refused():
    row = target("gfx942")
    with pytest.raises(DataMistake, match=r"data/x\.toml, target: the name 'gfx942'"):
        by_name("x.toml", "target", [row, row])


def test_a_reference_that_leads_nowhere_is_refused():
    with pytest.raises(DataMistake, match="data/x, row: unit must be a known name, it is 'cv'"):
        check_known("data/x, row", "unit", ["cu", "cv"], units())
