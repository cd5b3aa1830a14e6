"""Codes and lists as words of a command line."""

from wavemma.errors import SyntaxMistake
from wavemma.explain.written_number import whole_number


def code(text: str) -> int:
    """Read a code: hexadecimal, decimal or binary.

    Raises:
        SyntaxMistake: It is no whole number.

    """
    try:
        return whole_number(text)
    except SyntaxMistake:
        raise SyntaxMistake(
            f"A code must be a whole number such as 0x38, 56 or 0b111000; {text!r} was given.",
            subject=text,
        ) from None


def names(text: str) -> tuple[str, ...]:
    """Split names at commas.

    Raises:
        SyntaxMistake: There are only commas.

    """
    found = tuple(each.strip() for each in text.split(",") if each.strip())
    if text and not found:
        raise SyntaxMistake(f"A list of names must have a name; {text!r} was given.", subject=text)
    return found
