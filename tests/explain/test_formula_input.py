"""How names of formulas are understood."""

import pytest

from wavemma.errors import OutOfRange, SyntaxMistake
from wavemma.explain.formula_input import formulas
from wavemma.layouts import Shape, layout

D = layout("wmma_replicated", "d", Shape(16, 16, 16), 32, 32)
A = layout("mfma", "a", Shape(16, 16, 32), 16, 64, sparse=True)
BLOCKS = layout("mfma", "d", Shape(32, 32, 1, 2), 32, 64)


@pytest.mark.parametrize(
    "text",
    [
        "row = 2*v + lane//16; col = lane%16",
        "row = 2*v + lane/16, col = lane & 15",
        "i = 2*v + (lane >> 4)\nj = lane % 16",
        "int row = 2 * vgpr + laneId / 16; const int col = laneId % 16;",
        "h = lane // 16; row = 2*v + h; col = lane - 16*h",
        "lane = threadIdx.x % 32; half = lane / 16; r = 2*v + half; c = lane % 16",
        "2*v + lane//16, lane%16",
        "row = v + v + (1 if lane >= 16 else 0); col = lane % 16",
        "row = 2*slot + (lane < 16 ? 0 : 1); col = lane % 16",
    ],
)
def test_ways_to_write_one_map(text: str) -> None:
    claim = formulas(text, D)
    assert claim.is_forward
    numbers = {"lane": 19, "thread": 19, "v": 3, "n": 0, "slot": 3, "bit": 0}
    assert claim.value(numbers) == {"row": 7, "col": 3}


def test_the_other_direction() -> None:
    claim = formulas("lane = j + 16*(i%2); v = i//2", D)
    assert not claim.is_forward
    assert claim.inputs == {"row": "i", "col": "j"}
    assert claim.value({"row": 7, "col": 3, "b": 0}) == {"lane": 19, "v": 3}


def test_user_words_are_kept() -> None:
    claim = formulas("i = 2*reg + tid/16; j = tid%16", D)
    assert claim.inputs == {"v": "reg", "thread": "tid"}
    assert claim.outputs == {"row": "i", "col": "j"}
    assert claim.syntax == "c"


def test_blocks_come_first_without_names() -> None:
    claim = formulas("v//16, 8*(v//4%4) + 4*(lane//32) + v%4, lane%32", BLOCKS)
    numbers = {"lane": 33, "v": 21, "n": 0, "slot": 21, "thread": 33, "bit": 0}
    assert claim.value(numbers) == {"b": 1, "row": 8 + 4 + 1, "col": 1}


def test_sparse_groups_are_names_of_a_sparse_operand_only() -> None:
    assert formulas("i = lane%16; g = slot//2 + 2*(lane//16); s = slot%2", A).by_pairs
    with pytest.raises(SyntaxMistake, match="'g' is neither"):
        formulas("g = lane", D)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the text is empty"),
        (" ; \n", "the text is empty"),
        ("row = lane + x; col = 0", "position 14: 'x' is not known"),
        ("row = i; col = 0", "'i' is what the formulas give"),
        ("foo = lane", "'foo' is neither an index of this matrix nor a place"),
        ("row = v; colum = lane", "position 10: 'colum' is given and nothing needs it"),
        ("row = v; colum = lane", "Closest: col"),
        ("rov = v; col = lane % 16", "Closest: row"),
        ("lan = row; v = col", "Closest: lane"),
        ("row = lane; 5", "must say what they give"),
        ("lane // 16", "must say what they give"),
        ("row = ; col = 0", "a value must stand here"),
        ("k = lane; i = 0", "'k' is neither an index of this matrix"),
        ("row = 1" + "0" * 20_000, "at most 10,000"),
        ("row = 010; col = 0", "position 7: a decimal number must not begin with 0"),
        ("row = 08; col = 0", "position 7: a decimal number must not begin with 0"),
        ("row = 1 + ٣; col = 0", "position 11"),
        ("row = " + "+".join(["v"] * 1500) + "; col = 0", "more than 2000 words"),
    ],
)
def test_mistakes(text: str, reason: str) -> None:
    with pytest.raises(SyntaxMistake) as caught:
        formulas(text, D)
    assert reason in str(caught.value)


def test_names_of_the_users_own_that_are_no_slips_are_taken() -> None:
    text = "half = lane // 16; ldc = 64; row = 2*v + half; col = lane % 16"
    assert set(formulas(text, D).outputs) == {"row", "col"}


NUMBERS = {"lane": 19, "thread": 19, "v": 3, "n": 0, "slot": 3, "bit": 0}


def test_long_sums_are_no_deep_ones() -> None:
    claim = formulas("row = " + "-".join(["v"] * 900) + "; col = 00", D)
    assert claim.value(NUMBERS) == {"row": 3 - 899 * 3, "col": 0}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("row = 1/0; col = 0", "must give a number everywhere; it divides by 0."),
        ("row = 1//(v-3); col = 0", "everywhere; at v = 3 it divides by 0."),
        ("row = 1 << 62 << 62; col = 0", "everywhere; it is wider than 63 bits."),
    ],
)
def test_numbers_that_a_formula_cannot_give(text: str, reason: str) -> None:
    with pytest.raises(OutOfRange) as caught:
        formulas(text, D).value(NUMBERS)
    assert reason in str(caught.value)
