"""What a word for a number format means, and a format in a few words."""

from wavemma.errors import UnknownFormat
from wavemma.tables.format_aliases import common_word, shaped
from wavemma.tables.formats import format_row, format_rows


def formats_called(name: str) -> tuple[str, ...]:
    """List the formats with this name, or that instructions call by it.

    Raises:
        UnknownFormat: Offers the nearest names.

    """
    word = common_word(name.lower())
    found = tuple(row.name for row in format_rows().values() if word in (row.name, row.type))
    found = found or shaped(word)
    if not found:
        words = {each for row in format_rows().values() for each in (row.name, row.type)}
        raise UnknownFormat(
            f"{name!r} is not a number format of these instructions.",
            subject=word,
            allowed=sorted(words),
            hint="All: wavemma list formats",
        )
    return (word,) if word in found else found


def format_words(name: str) -> str:
    """Write a format in a few words, such as "f16 (16-bit float, E5M10)"."""
    row = format_row(name)
    if row.kind == "float":
        sign = "" if row.sign == "signed" else "unsigned "
        ignored = f", low {row.ignored} bits ignored" if row.ignored else ""
        shape = f"E{row.exponent}M{row.fraction}{ignored}"
        return f"{row.name} ({sign}{row.bits}-bit float, {shape})"
    sign = "signed or unsigned" if row.sign == "chosen" else row.sign
    return f"{row.name} ({sign} {row.bits}-bit integer)"
