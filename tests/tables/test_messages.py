"""Patterns of messages; that tools say so is tests/oracles/test_messages.py."""

import re

import pytest

from wavemma.tables.messages import messages, said_in


def test_names_in_cause_and_fix_are_names_of_the_text() -> None:
    assert len(messages()) == 44
    for row in messages().values():
        names = set(re.findall(r"\{(\w+)\}", row.text))
        for text in (row.cause, *row.fix):
            assert set(re.findall(r"\{(\w+)\}", text)) <= names, row.name
            assert text.endswith("."), row.name


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("error: invalid cbsz value.", "modifier_value", {"word": "cbsz"}),
        (
            "error: wrong register tuple size for blgp value 5",
            "tuple_for_format",
            {"word": "blgp", "value": "5"},
        ),
        (
            "error: too few arguments to function call, expected 6, have 3",
            "too_few",
            {"wanted": "6", "given": "3"},
        ),
    ],
)
def test_names_stand_for_words(text: str, name: str, words: dict[str, str]) -> None:
    found = said_in(text)
    assert found is not None
    assert found.row.name == name
    assert set(found.words.values()) == set(words.values())


def test_the_first_message_counts() -> None:
    text = "error: invalid operand for instruction ... error: invalid cbsz value."
    assert said_in(text).row.name == "invalid_operand"
    assert said_in("all is well") is None


def test_every_text_is_found_in_itself() -> None:
    for row in messages().values():
        plain = re.sub(r"\{\w+\}", "x", row.text)
        assert said_in(plain).row.name == row.name
