"""Bytes that people paste: hexadecimal words, as numbers or in the order of memory."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from wavemma.errors import SyntaxMistake

Order = Literal["bytes in memory order", "numbers"]
_DIGITS = (2, 4, 8, 16, 32)
_SPLIT = re.compile(r"[\s,\[\]{}]+")
_WORD = re.compile(r"(0[xX])?([0-9a-fA-F]+)[uUlL]{0,3}\Z")
# What stands before the words in a line of a listing: the text of the instruction, and an address.
_BEFORE = re.compile(r".*(?://|;|encoding:)", re.DOTALL)
_ADDRESS = re.compile(r"\s*<?(?:0[xX])?[0-9a-fA-F]+>?:\s")
# A hex dump has an offset without a colon too, of more digits than its groups.
_DUMP_LINE = re.compile(
    r"\s*(?:[0-9a-fA-F]{7}(?=\s+\w{8,})|[0-9a-fA-F]{6,8}(?=\s+(?:\w{2}|\w{4})\b))\s+(.*)"
)
_TEXT_COLUMN = re.compile(r"\|.*|(?<=\S)\s{2,}\S*[^0-9a-fA-F\s].*")
_DIRECTIVE = re.compile(r"\s*\.\w+\s")


class Reading(NamedTuple):
    """One way to read what was pasted."""

    order: Order
    data: bytes


def readings(words: str) -> tuple[Reading, ...]:
    """Read hexadecimal words.

    With `0x` in front a word is a number, as disassemblers print words: its lowest byte comes
    first in memory. Without, it may also be bytes in the order of memory, as assemblers print
    encodings. What listings and hex dumps put beside the words is left out: the instruction's
    text and "//", offsets with a colon, directives such as .long, and a column of characters.

    Args:
        words: Groups of 2, 4, 8, 16 or 32 digits with commas, spaces or brackets between; behind
            0x leading zeros may be left out.

    Returns:
        The ways to read them, the likelier one first; one if both are the same.

    Raises:
        SyntaxMistake: A group is no such word.

    """
    lines = words.strip().splitlines()
    groups = [_group(word) for line in lines for word in _words(line)]
    if not groups:
        raise SyntaxMistake("There must be at least one word; none was given.", subject=words)
    numbers = Reading("numbers", b"".join(_number(digits) for _, digits in groups))
    memory = Reading("bytes in memory order", b"".join(bytes.fromhex(d) for _, d in groups))
    if numbers.data == memory.data:
        return (memory,)
    return (numbers,) if all(is_number for is_number, _ in groups) else (memory, numbers)


def _words(line: str) -> Iterator[str]:
    """Yield the words of one line, without what listings and dumps put beside them."""
    line = _BEFORE.sub("", line)
    dump = _DUMP_LINE.fullmatch(line)
    if dump is not None:
        line = _TEXT_COLUMN.sub("", dump[1])
    elif _ADDRESS.match(line):
        line = _TEXT_COLUMN.sub("", _ADDRESS.sub("", line, count=1))
    line = _DIRECTIVE.sub("", line).replace("\\x", " ").replace("_", "")
    yield from filter(None, _SPLIT.split(line))


def _group(word: str) -> tuple[bool, str]:
    """Take one group apart: whether it says that it is a number, and its digits."""
    match = _WORD.match(word)
    digits = "" if match is None else match[2]
    if match is not None and match[1]:
        digits = digits.rjust(min((n for n in _DIGITS if n >= len(digits)), default=0), "0")
    if match is None or len(digits) not in _DIGITS:
        raise SyntaxMistake(
            f"A word must have 2, 4, 8, 16 or 32 hexadecimal digits; {word[:40]!r} was given.",
            subject=word,
            hint="Examples: 0xd3cd000a 0x0c1a0902, or 0a00cdd3 02091a0c as it lies in memory.",
        )
    return bool(match[1]), digits


def _number(digits: str) -> bytes:
    return bytes.fromhex(digits)[::-1]
