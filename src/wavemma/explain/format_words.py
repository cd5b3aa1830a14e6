"""A number format in a few words."""

from wavemma.tables.formats import format_row


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
