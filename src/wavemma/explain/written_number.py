"""Numbers as people write them, read exactly: nothing is rounded, and no other script's digits."""

import re
from fractions import Fraction

from wavemma.errors import OutOfRange, SyntaxMistake

MOST_SIGNS = 1000
MOST_EXPONENT = 9999
"""Far beyond every format, and little enough that the exact number stays short."""

_DECIMAL = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>[0-9]*)(?:\.(?P<part>[0-9]*))?(?:e(?P<power>[+-]?[0-9]+))?"
)
_HEXADECIMAL = re.compile(
    r"(?P<sign>[+-]?)0x(?P<whole>[0-9a-f]*)(?:\.(?P<part>[0-9a-f]*))?(?:p(?P<power>[+-]?[0-9]+))?"
)
_RATIO = re.compile(r"(?P<above>[+-]?[0-9]+)/(?P<below>[0-9]+)")
_SPECIAL = re.compile(r"[+-]?(?:inf|infinity|nan)")
_WHOLE = re.compile(r"[+-]?(?:[0-9]+|0x[0-9a-f]+|0b[01]+)")
_HEX_BITS = 4


def parse_number(text: str) -> Fraction | float:
    """Read a number exactly; infinities, NaN and minus zero as floats.

    Args:
        text: Decimal, hexadecimal as C writes floats, a fraction n/d, inf or nan.

    Raises:
        SyntaxMistake: It is none.
        OutOfRange: It has too many signs, or an exponent beyond every use.

    """
    word = text.strip().lower()
    _check_length(word)
    if _SPECIAL.fullmatch(word):
        return float(word)
    ratio = _RATIO.fullmatch(word)
    number = _ratio(ratio) if ratio else _scaled(word)
    if number is None:
        raise SyntaxMistake(
            f"A number must be decimal, 0x1.8p3, n/d, inf or nan; {text!r} was given.",
            subject=text,
            hint="Several numbers stand with commas between: 1,2." if len(word.split()) > 1 else "",
        )
    return -0.0 if number == 0 and word.startswith("-") else number


def is_whole(text: str) -> bool:
    """Say whether a text is a whole number: decimal, 0x1f or 0b101, with or without sign."""
    return _WHOLE.fullmatch(text.lower()) is not None


def whole_number(text: str) -> int:
    """Read a whole number: decimal, 0x1f or 0b101, with or without sign.

    Raises:
        SyntaxMistake: It is none; a number with a point is none either.
        OutOfRange: It has too many signs.

    """
    word = text.lower()
    _check_length(word)
    if not is_whole(word):
        raise SyntaxMistake(
            f"A whole number such as 12 or 0x1f must be given; {text!r} was given.", subject=text
        )
    # Zeros in front are decimal here, which Python's own reading of bases refuses.
    return int(word, 0) if "x" in word or "b" in word else int(word)


def _check_length(word: str) -> None:
    if len(word) > MOST_SIGNS:
        raise OutOfRange(
            f"A number must have at most {MOST_SIGNS} signs; this one has {len(word)}.",
            subject=len(word),
        )


def _ratio(match: re.Match[str]) -> Fraction | None:
    below = int(match["below"])
    return Fraction(int(match["above"]), below) if below else None


def _scaled(word: str) -> Fraction | None:
    """Read digits with a point and an exponent; None if they are none."""
    hexadecimal = _HEXADECIMAL.fullmatch(word)
    match = hexadecimal or _DECIMAL.fullmatch(word)
    if match is None:
        return None
    part = match["part"] or ""
    digits = match["whole"] + part
    if not digits:
        return None
    power = _power(match["power"] or "0")
    number = int(digits, 16 if hexadecimal else 10)
    if hexadecimal:
        scale = Fraction(2) ** (power - _HEX_BITS * len(part))
    else:
        scale = Fraction(10) ** (power - len(part))
    return -number * scale if match["sign"] == "-" else number * scale


def _power(text: str) -> int:
    # Read only when short: a number of millions of digits takes as long to read as to use.
    digits = text.lstrip("+-0")
    if len(digits) > len(str(MOST_EXPONENT)):
        raise OutOfRange(
            f"An exponent must lie within -{MOST_EXPONENT}..{MOST_EXPONENT}; it is {text[:40]}.",
            subject=text,
        )
    return int(text)
