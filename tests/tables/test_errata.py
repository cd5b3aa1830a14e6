"""Errata: rows that say what holds and what is said instead."""

from wavemma.tables.errata import errata
from wavemma.tables.instructions import architecture_rows


def test_each_is_about_targets_or_about_a_modifier_that_its_architectures_have():
    assert len(errata()) == 3
    for row in errata():
        assert bool(row.targets) != bool(row.effect)
        assert bool(row.architectures) == bool(row.effect)
        assert row.taken != row.said
        for key in row.architectures:
            effects = {e for m in architecture_rows(key).modifiers for e in m.effect}
            assert row.effect in effects
