import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.explain.layout_facts import axes, elements, place, questions
from tests.facts import facts_json
from wavemma.explain.layout import RegisterLayout, layout

DENSE = "v_wmma_f32_16x16x16_f16"
SEED = Path(__file__).resolve().parents[3] / "shared/seeds/rdna3-dense-wmma-builtins.rst.txt"


def placed(answer: RegisterLayout) -> dict[tuple[int, ...], list[tuple[int, int, int]]]:
    return {
        each.indices: [
            (
                s.lane,
                32 * s.bits[0].register + s.bits[0].lo,
                32 * s.bits[-1].register + s.bits[-1].hi,
            )
            for s in each.places
        ]
        for each in answer.elements
    }


@pytest.mark.facts
@pytest.mark.slow
def test_every_element_of_one_layout_of_each_kind() -> None:
    seen = set()
    for question in questions():
        kind = (question.fact["lane"], question.fact["slot"], question.fact["stride_bits"])
        if kind in seen:
            continue
        seen.add(kind)
        answer = layout(
            question.target,
            question.instruction,
            question.operand,
            wave=question.wave,
            format=question.format,
        )
        found = placed(answer)
        letters = [letter for letter, _ in answer.extents]
        assert [each for each in letters if each in axes(question.fact)] == axes(question.fact)
        wanted = {
            tuple(indices.get(letter, 0) for letter in letters): place(question.fact, indices)
            for indices in elements(question.fact)
        }
        assert found == wanted
    assert len(seen) == 146


@pytest.mark.facts
def test_row_table_is_that_of_the_first_seed_document() -> None:
    text = SEED.read_text(encoding="utf-8")
    table = text.partition("The row-to-lane mapping:")[2].partition("srcA and srcB")[0]
    rows = re.findall(r"\* - (\d+)\n\s+- (\d+)--(\d+)\n\s+- (\d+)\n", table)
    assert len(rows) == 16
    answer = layout("gfx1100", DENSE, "D")
    found = [(r.number, r.lanes[0], r.lanes[-1], *r.registers) for r in answer.rows]
    assert found == [tuple(map(int, row)) for row in rows]
    assert all(b - a == 1 for row in answer.rows for a, b in pairwise(row.lanes))


@pytest.mark.facts
def test_a_and_k_tables_are_those_of_the_first_seed_document() -> None:
    text = SEED.read_text(encoding="utf-8")
    rows = re.findall(r"\* - (\d+)\n\s+- (\d+), (\d+)\n\s+- 0--7\n", text)
    assert len(rows) == 16
    for role in "AB":
        answer = layout("gfx1100", DENSE, role)
        assert [(r.number, *r.lanes) for r in answer.rows] == [tuple(map(int, row)) for row in rows]
        assert {r.registers for r in answer.rows} == {tuple(range(8))}
        ks = re.findall(r"\* - (\d+)\n\s+- K \{(\d+), (\d+)\}\n", text)
        assert len(ks) == 8
        assert [
            (row.register, *(dict(each)["k"] for each in row.elements)) for row in answer.along
        ] == [tuple(map(int, each)) for each in ks]


def test_case_10_kernels_put_another_bit_of_k_into_the_lane() -> None:
    for role, letter in (("A", "i"), ("B", "j")):
        answer = layout("gfx1201", DENSE, role)
        assert answer.formulas.place[0].python == f"{letter} + 16*(k // 4 % 2)"
        assert answer.k_order is not None
        assert answer.k_order.place[0].python == f"{letter} + 16*(k // 8)"
        assert answer.k_order.contiguous == (0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15)


def test_contiguous_order_puts_neighbouring_k_into_a_lane() -> None:
    for target, name in (
        ("gfx1201", DENSE),
        ("gfx950", "v_mfma_f32_32x32x64_f8f6f4"),
        ("gfx1250", "v_wmma_f32_16x16x128_fp8_fp8"),
        ("gfx942", "v_mfma_f32_32x32x8_f16"),
    ):
        answer = layout(target, name, "A")
        assert answer.k_order is not None
        order = answer.k_order.contiguous
        lane_of = {each.indices[1]: each.places[0].lane for each in answer.elements[: len(order)]}
        lanes = [lane_of[k] for k in order]
        assert lanes == sorted(lanes)
        assert sorted(order) == list(range(len(order)))


def test_other_operands_have_no_order_of_k() -> None:
    assert layout("gfx1201", DENSE, "D").k_order is None
    assert layout("gfx942", "v_mfma_f32_4x4x4_16b_f16", "A", modifiers={"cbsz": 1}).k_order is None


@pytest.mark.facts
def test_case_16_registers_of_four_bit_operands() -> None:
    rows = [
        row
        for row in facts_json("instructions")["instructions"]
        if row["mnemonic"].startswith("v_wmma") and row.get("types", {}).get("A") == "iu4"
    ]
    assert {row["arch"] for row in rows} == {"rdna3", "rdna3.5", "rdna4m", "rdna4"}
    for row in rows:
        for wave in row["wave_sizes"]:
            answer = layout(row["targets"][0], row["mnemonic"], "A", wave=wave)
            assert answer.registers == row["vgprs"][str(wave)]["A"]
            copies = wave // 16 if row["arch"] in ("rdna3", "rdna3.5") else 1
            assert answer.slots * len(answer.lanes) == copies * 16 * row["K"]


def test_case_35_registers_of_wave64() -> None:
    counts = {
        role: layout("gfx1100", DENSE, role, wave=64).registers for role in ("A", "B", "C", "D")
    }
    assert counts == {"A": 8, "B": 8, "C": 4, "D": 4}


def test_what_lies_between_results_is_told() -> None:
    found = layout("gfx1100", "v_wmma_f16_16x16x16_f16", "D")
    assert found.slots == 8
    assert "Only 16 of each 32 bits belong to the matrix; the others are no results." in found.notes


def test_an_unknown_layout_has_no_elements() -> None:
    found = layout("gfx1250", "v_swmmac_f32_16x16x64_f16", "index", modifiers={"index_key": 1})
    assert found.unknown
    assert found.elements == found.rows == found.along == ()
