"""Evidence from rows."""

import pytest

from wavemma.errors import DataMistake
from wavemma.explain.citation import citation, cited, distinct, instruction_errata, target_errata


def test_a_source_must_exist():
    with pytest.raises(DataMistake, match="must cite a key"):
        cited("opcode", "hearsay", "V")


def test_citation_names_document_place_and_date():
    text = citation("amd-xml-index")
    assert "machine-readable ISA" in text
    assert text.endswith("2026-08-03")


def test_distinct_joins_places_that_rest_on_the_same():
    found = distinct(
        [
            cited("cycles (one)", "llvm22", "V"),
            cited("cycles (two)", "llvm22", "V"),
            cited("cycles (one)", "llvm22", "V"),
            cited("cycles (three)", "llvm22", "D"),
            cited("opcode", "llvm22", "V"),
        ]
    )
    assert [(each.what, each.grade) for each in found] == [
        ("cycles (one, two)", "V"),
        ("cycles (three)", "D"),
        ("opcode", "V"),
    ]


def test_errata():
    assert [each.what for each in instruction_errata("rdna3", {"saturate"})] == [
        "range of a saturated sum"
    ]
    assert instruction_errata("cdna3", {"saturate"}) == ()
    assert len(target_errata(["gfx1250"])) == 1
