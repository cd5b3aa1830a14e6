"""Words that others use for our number formats."""

import re

from wavemma.tables.formats import format_rows
from wavemma.tables.rates import rate_types

_PREFIXES = {"fp": "f", "int": "i", "float": "f", "bfloat": "bf"}
_SHAPE = re.compile(r"e(\d)m(\d)")


def common_word(word: str) -> str:
    """Give our word for what others call fp16, half or int8; else the word.

    Args:
        word: In small letters.

    """
    names = {name for row in format_rows().values() for name in (row.name, row.type)}
    if word in names:
        return word
    for row in rate_types().values():
        # A word that means several formats is no other name of one.
        if word in row.aliases and len(row.formats) == 1:
            return row.formats[0]
    for long, short in _PREFIXES.items():
        plain = f"{short}{word.removeprefix(long)}"
        if word.startswith(long) and plain in names:
            return plain
    return word


def shaped(word: str) -> tuple[str, ...]:
    """List the formats of factors with these bits of exponent and fraction, such as "e4m3".

    Formats of scales are called by their bits, and are not among them.
    """
    shape = _SHAPE.fullmatch(word)
    if shape is None:
        return ()
    bits = tuple(map(int, shape.groups()))
    return tuple(
        row.name
        for row in format_rows().values()
        if (row.exponent, row.fraction) == bits and not _SHAPE.fullmatch(row.name)
    )
