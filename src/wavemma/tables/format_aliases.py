"""Words that others use for our number formats."""

from wavemma.tables.formats import format_rows


def common_word(word: str) -> str:
    """Give our word for a float that others write with "fp", as fp16 for f16; else the word.

    Args:
        word: In small letters.

    """
    names = {name for row in format_rows().values() for name in (row.name, row.type)}
    plain = f"f{word.removeprefix('fp')}"
    return plain if word.startswith("fp") and word not in names and plain in names else word
