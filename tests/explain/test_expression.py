"""Formulas against Python's own arithmetic, C's division, and what must be refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavemma.errors import OutOfRange, SyntaxMistake
from wavemma.explain.expression import dialect_of, parse
from wavemma.explain.formula_words import tokens

_LEAVES = st.one_of(
    st.integers(0, 70).map(str), st.sampled_from(["lane", "v", "n", "0x1F", "0b101"])
)
_SIGNS = ["+", "-", "*", "//", "%", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "and", "or"]


def _joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    plain = st.tuples(parts, st.sampled_from(_SIGNS), parts).map(" ".join)
    return st.one_of(
        parts.map(lambda text: f"({text})"),
        parts.map(lambda text: f"-{text}" if not text.startswith("-") else text),
        parts.map(lambda text: f"~({text})"),
        parts.map(lambda text: f"(not {text})"),
        st.tuples(parts, st.sampled_from(["<<", ">>"]), st.integers(0, 9).map(str)).map(" ".join),
        plain,
        plain.map(lambda text: f"({text})"),
        st.tuples(parts, parts, parts).map(lambda each: "({} if {} else {})".format(*each)),
    )


_TEXTS = st.recursive(_LEAVES, _joined, max_leaves=8)


def value(text: str, **names: int) -> int:
    words = tokens(text, 0, len(text))
    return parse(text, words, dialect_of(words), len(text)).value(names)


@given(_TEXTS, st.integers(0, 63), st.integers(0, 15), st.integers(0, 1))
def test_python_formulas_are_what_python_computes(text: str, lane: int, v: int, n: int) -> None:
    names = {"lane": lane, "v": v, "n": n}
    try:
        wanted = int(eval(text, {"__builtins__": {}}, names))
    except (ZeroDivisionError, ValueError, OverflowError):
        with pytest.raises(OutOfRange):
            value(text, **names)
        return
    try:
        found = value(text, **names)
    except SyntaxMistake as error:
        found = wanted if "comparisons in a row" in str(error) else error
    except OutOfRange as error:
        # Both sides of 'and', 'or' are computed; a shift stays within 64 bits.
        known = "divides by 0" in str(error) or "shift" in str(error)
        found = wanted if known else error
    assert found == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("-7 / 2", -3),
        ("-7 / 2 * 2 + -7 / 2", -9),
        ("!3 || 2 && 0", 0),
        ("lane > 3 ? lane / 2 : 100", 4),
        ("0 ? 1 : 0 ? 2 : 3", 3),
        ("1 | 2 == 2 || 0", 1),
        ("6 & 3 == 3 ? 1 : 0", 0),
        ("(-7) % 4 + 0 / 1", -3),
        ("0x10u + 3UL / 1", 19),
        ("1 + 2 << 3 / 1", 24),
        ("(int)lane / 2", 4),
        ("2 * (unsigned int)(lane / 2) + (int)-1", 7),
        ("int(lane / 2) + static_cast<uint32_t>(lane % 4)", 5),
        ("(size_t)(int)lane / (2)", 4),
    ],
)
def test_c_formulas_are_what_c_computes(text: str, wanted: int) -> None:
    assert value(text, lane=9) == wanted


@pytest.mark.parametrize(
    ("text", "position", "reason"),
    [
        ("lane +", 7, "the formula ends"),
        ("2 * (lane % 16", 15, "')' must stand here; the formula ends"),
        ("lane lane", 6, "'lane' was not expected"),
        ("1.5 * lane", 1, "numbers must be whole"),
        ("1 + 2lane", 5, r"a sign is missing; 2 times lane is 2*lane"),
        ("lane # 2", 6, "'#' has no meaning"),
        ("2 ** lane", 4, "a value must stand here, not '*'"),
        ("lane < 2 < 3", 10, "comparisons in a row"),
        ("lane ? 2", 9, "':' must stand here"),
        ("1 if 2", 7, "'else' must stand here"),
        ("__import__(2)", 11, "'(' was not expected"),
        ("lane.real", 5, "'.' has no meaning"),
        ("(float)lane", 8, "'lane' was not expected"),
        ("(uint8_t)lane", 10, "'lane' was not expected"),
        ("lane[0]", 5, "a subscript needs its whole statement"),
        ("1234567890123", 1, "too large"),
        ("(" * 100 + "1" + ")" * 100, 31, "nested too deeply"),
        ("-" * 5000 + "1", 61, "nested too deeply"),
    ],
)
def test_mistakes_are_told_with_their_place(text: str, position: int, reason: str) -> None:
    with pytest.raises(SyntaxMistake) as caught:
        value(text, lane=1)
    message = str(caught.value)
    assert reason in message
    assert f"position {position}:" in message


def test_a_mark_stands_below_the_place() -> None:
    with pytest.raises(SyntaxMistake) as caught:
        value("row + $")
    line, mark = str(caught.value).splitlines()[1:3]
    assert line[mark.index("^")] == "$"


@pytest.mark.parametrize(
    "text", ["1 // 0", "1 % 0", "1 / 0", "1 << 64", "1 >> -1", "1 << 99999999"]
)
def test_no_number_is_told(text: str) -> None:
    with pytest.raises(OutOfRange):
        value(text)
