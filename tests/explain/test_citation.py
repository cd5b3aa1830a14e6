"""Evidence from rows."""

import re

import pytest

from wavemma.errors import DataMistake
from wavemma.explain.citation import (
    citation,
    cited,
    distinct,
    instruction_errata,
    product_conflicts,
    target_errata,
)
from wavemma.tables.products import conflicts


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


def test_sentences_name_sources_and_show_no_keys() -> None:
    """Claims and errata start from keys of the table; a reader needs the documents."""
    shown = [each.other for each in product_conflicts(conflicts())]
    assert any("TechPowerUp GPU database: 304" in text for text in shown)
    assert any("AMD product page and TechPowerUp GPU database: 12 GB" in text for text in shown)
    taken = [each.taken for each in instruction_errata("rdna3", {"saturate"})]
    assert any("rocjitsu, AMD's emulator" in text for text in taken)
    assert not any(re.search(r"\b(tpu|rj)\b", text) for text in (*shown, *taken))
