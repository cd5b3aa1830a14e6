"""Words that others use for our number formats."""

from wavemma.tables.formats import format_rows
from wavemma.tables.rates import rate_types

_PREFIXES = {"fp": "f", "int": "i"}


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
