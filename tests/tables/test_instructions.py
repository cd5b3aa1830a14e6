"""The rows of data/isa and data/builtins.toml against the fact files, and the loader's refusals."""

from typing import Any

import pytest

from tests.facts import facts_json
from tests.tables import rows_as_facts as written
from wavemma.errors import DataMistake
from wavemma.tables.builtins import builtins
from wavemma.tables.instructions import InstructionRow, architecture_rows
from wavemma.tables.targets import architectures, targets

COUNTS = {
    "cdna1": 20,
    "cdna2": 27,
    "cdna3": 46,
    "cdna4": 69,
    "cdna5": 46,
    "rdna3": 6,
    "rdna3.5": 6,
    "rdna4m": 22,
    "rdna4": 22,
}
# Told by other rooms (register counts by layouts, cycles by throughput), and wording.
ELSEWHERE = {"vgprs", "vgprs_by_format", "index_bits", "timing", "constraints", "scale"}
WORDING = {"register_note", "result_note", "template_note", "builtin_note", "fixed_bits"}


def every_row() -> list[tuple[Any, Any]]:
    tables = [architecture_rows(name) for name in architectures()]
    return [(t, row) for t in tables for row in (*t.instructions, *t.scale_loads)]


def test_counts() -> None:
    found = {name: 0 for name in architectures()}
    for table, _ in every_row():
        found[table.name] += 1
    assert found == COUNTS
    matrix = [row for _, row in every_row() if isinstance(row, InstructionRow)]
    assert (len(every_row()), len(matrix)) == (264, 261)
    assert len(builtins()) == 179
    assert len(targets()) == 19


@pytest.mark.facts
def test_every_record_of_the_fact_file_is_a_row() -> None:
    facts = {(r["arch"], r["mnemonic"]): r for r in facts_json("instructions")["instructions"]}
    rows = {(t.name, row.name): written.instruction_fact(t, row) for t, row in every_row()}
    assert set(rows) == set(facts)
    assert len(facts) == 264
    compared = 0
    for key, fact in facts.items():
        for field, value in fact.items():
            if field in ELSEWHERE | WORDING:
                continue
            if field == "family" and key[1] in SCALE_LOADS:
                continue
            if (*key, field) in DIFFERENCES:
                assert rows[key].get(field) != value, "the exception is no longer needed"
                continue
            compare(key, field, value, rows[key].get(field))
            compared += 1
    assert compared > 5000


# Where the rows differ from the fact file on purpose, and why.
DIFFERENCES = {
    ("cdna4", "v_mfma_ld_scale_b32", "operands"): (
        "encodings.json lists vcc, exec, m0 and the others as scalar sources of the scale load,"
        " and the assembler takes them; the record's kinds name only sgpr"
    ),
}
SCALE_LOADS = {"v_mfma_ld_scale_b32", "v_wmma_ld_scale_paired_b32", "v_wmma_ld_scale16_paired_b64"}


def compare(key: tuple[str, str], field: str, fact: Any, row: Any) -> None:
    if field == "verified":
        fact = {
            k: v for k, v in fact.items() if isinstance(v, bool) and (v or k.startswith("calc"))
        }
    if field in ("modifiers", "modifiers_by_wave"):
        fact, row = without_null(fact), without_null(row)
    assert row == fact, (key, field)


def without_null(value: Any) -> Any:
    """A meaning of null says the same as no meaning."""
    if isinstance(value, dict):
        return {k: without_null(v) for k, v in value.items() if not (k == "meaning" and v is None)}
    return value


@pytest.mark.facts
def test_constraints() -> None:
    facts = {
        (r["arch"], r["mnemonic"]): r["constraints"]
        for r in facts_json("instructions")["instructions"]
    }
    for table, row in every_row():
        fact = facts[table.name, row.name]
        alignment = architectures()[table.name].alignment
        assert fact.get("tuple_alignment", alignment) == alignment
        if isinstance(row, InstructionRow) and "src2_may_partially_overlap_vdst" in fact:
            unchecked = "treat partial overlap as illegal" in fact.get("note", "")
            assert row.partial_overlap == (
                fact["src2_may_partially_overlap_vdst"] and not unchecked
            )
        operands = [o for o in table.operands if o.operands == row.operands]
        shared = [o.accumulator for o in operands if o.role in ("c", "d")]
        both = fact.get("vdst_and_src2_same_register_file", False)
        agprs_only = all(o.kinds == ("agpr",) for o in operands if o.role in ("c", "d"))
        assert both == (shared == ["ACC_CD"] * 2 or (agprs_only and len(shared) == 2)), row.name


@pytest.mark.facts
def test_scales() -> None:
    records = [r for r in facts_json("instructions")["instructions"] if r.get("scaled")]
    assert len(records) == 6
    for record in records:
        row = next(
            r
            for r in architecture_rows(record["arch"]).instructions
            if r.name == record["mnemonic"]
        )
        scale = record["scale"]
        assert row.scale_block == scale["block_k"]
        assert list(row.scale_formats) == scale.get("formats", ["e8m0"])
        pairs = scale.get("legal_format_pairs")
        kinds = {None: "", "any": "any"}
        assert row.scale_pairs == (
            kinds[pairs] if not isinstance(pairs, dict) else "e8m0_unless_fp4"
        )


@pytest.mark.facts
def test_every_field_of_every_encoding() -> None:
    seen = 0
    for fact in facts_json("encodings")["encodings"]:
        name = fact["id"].split(" (")[0]
        for arch in fact["architectures"]:
            fields = written.fields_of(architecture_rows(arch), name)
            prefix = "SCALE_" if "halves" in fact else ""
            for want in fact["halves"][0]["fields"] if prefix else fact["fields"]:
                whole = want["name"].startswith(("SCALE_", "MATRIX_"))
                field = fields[want["name"] if whole else prefix + want["name"]]
                assert [field.lo, field.hi] == want["bits"]
                seen += 1
            if "identify" in fact:
                assert fields["ENCODING"].value == fact["identify"]["value"]
    assert seen == 9 * 12 + 7 + 11


def test_unknown_architecture_names_the_nearest() -> None:
    with pytest.raises(DataMistake, match="Closest: rdna3"):
        architecture_rows("rdna33")
