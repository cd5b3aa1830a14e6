import re
from fractions import Fraction

import pytest

from tests.render.answers import some_answers
from wavemma.explain.dot_product import dot_products
from wavemma.render.document import Code, Facts, Grid, Heading, Picture, Table, Text, flat
from wavemma.render.pages import document_of, whole
from wavemma.render.terminal import as_text, document_text

ANSWERS = some_answers()


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("name", ANSWERS)
def test_lines_fit_the_width_except_code(name: str, width: int) -> None:
    answer = ANSWERS[name]
    code = {
        f"  {line}".rstrip()
        for block in document_of(answer)
        if isinstance(block, Code)
        for line in block.text.splitlines()
    }
    lines = as_text(answer, width=width, colour=False).splitlines()
    assert [line for line in lines if len(line) > width and line not in code] == []


@pytest.mark.parametrize("name", ANSWERS)
def test_nothing_is_cut(name: str) -> None:
    narrow, wide = (as_text(ANSWERS[name], width=w, colour=False) for w in (80, 400))
    assert "…" not in narrow
    words = lambda text: sorted(set(re.sub(r"[=\s]+", " ", text).split()))  # noqa: E731
    assert set(words(wide)) - set(words(narrow)) == set()


@pytest.mark.parametrize("name", ANSWERS)
def test_text_ends_with_the_sources(name: str) -> None:
    lines = as_text(ANSWERS[name], width=80, colour=False).splitlines()
    assert lines[-1].startswith("Grades: ")
    assert "Sources" in lines
    for each in ANSWERS[name].evidence:
        assert any(line.startswith(each.grade) for line in lines[lines.index("Sources") :])


def test_conflicts_are_shown_before_the_sources() -> None:
    text = as_text(ANSWERS["rivals"], width=80, colour=False)
    assert text.index("Sources disagree") < text.index("\nSources\n")
    assert "bit 3 of k" in text


def test_colour_only_where_wanted() -> None:
    assert "\x1b[" not in as_text(ANSWERS["element"], width=80, colour=False)
    coloured = as_text(ANSWERS["element"], width=80, colour=True)
    assert "\x1b[" in coloured
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    strip = lambda text: [line.rstrip() for line in text.splitlines()]  # noqa: E731
    assert strip(plain) == strip(as_text(ANSWERS["element"], width=80, colour=False))


def test_no_markup_is_read_out_of_words() -> None:
    text = document_text((Text("v2[31:16] [bold]x[/bold] :smile:"),), width=80, colour=False)
    assert text == "v2[31:16] [bold]x[/bold] :smile:\n"


def test_every_block_has_a_text() -> None:
    blocks = (
        Heading("Title", 1),
        Text("words"),
        Facts((("name", "value"),)),
        Table(("a", "b"), (("1", "2"),), title="table", right=(0,)),
        Grid(("row", "x", "y"), (("1", "2", "3"),), title="grid"),
        Code("a = 1", "python"),
        Picture("<svg/>", "a picture of words"),
    )
    text = document_text(blocks, width=80, colour=False)
    assert text == (
        "Title\n=====\nwords\n\nname  value\n\ntable\na  b\n1  2\n\ngrid\nrow  x  y\n  1  2  3\n\n"
        "  a = 1\n\na picture of words\n"
    )


def test_a_grid_too_wide_follows_in_parts_with_its_row_names() -> None:
    grid = Grid(("row", *(f"column{n}" for n in range(9))), (tuple("0123456789"),))
    lines = document_text((grid,), width=40, colour=False).splitlines()
    assert [line.split()[0] for line in lines if line] == ["row", "0", "row", "0", "row", "0"]
    assert all(len(line) <= 40 for line in lines)


def test_no_word_of_a_table_breaks_where_all_have_room() -> None:
    long = "(an/address_that_is_forty_signs_long_here)"
    table = Table(
        ("grade", "what", "source"),
        (("V", "some words about this and that " * 2, f"words before {long} words after"),),
    )
    for width in (76, 80, 120):
        text = document_text((table,), width=width, colour=False)
        assert long in text
        assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize("width", [40, 60, 80])
def test_no_number_and_no_name_breaks_inside_a_cell(width: int) -> None:
    answers = {**ANSWERS, "thirds": dot_products("f64", (Fraction(1, 3),), (3,), -1)}
    blocks = [
        block
        for answer in answers.values()
        for block in flat(whole(answer), full=True)
        if isinstance(block, Table | Facts)
    ]
    assert len(blocks) > len(answers)
    for block in blocks:
        found = set(document_text((block,), width=width, colour=False).split())
        for row in block.rows:
            assert {word for cell in row for word in cell.split()} <= found


def test_a_table_too_wide_for_its_words_is_told_row_by_row() -> None:
    names = ("v_" + "x" * 30, "v_" + "y" * 30)
    table = Table(("one", "two"), (names, names[::-1]))
    assert document_text((table,), width=60, colour=False) == (
        f"one  {names[0]}\ntwo  {names[1]}\n\none  {names[1]}\ntwo  {names[0]}\n"
    )


def test_what_needs_little_width_gets_it() -> None:
    table = Table(("a", "b"), (("registers of A and B", "words " * 40), ("x", "y")))
    text = document_text((table,), width=60, colour=False)
    assert "registers of A and B  words" in text


def test_nothing_is_cut_where_no_table_fits() -> None:
    long = [f"{letter * 20}" for letter in "abcdef"]
    text = document_text((Table(("x",) * 6, (tuple(long),)),), width=80, colour=False)
    assert max(map(len, text.splitlines())) <= 80
    assert all(text.count(letter) == 20 for letter in "abcdef")
