"""Codes and lists as words of a command line."""

from wavemma.errors import SyntaxMistake


def code(text: str) -> int:
    """Read a code: hexadecimal, decimal or binary.

    Raises:
        SyntaxMistake: It is no whole number.

    """
    try:
        return int(text, 0)
    except ValueError:
        raise SyntaxMistake(
            f"A code must be a whole number such as 0x38, 56 or 0b111000; {text!r} was given.",
            subject=text,
        ) from None


def names(text: str) -> tuple[str, ...]:
    """Split names at commas."""
    return tuple(each.strip() for each in text.split(",") if each.strip())
