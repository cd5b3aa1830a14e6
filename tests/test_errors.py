"""Messages: what is listed, and how much of what was given is quoted."""

import string

import pytest

from wavemma.errors import UnknownName, WavemmaError, shortened


def test_few_names_are_listed_and_near_ones_first() -> None:
    names = list(string.ascii_lowercase[:12])
    assert str(UnknownName("No.", subject="?", allowed=names)).endswith(
        "Allowed: a, b, c, d, e, f, g, h, i, j, k, l."
    )
    assert str(UnknownName("No.", subject="abce", allowed=["abcd", "z"])) == (
        "No.\n  Closest: abcd."
    )


def test_near_names_are_written_as_a_shell_takes_them() -> None:
    found = UnknownName("No.", subject="rx 9071", allowed=["rx 9070", "rx9079x"])
    assert str(found) == 'No.\n  Closest: "rx 9070", rx9079x.'


def test_many_names_are_listed_where_nothing_else_lists_them() -> None:
    names = list(string.ascii_lowercase)
    text = str(UnknownName("No.", subject="?", allowed=names))
    assert text.endswith("y, z.")
    with_hint = str(UnknownName("No.", subject="?", allowed=names, hint="All: there."))
    assert with_hint == "No.\n  All: there."
    many = [f"name_{number}" for number in range(1500)]
    assert str(UnknownName("No.", subject="?", allowed=many)).endswith(
        "name_10, name_11 and 1,488 more."
    )


@pytest.mark.parametrize("given", ["x" * 100_000, "word and " * 20_000, "'\n\\" * 9000])
def test_what_was_given_is_cut(given: str) -> None:
    for message in (f"{given!r} is no name.", f"'{given}' is no name, {given}."):
        text = str(WavemmaError(message, subject=given, hint="See there."))
        assert len(text) < 500
        assert "[...]" in text
        assert text.endswith("See there.")
        assert "is no name" in text


def test_messages_of_usual_length_stay() -> None:
    text = " ".join(["A sentence with /a/path/of/some/length"] * 9) + "\n" + "y" * 160
    assert shortened(text) == text
    assert str(WavemmaError(text)) == text


def test_long_words_are_cut_without_a_subject() -> None:
    assert len(str(WavemmaError("y" * 100_000 + " is no name."))) < 200
    assert len(str(WavemmaError("y " * 100_000))) <= 1000
