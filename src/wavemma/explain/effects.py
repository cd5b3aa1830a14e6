"""What modifiers do, in words, by the effect words of modifier rows."""

EFFECTS: dict[str, str] = {
    "signed_a": "the elements of A are signed; otherwise they are unsigned",
    "signed_b": "the elements of B are signed; otherwise they are unsigned",
    "saturate": "a result that overflows becomes the highest or lowest value of D; otherwise it"
    " wraps",
    "high_half": "C is read from and D written to the high 16 bits of each register; otherwise the"
    " low 16 bits; the other half of D keeps what it holds",
    "negate_a": "negate A",
    "negate_b": "negate B",
    "negate_c": "negate C",
    "absolute_c": "use the absolute value of C",
    "hint": "a hint that {letter} is what it was in the matrix instruction before",
    "format_a": "format of A",
    "format_b": "format of B",
    "scale_byte_a": "byte of the register that holds the scales of A",
    "scale_byte_b": "byte of the register that holds the scales of B",
    "scale_row_a": "half of the lanes that holds the scales of A",
    "scale_row_b": "half of the lanes that holds the scales of B",
    "scale_format_a": "format of the scales of A",
    "scale_format_b": "format of the scales of B",
}
