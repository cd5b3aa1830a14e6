"""Every layout of the facts from its pattern: each element, each field, each register count."""

import itertools
from typing import Any

import pytest

from tests.facts import facts_json
from tests.layouts.facts_rows import (
    ROLES,
    distinct,
    entries,
    first,
    instruction_rows,
    pattern_of,
    row_layout,
    widths,
)
from wavemma.errors import DataMistake, OutOfRange, UnknownName
from wavemma.layouts import FAMILIES, Shape, layout

pytestmark = pytest.mark.facts


def _value(formula: str, names: dict[str, int]) -> int:
    return eval(formula, {"__builtins__": {}}, names)


def _extents(fact: dict[str, Any]) -> dict[str, int]:
    """Derive which indices the operand has from the facts alone."""
    dims, operand = fact["dims"], fact["operand"]
    b = {"b": dims["b"]} if dims.get("b", 1) > 1 else {}
    if "scale" in operand:
        outer = "i" if operand == "A scale" else "j"
        return {outer: dims[outer], "q": dims["q"]}
    if "s" in fact["slot_bits"]:
        return {"i": dims["i"], "g": dims["k"] // 4, "s": 2} | b
    outer, inner = {"A": "ik", "B": "jk", "C": "ij", "D": "ij"}[operand]
    return {outer: dims[outer], inner: dims[inner]} | b


def test_every_entry_of_the_facts_is_built() -> None:
    assert len(facts_json("layouts")["layouts"]) == 572
    assert len(distinct()) == 572
    assert len(entries()) == 1337
    assert {pattern_of(entry.row) for entry in entries()} == {
        name for name in FAMILIES if not name.startswith("scale")
    }


def test_every_element_of_every_layout() -> None:
    checked = 0
    for fact, _, made in distinct():
        size = _extents(fact)
        assert made.size == size
        assert (made.element_bits, made.stride_bits) == (fact["element_bits"], fact["stride_bits"])
        assert made.wave == fact["wave"]
        assert made.copies == tuple(fact["copies"])
        vgpr = fact["vgpr"].split(" and ")[0].split(" (")[0]
        lane_of, slot_of, vgpr_of, bit_of = (
            compile(text, "fact", "eval")
            for text in (fact["lane"], fact["slot"], vgpr, fact["bit"])
        )
        for values in itertools.product(*map(range, size.values())):
            names = dict(zip(size, values, strict=True))
            lane, slot = _value(lane_of, names), _value(slot_of, names)
            register, bit = _value(vgpr_of, {"slot": slot}), _value(bit_of, {"slot": slot})
            places = made.place(**names)
            assert [(p.lane, p.slot, p.register, p.bit_lo) for p in places] == [
                (lane + copy, slot, register, bit) for copy in fact["copies"]
            ]
            assert all(p.bit_hi == bit + fact["element_bits"] - 1 for p in places)
            checked += 1
    assert checked == 324_160


def test_the_inverse_of_every_layout() -> None:
    for fact, _, made in distinct():
        formulas = {key: compile(text, "fact", "eval") for key, text in fact["inverse"].items()}
        used = {copy + n for copy in fact["copies"] for n in range(1 << len(fact["lane_bits"]))}
        for lane, slot in itertools.product(range(made.wave), range(made.slots)):
            found = made.element(lane, slot)
            if lane not in used:
                assert found is None
                continue
            assert found is not None
            for key, value in found.items():
                formula = formulas.get(key, "0")
                assert value == _value(formula, {"lane": lane, "slot": slot})


def test_bits_of_lanes_and_slots() -> None:
    for fact, _, made in entries():
        for given, bits in ((made.lane_bits, "lane_bits"), (made.slot_bits, "slot_bits")):
            assert [str(bit) for bit in given] == [bit.replace("s", "s0") for bit in fact[bits]]


def test_register_counts_of_every_row() -> None:
    rows = instruction_rows()
    assert len(rows) == 261
    assert len(facts_json("instructions")["instructions"]) == 264
    checked, exceptions = 0, []
    for row in rows:
        for wave, counts in row["vgprs"].items():
            for operand, count in counts.items():
                kind = "A" if operand == "index" else operand
                bits = widths()[first(row["types"][kind])]
                made = row_layout(row, ROLES[operand], bits, int(wave))
                checked += 1
                if made.registers != count:
                    exceptions.append((row["mnemonic"], operand, made.registers))
    assert checked == 1368
    # C and D share 8 registers there; result_registers_written says that D fills 4.
    assert exceptions == [("v_swmmac_bf16f32_16x16x64_bf16", "D", 4)]


def test_register_counts_by_format_and_of_scales() -> None:
    checked = 0
    for row in instruction_rows():
        for operand, by_format in row.get("vgprs_by_format", {}).items():
            for name, count in by_format.items():
                (wave,) = row["vgprs"]
                made = row_layout(row, ROLES[operand], widths()[name], int(wave))
                assert made.registers == count
                checked += 1
        for operand in ("A", "B") if row.get("scaled") else ():
            (wave,) = row["vgprs"]
            made = row_layout(row, f"scale_{operand.lower()}", 8, int(wave))
            assert made.registers == row["scale"][operand]["vgprs"]
            checked += 1
    assert checked == 7 * 10 + 6 * 2


def test_all_layouts_build() -> None:
    assert len(entries()) == 1337


def test_mistakes_are_named() -> None:
    with pytest.raises(UnknownName, match="mfmaa"):
        layout("mfmaa", "a", Shape(16, 16, 16), 16, 64)
    with pytest.raises(OutOfRange, match="scale_bytes lays the roles scale_a, scale_b"):
        layout("scale_bytes", "a", Shape(16, 16, 16), 16, 32)
    with pytest.raises(DataMistake, match="extent of k must be a power of two; it is 12"):
        layout("mfma", "a", Shape(16, 16, 12), 16, 64)
