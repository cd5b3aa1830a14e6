"""The words of integer formulas, and what to say where a formula goes wrong."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wavemma.errors import SyntaxMistake

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)(?P<suffix>[uUlL]*)(?![\w.])"
    r"|(?P<name>[A-Za-z_]\w*(?:\.[xyz])?)"
    r"|(?P<sign>//|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:(),]))"
)
_JOINED = re.compile(r"([0-9]+)([A-Za-z_]\w*)")
_LONGEST_NUMBER = 12
_TYPES = {
    *("int", "unsigned", "signed", "long", "size_t", "ptrdiff_t"),
    *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (16, 32, 64)),
}
_LONGEST_CAST = 8
_SHOWN = 60


class Token(NamedTuple):
    """A word of a formula and where it starts in the whole text."""

    kind: str
    text: str
    position: int


def mistake(text: str, position: int, reason: str, hint: str = "") -> SyntaxMistake:
    """Say where a formula goes wrong, with a mark below the place."""
    start = text.rfind("\n", 0, position) + 1
    start = max(start, position - _SHOWN)
    line = text[start : position + _SHOWN].split("\n", 1)[0]
    return SyntaxMistake(
        f"The formula goes wrong at position {position + 1}: {reason}.\n"
        f"    {line}\n    {' ' * (position - start)}^",
        subject=text[position : position + 1],
        hint=hint,
    )


def late(text: str, word: Token) -> SyntaxMistake:
    """Say that a name is given behind its use."""
    return mistake(
        text,
        word.position,
        f"{word.text!r} is needed here and given only later",
        f"Put the formula of {word.text} before this one.",
    )


def tokens(text: str, start: int, end: int) -> tuple[Token, ...]:
    """Cut text[start:end] into words.

    Raises:
        SyntaxMistake: A sign that no formula has, or a number that is not whole.

    """
    found: list[Token] = []
    while text[start:end].strip():
        match = _TOKEN.match(text, start, end)
        at = start + len(text[start:end]) - len(text[start:end].lstrip())
        if match is None:
            raise mistake(text, at, _why_no_word(text[at:end]))
        kind = str(match.lastgroup if match.lastgroup != "suffix" else "number")
        if kind == "number":
            _check_number(text, at, match[kind])
        found.append(Token(kind, match[kind], match.start(kind)))
        start = match.end()
    return tuple(_without_casts(found))


def _without_casts(words: Sequence[Token]) -> Iterator[Token]:
    """Leave out casts between whole numbers, which change no index of a matrix or place in it.

    They are (int) before a value, int before brackets, and static_cast<int>.
    """
    place = 0
    while place < len(words):
        length = _cast_length([word.text for word in words[place : place + _LONGEST_CAST]])
        if not length:
            yield words[place]
        place += length or 1


def _cast_length(texts: Sequence[str]) -> int:
    """Count the words of a cast that a formula goes on with; 0 if it goes on with none."""
    count = 2 if texts[:2] == ["static_cast", "<"] else int(texts[:1] == ["("])
    close = {2: ">", 1: ")"}.get(count, "")
    end = count
    while end < len(texts) and texts[end] in _TYPES:
        end += 1
    if end == count or (close and texts[end : end + 1] != [close]):
        return 0
    end += bool(close)
    follows = texts[end : end + 1]
    is_value = bool(follows) and (follows[0][0].isalnum() or follows[0][0] in "_(-~!+")
    return end if is_value and (count == 1 or follows == ["("]) else 0


def _why_no_word(rest: str) -> str:
    """Say what is wrong with a text that begins with no word."""
    joined = _JOINED.match(rest)
    if joined is not None:
        return f"a sign is missing; {joined[1]} times {joined[2]} is {joined[1]}*{joined[2]}"
    if rest[0] == "[":
        return (
            "a subscript needs its whole statement, such as C[row*ldc + col] = acc[v] or a[i] ="
            " A[row*lda + k]"
        )
    return "numbers must be whole" if rest[0].isdigit() else f"{rest[0]!r} has no meaning"


def _check_number(text: str, position: int, digits: str) -> None:
    """Refuse a number that is too long, or that C and Python do not both read as decimal."""
    if len(digits) > _LONGEST_NUMBER:
        raise mistake(text, position, "the number is too large")
    if digits.isdigit() and digits.startswith("0") and digits.strip("0"):
        raise mistake(text, position, "a decimal number must not begin with 0, base 8 in C")
