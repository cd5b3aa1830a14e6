"""Mappings as the code that uses them, held against what that code does when it is run."""

import random

import pytest

from tests.explain.layout_facts import Question, axes, elements, place, questions
from wavemma.errors import OutOfRange, SyntaxMistake
from wavemma.explain.check_layout import check_layout

OP = "v_wmma_f32_16x16x16_f16"
HALF = "v_wmma_f16_16x16x16_f16"
STRIDE = 1 << 20


@pytest.mark.parametrize(
    "text",
    [
        "C[(2*v + lane/16)*ldc + lane%16] = acc[v]",
        "C[ldc * (2*i + (lane >> 4)) + (lane & 15)] = alpha * acc[i];",
        "for (int i = 0; i < 8; ++i) { C[(2*i + lane/16)*ldc + lane%16] += acc.x[i]; }",
        "C[(ti*16 + 2*v + lane/16)*N + tj*16 + lane%16] = (half)acc[ti][tj][v]",
        "const int row = 2*e + lane/16;\nconst int col = lane%16;\nout[row*N + col] = acc[e];",
        "C[(2*v + lane//16)*256 + lane%16] = acc[v]",
        "C[16*(2*v + lane//16) + lane%16] = acc[v]",
        "C[2*v + lane//16, lane%16] = acc[v]",
        "C[2*v + lane/16][lane%16] = acc[v];",
        "C[(2*v + lane/16)*N + lane%16] = beta*C[(2*v + lane/16)*N + lane%16] + acc[v]",
        "int lane = threadIdx.x % 32; C[(2*v + lane/16)*ldc + lane%16] = acc[v];",
        "int w = tid/32, lane = tid%32; C[(16*w + 2*v + lane/16)*ldc + lane%16] = acc[v];",
        "acc[v] = C[(2*v + lane/16)*ldc + lane%16];",
        "C[2*v + lane/16 + (lane%16)*ldc] = acc[v]",
    ],
)
def test_ways_to_write_a_right_store(text: str) -> None:
    found = check_layout("gfx1100", OP, "D", text)
    assert (found.verdict, found.total, found.syntax) == ("right", 256, "access")


def test_a_matrix_may_lie_column_by_column() -> None:
    """Nothing in a statement says how its matrix lies; the answer says which way it was read."""
    rows = check_layout("gfx1100", OP, "D", "C[(2*v + lane/16)*ldc + lane%16] = acc[v]")
    columns = check_layout("gfx1100", OP, "D", "C[2*v + lane/16 + (lane%16)*ldc] = acc[v]")
    assert (rows.read_as, columns.read_as) == ("row*stride + column", "column*stride + row")
    load = "b[e] = B[(lane%16)*ldb + e + 8*(lane/16)]"
    found = check_layout("gfx1201", OP, "B", load)
    assert (found.verdict, found.wrong, found.stride) == ("equivalent", 128, "ldb")
    assert found.right_form == "b[e] = B[(lane % 16)*ldb + (e % 4) + 4*(lane / 16) + 8*(e / 4)]"


def test_case_8_the_store_loop_of_another_generation() -> None:
    text = "for (int i = 0; i < 8; ++i) C[(i + 8*(lane/16))*N + lane%16] = acc[i];"
    found = check_layout("gfx1100", OP, "D", text)
    assert (found.verdict, found.wrong) == ("wrong", 224)
    assert "gfx1201" in found.owners[0].targets
    assert found.right_form == "C[((lane / 16) + 2*i)*N + lane % 16] = acc[i];"
    assert check_layout("gfx1100", OP, "D", found.right_form).verdict == "right"
    assert check_layout("gfx1201", OP, "D", text).verdict == "right"


@pytest.mark.parametrize("word", ["threadIdx.x", "tid"])
def test_case_7_the_threads_number_as_lane(word: str) -> None:
    text = f"C[(2*v + {word}/16)*ldc + {word}%16] = acc[v]"
    found = check_layout("gfx1100", OP, "D", text)
    assert found.verdict == "first wave only"
    assert check_layout("gfx1100", OP, "D", found.right_form).verdict == "right"


def test_case_4_results_in_every_second_half() -> None:
    """The compiler's vector has 16 halves, of which 8 are results."""
    text = "C[(2*v + lane/16)*ldc + lane%16] = acc[{}]"
    assert check_layout("gfx1100", HALF, "D", text.format("2*v")).verdict == "right"
    high = {"modifiers": {"opsel": 1}}
    assert check_layout("gfx1100", HALF, "D", text.format("2*v + 1"), **high).verdict == "right"
    wrong = check_layout("gfx1100", HALF, "D", text.format("v"))
    assert wrong.verdict == "wrong"
    assert wrong.right_form.endswith("= acc[2*v]")
    assert check_layout("gfx1100", HALF, "D", wrong.right_form).verdict == "right"
    missed = check_layout("gfx1100", HALF, "D", text.format("2*v"), **high)
    assert missed.first is not None
    assert missed.first.claimed == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("C[lane*N + v = acc[v]", "position 2: this '.' is not closed"),
        ("C[2*v] = acc[v]", "one side must be found by the lane"),
        ("C[lane] = acc[lane]", "one side must be found by the lane"),
        ("C[lane*ldc + v] = x[0]", "one side must be found by the lane"),
        ("x[v] = 5", "must copy between an element of a matrix and one of what a lane holds"),
        ("C[lane*ldc*v + $] = acc[v]", "position 16: '.' has no meaning"),
        ("C[lane*ldc + v +] = acc[v]", "position 17: a value must stand here"),
        ("C[lane*ldc*ldc + v] = acc[v]", "ldc does more than multiply"),
        ("C[lane*p + v*q] = acc[v]", "p and q both are"),
        ("C[lane*N + v] = acc[i + j]", "one name must count the elements"),
        (f"C[lane*N + v + {'+'.join(f'x{n}' for n in range(400))}] = acc[v]", "at most 16 names"),
    ],
)
def test_mistakes(text: str, reason: str) -> None:
    with pytest.raises(SyntaxMistake, match=reason):
        check_layout("gfx1100", OP, "D", text)


def test_a_name_that_counts_as_0_may_not_divide() -> None:
    with pytest.raises(OutOfRange, match="at lane = 0 it divides by 0"):
        check_layout("gfx1100", OP, "D", "C[(lane/n)*N + v] = acc[v]")


PLAIN = ("A", "B", "D")
PLAIN_AXES = ("ik", "kj", "ij")


def _plain_questions() -> list[Question]:
    """All operands of one block that hold elements of 16 or 32 bits, one for each layout."""
    found = {}
    for each in questions():
        fact = each.fact
        wide = fact["element_bits"] in (16, 32)
        if (
            each.operand in PLAIN
            and wide
            and "".join(axes(fact)) in PLAIN_AXES
            and not fact.get("format")
        ):
            key = (each.operand, each.wave, *map(str, (fact["lane_bits"], fact["slot_bits"])))
            found.setdefault((*key, fact["stride_bits"]), each)
    return list(found.values())


@pytest.mark.facts
def test_statements_do_what_python_does_with_them() -> None:
    """Seeded statements, each run element by element and held against the fact files."""
    rng = random.Random(11)
    asked = _plain_questions()
    assert len(asked) > 40
    for each in rng.sample(asked, 30):
        a, b, c = (rng.choice((1, 2, 4, 8)) for _ in "abc")
        width = rng.choice((16, 32))
        index = f"({a}*v + {b}*(lane//{width}) + v//4*{c})*ld + lane%{width}"
        text = f"M[{index}] = acc[v]"
        found = check_layout(each.target, each.instruction, each.operand, text, wave=each.wave)
        total, *wrong = _counted(each, index)
        read = found.read_as.startswith("column")
        assert (total, wrong[read]) == (found.total, found.wrong), (each, text)
        assert (found.verdict == "right") == (0 in wrong)


def _counted(each: Question, index: str) -> tuple[int, int, int]:
    """Run the subscript for every place of the facts: all, wrong by rows, wrong by columns."""
    code = compile(index, "statement", "eval")
    row, column = axes(each.fact)
    total = 0
    wrong = [0, 0]
    for element in elements(each.fact):
        for lane, low, _ in place(each.fact, element):
            number = low // each.fact["element_bits"]
            at = eval(code, {"lane": lane, "v": number, "ld": STRIDE})
            found = divmod(at, STRIDE)
            total += 1
            wrong[0] += found != (element[row], element[column])
            wrong[1] += found != (element[column], element[row])
    return total, wrong[0], wrong[1]
