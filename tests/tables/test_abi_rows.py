"""Rules of the rows of data/abi."""

import msgspec
import pytest

from wavemma.tables.abi import abi
from wavemma.tables.abi_rows import NumberRow


def test_only_these_rows_are_derived():
    """The facts grade whole sections; these are their exceptions, all told there as D."""
    table = abi()
    rows = (*table.bits, *table.numbers, *table.words, *table.limits, *table.structs)
    rows += (*table.relocations, *table.hidden, *table.sgprs, *table.high_bits, *table.remarks)
    derived = {row.name for row in rows if row.grade == "D"}
    assert {row.grade for row in (*rows, *table.paddings)} == {"V", "D"}
    assert derived == {
        *("COUNT", "GATHER_INDEX_32", "GATHER", "WORKGROUP_MASK", "BARRIER_ARRIVE", "ITERATE"),
        *("EARLY_TIMEOUT", "BARRIER_ADDRESS", "SPAN", "APPLIES"),
        *("scratch-address-cdna5", "no-ops", "bounds-cdna5", "tensor-gather"),
    }


def test_an_unknown_field_is_refused():
    row = {"set": "message", "name": "A", "value": 1, "source": "rocr", "grade": "V", "size": 3}
    with pytest.raises(msgspec.ValidationError, match="unknown field `size`"):
        msgspec.convert(row, NumberRow)


def test_a_row_without_architectures_is_for_all():
    row = NumberRow(set="message", name="A", value=1, source="rocr", grade="V")
    assert row.holds_for("cdna1")
    assert not msgspec.structs.replace(row, architectures=("rdna3",)).holds_for("cdna1")
