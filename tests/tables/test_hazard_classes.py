"""data/hazard_classes.toml against the facts' words and the other tables."""

import re

import pytest

from tests.facts import facts_json
from wavemma.hazards.matrix import class_of
from wavemma.isa.catalog import of_architecture
from wavemma.isa.ordinary import ordinary_table
from wavemma.tables.hazard_classes import hazard_classes
from wavemma.tables.targets import architectures


def names_of(label: str) -> set[str]:
    return {name for row in hazard_classes().named if row.name == label for name in row.names}


def test_dots_and_transcendentals_are_those_of_the_tables() -> None:
    """Every dot product of the tables is listed; names of transcendental functions are closed."""
    known = {row.name for name in architectures() for row in ordinary_table(name).rows.instructions}
    dots = {name for name in known if name.startswith("v_dot")}
    assert dots <= names_of("DOT")
    pattern = r"v_(exp|log|rcp|rcp_iflag|rsq|sqrt|sin|cos|tanh|exp_legacy|log_legacy)_b?f(16|32|64)"
    functions = {name for name in known if re.fullmatch(pattern, name)}
    assert functions <= names_of("TRANS")
    assert all(re.fullmatch(pattern, name) for name in names_of("TRANS"))


@pytest.mark.facts
def test_classes_of_matrix_instructions_are_those_of_the_facts() -> None:
    """hazards.json: SGEMM has f32 A and B on gfx942 and gfx950, f64 is DGEMM, the rest XDL."""
    counted = 0
    for fact in facts_json("instructions")["instructions"]:
        name, types = fact["mnemonic"], fact.get("types", {})
        (ours,) = [each for each in of_architecture(fact["arch"]) if each.name == name]
        if not types.get("D"):
            assert class_of(ours) == "VALU"
            continue
        wanted = "XDL"
        if fact["family"] in ("wmma", "swmmac"):
            wanted = fact["family"].upper()
        elif types["A"] == "f64":
            wanted = "DGEMM4" if fact["M"] == 4 else "DGEMM16"
        elif types["A"] == "f32" and fact["arch"] in ("cdna3", "cdna4"):
            wanted = "SGEMM"
        assert class_of(ours) == wanted, (fact["arch"], name)
        counted += 1
    assert counted == 261
