"""Elements as they are written in words of a command line: D[2][3], D[2,3] or D(2,3)."""

import re

from wavemma.errors import SyntaxMistake

# Each piece and what it is called where it is missing.
_PIECES = (
    (r"\w+", "the operand's letter"),
    (r"[\[(]", "a ["),
    (r"[0-9]+", "a row, a whole number from 0,"),
    (r"\]\s*\[|,", "][ or a comma"),
    (r"[0-9]+", "a column, a whole number from 0,"),
    (r"[\])]", "a ]"),
)


def element(text: str) -> tuple[str, int, int] | None:
    """Take an element apart: operand, row and column; None for the name of an operand.

    Args:
        text: An element or an operand.

    Raises:
        SyntaxMistake: It is neither; says what is missing, or too much, and where.

    """
    if re.fullmatch(r"\w*", text):
        return None
    found, place = [], 0
    for pattern, name in _PIECES:
        match = re.compile(rf"\s*({pattern})").match(text, place)
        if not match:
            raise _mistake(text, f"{name} is missing", place)
        found.append(match[1])
        place = match.end()
    if text[place:].strip():
        raise _mistake(text, f"{text[place:].strip()!r} is too much", place)
    return found[0], int(found[2]), int(found[4])


def _mistake(text: str, fault: str, place: int) -> SyntaxMistake:
    """Say what is wrong at a place, counted from 1 as people count."""
    where = "at the end" if place >= len(text.rstrip()) else f"at character {place + 1}"
    return SyntaxMistake(
        f"An element is written D[2][3] or 'D(2,3)'; in {text!r} {fault} {where}.",
        subject=text,
        hint="Or: OPERAND ROW COLUMN, such as D 2 3.",
    )
