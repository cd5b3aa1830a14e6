"""Fragments of instructions, against the register counts of the facts."""

import pytest

from tests.layouts.facts_rows import ROLES, entries, first, instruction_rows
from wavemma.errors import EncodingMistake, OutOfRange, UnknownFormat
from wavemma.fragments import fragment_of, fragments_of
from wavemma.fragments.operation import operation
from wavemma.isa.catalog import instruction


@pytest.mark.facts
def test_fragments_of_every_row() -> None:
    checked, exceptions = 0, []
    for row in instruction_rows():
        found = instruction(row["mnemonic"], row["targets"][0])
        m, n, k = row["M"], row["N"], row["K"]
        blocks = (row["blocks"],) if row["blocks"] > 1 else ()
        kept = k // 2 if row["sparse"] else k
        shapes = {"a": (m, kept), "b": (k, n), "c": (m, n), "d": (m, n), "index": (m, kept)}
        for wave, counts in row["vgprs"].items():
            fragments = fragments_of(found, int(wave))
            for operand, count in counts.items():
                fragment = fragments[ROLES[operand]]
                if fragment.registers != count:
                    exceptions.append((found.name, operand, fragment.registers))
                assert fragment.matrix_shape == (*blocks, *shapes[fragment.role])
                assert fragment.lanes == int(wave)
                word = "index" if operand == "index" else first(row["types"][operand])
                assert fragment.format.startswith(word)
                checked += 1
            extra = set(fragments) - {ROLES[operand] for operand in counts}
            assert extra == ({"scale_a", "scale_b"} if row.get("scaled") else set())
    assert checked == 1368
    # C and D share 8 registers there; the result is written to the first 4.
    assert exceptions == [("v_swmmac_bf16f32_16x16x64_bf16", "D", 4)]


@pytest.mark.facts
def test_rows_name_the_patterns_of_the_facts() -> None:
    checked = 0
    for fact, row, layout in entries():
        found = instruction(row["mnemonic"], row["targets"][0])
        role = ROLES[fact["operand"]]
        names = [
            name
            for name in found.formats.get(role, ())
            if name.startswith(fact.get("format", name))
        ]
        made = fragment_of(found, role, fact["wave"], names[0] if names else None)
        assert made.layout == layout, (found.name, role)
        checked += 1
    assert checked == 1337


def test_formats_that_modifiers_choose() -> None:
    found = instruction("v_mfma_f32_16x16x128_f8f6f4", "gfx950")
    fragments = fragments_of(found, formats={"a": "fp4", "b": "fp6"})
    assert (fragments["a"].registers, fragments["b"].registers) == (4, 6)
    with pytest.raises(UnknownFormat):
        fragment_of(found, "a", format="f16")
    with pytest.raises(EncodingMistake):
        fragment_of(found, "index")


def test_types_of_elements() -> None:
    names = {
        "v_mfma_f64_16x16x4_f64": ("uint64", "uint64"),
        "v_mfma_f32_16x16x16_f16": ("uint16", "uint32"),
        "v_mfma_i32_16x16x32_i8": ("uint8", "uint32"),
    }
    for name, (a, d) in names.items():
        fragments = fragments_of(instruction(name, "gfx942"))
        assert (fragments["a"].dtype, fragments["d"].dtype) == (a, d)
    small = fragments_of(
        instruction("v_mfma_f32_16x16x128_f8f6f4", "gfx950"), formats={"a": "fp6", "b": "fp4"}
    )
    assert (small["a"].dtype, small["b"].dtype) == ("uint8", "uint8")


def test_effects_of_modifiers_move_their_own_role() -> None:
    wmma = fragments_of(instruction("v_wmma_f16_16x16x16_f16", "gfx1100"))
    assert wmma["d"].moved({"high_half": 1}).layout.place(i=2, j=3)[0].bit_lo == 16
    assert wmma["a"].moved({"high_half": 1}) == wmma["a"]
    mfma = fragments_of(instruction("v_mfma_f32_4x4x4_16b_f16", "gfx942"))
    effects = {"broadcast_size": 2, "broadcast_block": 3, "swizzle_b": 1}
    a, b = mfma["a"].moved(effects), mfma["b"].moved(effects)
    assert a.layout.place(i=1, k=0, b=5) == mfma["a"].layout.place(i=1, k=0, b=7)
    assert b.layout.place(k=0, j=0, b=8)[0].lane == 0
    with pytest.raises(OutOfRange):
        mfma["a"].moved({"broadcast_size": 2, "broadcast_block": 4})


def test_effects_on_index_and_scales() -> None:
    sparse = fragments_of(instruction("v_smfmac_f32_16x16x32_f16", "gfx942"))["index"]
    assert sparse.moved({"index_part": 3}).layout.offset_bits == 24
    assert sparse.moved({"index_part": 3, "index_set_off": 1}).layout.offset_bits == 0
    lanes = fragments_of(instruction("v_mfma_scale_f32_32x32x64_f8f6f4", "gfx950"))
    assert lanes["scale_b"].moved({"scale_byte_b": 2}).layout.offset_bits == 16
    assert lanes["scale_a"].moved({"scale_byte_b": 2}) == lanes["scale_a"]
    rows = fragments_of(instruction("v_wmma_scale_f32_16x16x128_f8f6f4", "gfx1250"))
    assert rows["scale_a"].moved({"scale_row_a": 1}).layout.copies == (16,)


def test_an_effect_that_there_is_not_is_refused() -> None:
    name = "v_wmma_f16_16x16x16_f16"
    (place,) = operation(name, "gfx1100", effects={"high_half": 1}).D.where(2, 3)
    assert (place.register, place.lane, place.bit_lo) == (1, 3, 16)
    with pytest.raises(OutOfRange, match="'hi_half' is no effect of a modifier"):
        operation(name, "gfx1100", effects={"hi_half": 1})
