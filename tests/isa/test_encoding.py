import pytest

from tests.facts import facts_json
from wavemma.errors import DataMistake
from wavemma.isa.encoding import Encoding, Field, encodings
from wavemma.tables.instructions import architecture_rows
from wavemma.tables.targets import architectures


def every_encoding() -> list[tuple[str, Encoding]]:
    return [
        (name, each)
        for name in architectures()
        for each in encodings(architecture_rows(name)).values()
    ]


def test_fields_hold_numbers() -> None:
    field = Field("X", 3, 6, "")
    assert (field.width_bits, field.mask, field.read(0b1011000), field.put(5)) == (4, 0x78, 11, 40)
    with pytest.raises(ValueError, match="does not fit"):
        field.put(16)


def test_fields_do_not_overlap() -> None:
    for _, each in every_encoding():
        taken = [bit for field in each.fields for bit in range(field.lo, field.hi + 1)]
        assert len(taken) == len(set(taken))
        assert max(taken) < 8 * each.size_bytes
        assert [field.lo for field in each.fields] == sorted(field.lo for field in each.fields)


@pytest.mark.facts
def test_fields_are_those_of_the_facts() -> None:
    compared = 0
    for fact in facts_json("encodings")["encodings"]:
        if fact["size_bytes"] != 8:
            continue
        for architecture in fact["architectures"]:
            each = encodings(architecture_rows(architecture))[fact["id"].split(" (")[0]]
            assert {f.name: [f.lo, f.hi] for f in each.fields} == {
                f["name"]: f["bits"] for f in fact["fields"]
            }
            lo, hi = fact["identify"]["bits"]
            assert each.identity >> lo == fact["identify"]["value"]
            assert each.identity_mask == ((1 << hi - lo + 1) - 1) << lo
            compared += 1
    assert compared == 9


def test_the_second_half_lies_behind_the_first() -> None:
    scaled = encodings(architecture_rows("cdna4"))["VOP3PX"]
    assert scaled.by_name["SRC0"].lo == 64 + 32
    assert scaled.by_name["SCALE_SRC0"].lo == 32
    assert scaled.scale_opcode == scaled.by_name["SCALE_OP"]


def test_references() -> None:
    each = encodings(architecture_rows("rdna3"))["VOP3P"]
    assert each.bit_numbers("NEG[2]") == (63,)
    assert each.bit_numbers("OPSEL_HI") == (59, 60)
    assert each.bit_numbers("") == (None,)
    with pytest.raises(DataMistake, match="must have a field 'NEGX'"):
        each.bit_numbers("NEGX")
