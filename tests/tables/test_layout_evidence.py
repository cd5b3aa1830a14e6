import re

import pytest

from tests.facts import facts_json
from wavemma.errors import DataMistake
from wavemma.tables.layout_evidence import layout_evidence, move_evidence

SOURCES = {
    "calculator": "calculator",
    "ROCm documentation, rocjitsu, Composable Kernel; dense forms also Triton": "cdna4-layouts",
    "as CDNA3, same instruction": "cdna4-as-cdna3",
    "CDNA5 ISA manual as quoted by rocjitsu, Composable Kernel, Triton": "cdna5-layouts",
    "as the f32 form, two registers per element (LLVM register counts)": "cdna5-f64-layout",
    "as RDNA4 (LLVM and rocMLIR treat gfx1170 as the same WMMA version)": "rdna4m-as-rdna4",
}
GRADES = {"calculator-verified": "V", "document-only": "D"}


@pytest.mark.facts
def test_evidence_is_that_of_the_facts() -> None:
    compared = 0
    for fact in facts_json("layouts")["layouts"]:
        for name in fact["instructions"]:
            row = layout_evidence(fact["arch"], name)
            assert (row.source, row.grade) == (SOURCES[fact["source"]], GRADES[fact["grade"]])
            if "uncertain" in fact.get("note", ""):
                assert "guess" in row.note
            compared += 1
    assert compared == 1337


@pytest.mark.facts
def test_rivals_are_those_of_the_facts() -> None:
    told = {
        (fact["arch"], name, fact["operand"].lower())
        for fact in facts_json("layouts")["layouts"]
        for name in fact["instructions"]
        if re.search("other common description|places sub-byte", fact.get("note", ""))
    }
    found = {
        (fact["arch"], name, role)
        for fact in facts_json("layouts")["layouts"]
        for name in fact["instructions"]
        for role in layout_evidence(fact["arch"], name).rival_roles
    }
    assert found == told
    assert len(found) == 22


@pytest.mark.facts
def test_moves_are_as_sure_as_the_facts_say() -> None:
    told = facts_json("layouts")["data_movement"]
    assert set(told) == {
        "cbsz_abid",
        "blgp",
        "smfmac_index_set",
        "swmmac_index_key",
        "op_sel_16bit_result",
        "mfma_scale_byte",
        "wmma_scale_row",
        "sparse_index_value",
    }
    verified = [
        ("cbsz_abid", "broadcast_size", ("cdna1", "cdna2", "cdna3")),
        ("blgp", "swizzle_b", ("cdna1", "cdna2", "cdna3")),
        ("smfmac_index_set", "index_part", ("cdna3",)),
        ("swmmac_index_key", "index_part", ("rdna4",)),
        ("op_sel_16bit_result", "high_half", ("rdna3", "rdna3.5")),
    ]
    for key, effect, architectures in verified:
        assert "calculator-verified" in told[key]["grade"]
        for architecture in architectures:
            assert move_evidence(architecture, effect).grade == "V"
    for key, effect, architecture in (
        ("mfma_scale_byte", "scale_byte_a", "cdna4"),
        ("wmma_scale_row", "scale_row_b", "cdna5"),
    ):
        assert told[key]["grade"] == "document-only"
        assert move_evidence(architecture, effect).grade == "D"
    assert "document-only for CDNA4" in told["smfmac_index_set"]["grade"]
    assert move_evidence("cdna4", "index_part").grade == "D"
    assert move_evidence("cdna5", "index_part").grade == "unknown"


def test_a_move_that_no_row_is_for_is_our_mistake() -> None:
    with pytest.raises(DataMistake, match="must have a row for swizzle_b on rdna3"):
        move_evidence("rdna3", "swizzle_b")
    with pytest.raises(DataMistake, match="must have a row for x of y"):
        layout_evidence("y", "x")
