"""Bytes that people paste: hexadecimal words, as numbers or in the order of memory."""

import re
from typing import Literal, NamedTuple

from wavemma.errors import SyntaxMistake

Order = Literal["bytes in memory order", "numbers"]
_DIGITS = (2, 8, 16, 32)
_SPLIT = re.compile(r"[\s,\[\]]+")
_WORD = re.compile(r"(0[xX])?([0-9a-fA-F]+)\Z")


class Reading(NamedTuple):
    """One way to read what was pasted."""

    order: Order
    data: bytes


def readings(words: str) -> tuple[Reading, ...]:
    """Read hexadecimal words.

    With `0x` in front a word is a number, as disassemblers print words: its lowest byte comes
    first in memory. Without, it may also be bytes in the order of memory, as assemblers print
    encodings.

    Args:
        words: Groups of 2, 8, 16 or 32 digits with commas, spaces or brackets between.

    Returns:
        The ways to read them, the likelier one first; one if both are the same.

    Raises:
        SyntaxMistake: A group is no such word.

    """
    groups = [_group(word) for word in _SPLIT.split(words.strip()) if word]
    if not groups:
        raise SyntaxMistake("There must be at least one word; none was given.", subject=words)
    numbers = Reading("numbers", b"".join(_number(digits) for _, digits in groups))
    memory = Reading("bytes in memory order", b"".join(bytes.fromhex(d) for _, d in groups))
    if numbers.data == memory.data:
        return (memory,)
    return (numbers,) if all(is_number for is_number, _ in groups) else (memory, numbers)


def _group(word: str) -> tuple[bool, str]:
    """Take one group apart: whether it says that it is a number, and its digits."""
    match = _WORD.match(word)
    if match is None or len(match[2]) not in _DIGITS:
        raise SyntaxMistake(
            f"A word must have 2, 8, 16 or 32 hexadecimal digits; {word[:40]!r} was given.",
            subject=word,
            hint="Examples: 0xd3cd000a 0x0c1a0902, or 0a00cdd3 02091a0c as it lies in memory.",
        )
    return bool(match[1]), match[2]


def _number(digits: str) -> bytes:
    return bytes.fromhex(digits)[::-1]
