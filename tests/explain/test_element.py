from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.explain.layout_facts import axes, elements, place, questions
from tests.facts import facts_json
from wavemma.errors import (
    EncodingMistake,
    OutOfRange,
    UnknownFormat,
    UnknownInstruction,
    UnknownName,
    UnknownTarget,
    WavemmaError,
)
from wavemma.explain.contents import contents
from wavemma.explain.element import Element, where
from wavemma.explain.spots import Spot
from wavemma.isa import catalog

DENSE = "v_wmma_f32_16x16x16_f16"
# All 1337 pairs of a layout and an instruction, without the 200 of sparse A and index.
DENSE_QUESTIONS = 1137
AXES = {
    "A": "ik",
    "B": "kj",
    "C": "ij",
    "D": "ij",
    "A scale": "iq",
    "B scale": "qj",
}


def flat(spots: Iterable[Spot]) -> list[tuple[int, int, int]]:
    """(lane, lowest bit from register 0, highest bit) of each place, as the facts count."""
    return [
        (
            spot.lane,
            32 * spot.bits[0].register + spot.bits[0].lo,
            32 * spot.bits[-1].register + spot.bits[-1].hi,
        )
        for spot in spots
    ]


def test_case_1_where_is_d_2_3_of_the_first_wmma() -> None:
    assert flat(where("gfx1100", DENSE, "D", 2, 3).places) == [(3, 32, 63)]
    assert flat(where("gfx1100", DENSE, "D", 2, 3, wave=64).places) == [(35, 0, 31)]


def test_case_2_the_same_on_its_successor() -> None:
    assert flat(where("gfx1201", DENSE, "D", 2, 3).places) == [(3, 64, 95)]


def test_case_3_both_copies_must_be_loaded() -> None:
    assert flat(where("gfx1100", DENSE, "A", 2, 5).places) == [(2, 80, 95), (18, 80, 95)]


@pytest.mark.parametrize(("opsel", "low"), [(0, 32), (1, 48)])
def test_case_4_op_sel_chooses_the_half(opsel: int, low: int) -> None:
    found = where("gfx1100", "v_wmma_f16_16x16x16_f16", "D", 2, 3, modifiers={"opsel": opsel})
    assert flat(found.places) == [(3, low, low + 15)]


def test_case_6_rows_of_a_big_mfma() -> None:
    found = where("gfx942", "v_mfma_f32_32x32x8_f16", "D", 8, 0)
    assert flat(found.places) == [(0, 128, 159)]
    named = {each.name: each.python for each in found.formulas.element}
    for lane, v in ((0, 4), (33, 7), (63, 15)):
        row = eval(named["i"], {"lane": lane, "slot": v})
        assert row == 8 * (v // 4) + 4 * (lane // 32) + v % 4


def test_case_16_a_lane_of_the_newer_form_holds_half_of_k() -> None:
    old = where("gfx1100", "v_wmma_i32_16x16x16_iu4", "A", 3, 15)
    new = where("gfx1201", "v_wmma_i32_16x16x16_iu4", "A", 3, 15)
    assert flat(old.places) == [(3, 60, 63), (19, 60, 63)]
    assert flat(new.places) == [(19, 28, 31)]


@pytest.mark.facts
def test_case_4_on_every_row_with_halves() -> None:
    rows = [
        row
        for row in facts_json("instructions")["instructions"]
        if "op_sel" in row["modifiers"] and row["arch"].startswith("rdna3")
    ]
    assert len(rows) == 4
    for row in rows:
        for target in row["targets"]:
            for wave in row["wave_sizes"]:
                low, high = (
                    where(
                        target, row["mnemonic"], "D", 5, 6, wave=wave, modifiers={"opsel": half}
                    ).places
                    for half in (0, 1)
                )
                assert [s.lane for s in low] == [s.lane for s in high]
                assert (low[0].bits[0].lo, high[0].bits[0].lo) == (0, 16)


@pytest.mark.facts
def test_every_layout_of_the_facts_at_its_corners() -> None:
    asked = 0
    for question in questions():
        if "s" in axes(question.fact):
            continue
        every = list(elements(question.fact))
        for indices in (every[0], every[len(every) // 3], every[-1]):
            row, column = (indices.get(letter, 0) for letter in AXES[question.fact["operand"]])
            found = where(
                *question[:3],
                row,
                column,
                block=indices.get("b", 0),
                wave=question.wave,
                format=question.format,
            )
            assert flat(found.places) == place(question.fact, indices), (question[:5], indices)
            asked += 1
    assert asked == 3 * DENSE_QUESTIONS


@pytest.mark.facts
def test_every_sparse_a_tells_the_kept_elements_and_their_index() -> None:
    asked = 0
    for question in questions():
        if question.operand != "A" or "s" not in axes(question.fact):
            continue
        index = next(
            fact
            for fact in facts_json("layouts")["layouts"]
            if (fact["arch"], fact["wave"], fact["operand"])
            == (question.fact["arch"], question.wave, "index")
            and question.instruction in fact["instructions"]
        )
        for k in (0, 5, 4 * len({e["g"] for e in elements(question.fact)}) - 1):
            found = where(*question[:3], 7, k, wave=question.wave)
            for kept in found.kept:
                named = {"i": 7, "g": k // 4, "s": kept.s}
                assert flat(kept.places) == place(question.fact, named)
                assert flat(kept.index_places) == place(index, named)
            assert [kept.holds_if for kept in found.kept] == [
                None if k % 4 == 3 else k % 4,
                None if k % 4 == 0 else k % 4,
            ]
            asked += 1
    sparse = [row for row in facts_json("instructions")["instructions"] if row["sparse"]]
    assert asked == 3 * sum(len(row["wave_sizes"]) for row in sparse)


@pytest.mark.facts
def test_case_36_parts_of_the_index_register() -> None:
    rows = [row for row in facts_json("instructions")["instructions"] if row["sparse"]]
    assert len(rows) == 78
    for row in rows:
        for wave in row["wave_sizes"]:
            bits = row["index_bits"][str(wave)]
            name = "abid" if "abid" in row["modifiers"] else "index_key"
            asked = (row["targets"][0], row["mnemonic"], "index", 0, 0)
            first = flat(where(*asked, wave=wave).places)
            for part in range(1, 32 // bits):
                moved = where(*asked, wave=wave, modifiers={name: part})
                assert flat(moved.places) == [
                    (lane, lo + part * bits, hi + part * bits) for lane, lo, hi in first
                ]
            with pytest.raises(WavemmaError):
                where(*asked, wave=wave, modifiers={name: max(32 // bits, 2)})


def test_case_36_says_what_is_legal() -> None:
    with pytest.raises(OutOfRange, match=r"abid must be 0\.\.1; it is 2 \(which 16-bit part"):
        where("gfx950", "v_smfmac_f32_16x16x64_f16", "index", 0, 0, modifiers={"abid": 2})


def test_an_unknown_meaning_gives_no_place() -> None:
    found = where("gfx1250", "v_swmmac_f32_16x16x64_f16", "index", 0, 0, modifiers={"index_key": 1})
    assert found.places == ()
    assert found.kept == ()
    assert found.unknown == "no source gives a meaning to any value but 0"
    assert "unknown" in {each.grade for each in found.evidence}


def test_broadcast_reads_another_block() -> None:
    asked = ("gfx942", "v_mfma_f32_4x4x4_16b_f16", "A", 3, 2)
    moved = where(*asked, block=6, modifiers={"cbsz": 2, "abid": 1})
    assert moved.places == where(*asked, block=5).places


def test_swizzle_reads_another_lane() -> None:
    found = where("gfx90a", "v_mfma_f32_32x32x1f32", "B", 0, 1, modifiers={"blgp": 3})
    assert [spot.lane for spot in found.places] == [17]


def test_scale_byte_and_row() -> None:
    scaled = "v_mfma_scale_f32_16x16x128_f8f6f4"
    found = where("gfx950", scaled, "scale_a", 3, 2, modifiers={"scale_byte": 3})
    assert flat(found.places) == [(35, 24, 31)]
    wide = "v_wmma_scale_f32_16x16x128_f8f6f4"
    found = where("gfx1250", wide, "scale_b", 2, 5, modifiers={"scale_row": 1})
    assert flat(found.places) == [(21, 16, 23)]


def test_elements_that_run_over_a_border_have_two_pieces() -> None:
    found = where("gfx950", "v_mfma_f32_16x16x128_f8f6f4", "A", 0, 5, format="fp6")
    assert [(b.register, b.hi, b.lo) for b in found.places[0].bits] == [(0, 31, 30), (1, 3, 0)]
    double = where("gfx942", "v_mfma_f64_16x16x4_f64", "D", 4, 0)
    assert [(b.register, b.hi, b.lo) for b in double.places[0].bits] == [(2, 31, 0), (3, 31, 0)]


def test_every_answer_rests_on_something() -> None:
    known = where("gfx1100", DENSE, "D", 2, 3)
    assert [(each.source, each.grade) for each in known.evidence] == [("calculator", "V")]
    derived = where("gfx1170", DENSE, "D", 2, 3)
    assert [(each.source, each.grade) for each in derived.evidence] == [("rdna4m-as-rdna4", "D")]
    assert any("modulo the wave size" in note for note in known.notes)


def test_a_rival_layout_is_shown() -> None:
    name = "v_wmma_f32_16x16x64_fp8_fp8"
    assert "bit 4 of k" in where("gfx1250", name, "A", 0, 0).conflicts[0].other
    assert where("gfx1250", name, "D", 0, 0).conflicts == ()


def test_a_modifier_that_does_not_touch_the_operand_is_named() -> None:
    found = where("gfx1100", "v_wmma_f16_16x16x16_f16", "A", 0, 0, modifiers={"opsel": 1})
    assert "opsel does not move A." in found.notes


MISTAKES = [
    (("gfx1030", DENSE, "D", 0, 0), {}, UnknownTarget, "gfx1030"),
    (("gfx1250", DENSE, "D", 0, 0), {}, UnknownInstruction, "It is one of gfx1100"),
    (("gfx1100", DENSE, "E", 0, 0), {}, UnknownName, "must be one of A, B, C, D"),
    (("gfx1100", DENSE, "index", 0, 0), {}, UnknownName, "must be one of A, B, C, D"),
    (("gfx1100", DENSE, "D", 16, 0), {}, OutOfRange, r"ROW \(i\) of D .* must be 0\.\.15"),
    (("gfx1100", DENSE, "B", 0, -1), {}, OutOfRange, r"COLUMN \(j\) of B .* must be 0\.\.15"),
    (("gfx1100", DENSE, "D", 0, 0), {"block": 1}, OutOfRange, r"the block .* must be 0\.\.0"),
    (("gfx1100", DENSE, "D", 0, 0), {"wave": 16}, OutOfRange, "32 or 64"),
    (("gfx942", "v_mfma_f32_32x32x8_f16", "D", 0, 0), {"wave": 32}, OutOfRange, "64"),
    (("gfx1100", DENSE, "A", 0, 0), {"format": "fp8"}, UnknownFormat, "must be f16; 'fp8' was"),
    (("gfx1100", DENSE, "D", 0, 0), {"modifiers": {"opsel": 1}}, EncodingMistake, "takes no opsel"),
    (
        ("gfx942", "v_mfma_f32_4x4x4_16b_f16", "A", 0, 0),
        {"modifiers": {"cbsz": 1, "abid": 2}},
        OutOfRange,
        r"abid must be 0\.\.1",
    ),
    (
        ("gfx950", "v_mfma_ld_scale_b32", "scale_a", 0, 0),
        {},
        EncodingMistake,
        "hands on scales",
    ),
]


@pytest.mark.parametrize(("asked", "more", "error", "words"), MISTAKES)
def test_mistakes_say_what_must_be(asked, more, error, words) -> None:
    with pytest.raises(error, match=words):
        where(*asked, **more)


ASKABLE = [
    (instruction, role, wave)
    for instruction in catalog.instructions()
    if instruction.is_matrix
    for role in instruction.roles
    for wave in instruction.waves
]


@given(st.sampled_from(ASKABLE), st.data())
def test_what_lies_at_the_place_of_an_element_is_the_element(asked, data) -> None:
    instruction, role, wave = asked
    layout = instruction.layout(role, wave)
    sizes = dict(layout.extents)
    block = data.draw(st.integers(0, sizes.pop("b", 1) - 1))
    rows, columns = (sizes["i"], 4 * sizes["g"]) if "s" in sizes else tuple(sizes.values())
    row, column = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, columns - 1))
    target = instruction.targets[0]
    found: Element = where(target, instruction.name, role, row, column, block=block, wave=wave)
    assert found.places
    for spot in found.places:
        for bits in spot.bits:
            held = contents(
                target, instruction.name, role, spot.lane, bits.register, wave=wave
            ).held
            here = [each for each in held if each.bits == bits]
            assert len(here) == 1
            named = here[0].indices
            if "s" in sizes:
                assert (named["i"], named["g"]) == (row, column // 4)
            else:
                assert named == {**({"b": block} if "b" in named else {}), **found.indices}
