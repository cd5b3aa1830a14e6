"""What source codes name: registers, special registers and constants, as code and as text."""

import re
from functools import cache

import msgspec

from wavemma.errors import SyntaxMistake
from wavemma.isa.operand import KIND_OF, Operand, OperandField
from wavemma.tables.instructions import OperandKind, SourceCodeRow, architecture_rows

REGISTER_CODES = 256
"""A code of this or more is a vector register; fields too narrow for it always hold one."""
KIND_WORDS: dict[OperandKind, str] = {
    "vgpr": "VGPRs",
    "agpr": "AGPRs",
    "sgpr": "SGPRs",
    "special_sgpr": "a special scalar register",
    "inline_constant": "an inline constant",
}
"""The kinds of operand in sentences."""
LONGEST = 80
"""Characters that an operand may have."""
_RANGE = re.compile(r"([a-z]+)(?:(\d{1,6})|\[\s*(\d{1,6})\s*(?::\s*(\d{1,6})\s*)?\])\Z", re.ASCII)
# A leading 0 means base 8 to some assemblers, so it is not taken at all.
_NUMBER = re.compile(r"-?(?:0x[0-9a-f]{1,16}|0|[1-9]\d{0,20})\Z", re.ASCII)


class Sources(msgspec.Struct, frozen=True):
    """The source codes of one architecture.

    Attributes:
        by_code: The rows that cover each code of 9 bits.
        files: The rows of register files, by the text before the number.
        words: Special registers by text: row and registers read (2 for a pair).
        floats: The constants that are written with a point.
        integers: Codes of the constants that are whole numbers, by value.

    """

    by_code: tuple[tuple[SourceCodeRow, ...], ...]
    files: dict[str, SourceCodeRow]
    words: dict[str, tuple[SourceCodeRow, int]]
    floats: tuple[SourceCodeRow, ...]
    integers: dict[int, int]


@cache
def sources(architecture: str) -> Sources:
    """Index the source codes of an architecture."""
    return index(architecture_rows(architecture).source_codes)


def index(rows: tuple[SourceCodeRow, ...]) -> Sources:
    """Index source codes."""
    by_code: list[list[SourceCodeRow]] = [[] for _ in range(2 * REGISTER_CODES)]
    for row in rows:
        for code in range(row.code, row.code + max(row.count, 1)):
            by_code[code].append(row)
    named = [row for row in rows if row.kind == "special_sgpr" and not row.count]
    return Sources(
        tuple(map(tuple, by_code)),
        {row.text: row for row in rows if row.text and row.count},
        {row.text: (row, 1) for row in named if row.text != row.pair}
        | {row.pair: (row, 1 if row.pair == row.text else 2) for row in named if row.pair},
        tuple(row for row in rows if row.kind == "inline_float"),
        {
            row.first + n * row.step: row.code + n
            for row in rows
            if row.kind == "inline_integer"
            for n in range(row.count)
        },
    )


def named_by(
    field: OperandField, code: int, is_agpr: bool, count: int, wave: int, table: Sources
) -> Operand:
    """Say what a code in an operand field names.

    Args:
        field: The operand field.
        code: The number that stands in it.
        is_agpr: Whether the accumulator bit of the field is set.
        count: Registers that the instruction reads or writes there.
        wave: Lanes of the wave.
        table: The source codes of the architecture.

    Raises:
        LookupError: The code means nothing in this field; the argument says why.

    """
    if 1 << field.field.width_bits <= REGISTER_CODES:
        code += REGISTER_CODES
    rows = table.by_code[code]
    if not rows:
        raise LookupError(f"source code {code} names nothing")
    taken = [row for row in rows if KIND_OF[row.kind] in field.kinds]
    if not taken:
        raise LookupError(
            f"source code {code} is {KIND_WORDS[KIND_OF[rows[0].kind]]}, which it cannot be"
        )
    both = len(taken) > 1 and field.accumulator is not None
    row = next((row for row in taken if both and (row.kind == "agpr") == is_agpr), taken[0])
    text = text_of(row, code, count, field.inv_2pi_in(wave))
    if not text:
        raise LookupError(f"source code {code}, {row.text}, has no {32 * count} bits")
    return Operand(row.kind, code, _count(row, text, count), text, _first(row, code))


def text_of(row: SourceCodeRow, code: int, count: int, inv_2pi: str = "") -> str:
    """Write a code as the assembler does; "" if it cannot be read as that many registers.

    Args:
        row: One that covers the code.
        code: The source code.
        count: Registers that are read.
        inv_2pi: The text of 1/(2*pi), if not as the row has it.

    """
    first = _first(row, code)
    if row.kind == "inline_integer":
        return str(first)
    if row.kind == "inline_float":
        return inv_2pi if row.inv_2pi and inv_2pi else row.text
    if not row.count:
        return row.text if count == 1 else row.pair
    return f"{row.text}{first}" if count == 1 else f"{row.text}[{first}:{first + count - 1}]"


def parse_source(text: str, field: OperandField, wave: int, table: Sources) -> Operand:
    """Read a register, a range of registers, a special register or a constant.

    Args:
        text: In lower case, without spaces around.
        field: The operand field that it stands for; what it may name is not looked at.
        wave: Lanes of the wave.
        table: The source codes of the architecture.

    Raises:
        SyntaxMistake: It is none of them.

    """
    if len(text) > LONGEST:
        raise SyntaxMistake(
            f"An operand must have {LONGEST} characters at most; {text[:20]}... has {len(text)}.",
            subject=text[:LONGEST],
        )
    if text in table.words:
        row, count = table.words[text]
        return Operand(row.kind, row.code, count, text)
    match = _RANGE.match(text)
    if match and match[1] in table.files:
        return _range(text, match, table.files[match[1]])
    if match and len(match[1]) == 1:
        raise SyntaxMistake(
            f"A matrix instruction here can name the registers {', '.join(table.files)};"
            f" {text} was given.",
            subject=text,
        )
    return _constant(text, field.inv_2pi_in(wave), table)


def _range(text: str, match: re.Match[str], row: SourceCodeRow) -> Operand:
    first = int(match[2] or match[3])
    last = int(match[4]) if match[4] else first
    if last < first:
        raise SyntaxMistake(
            f"A range must not end before it starts; {text} was given.", subject=text
        )
    if first >= row.count:
        raise SyntaxMistake(
            f"A range of {KIND_WORDS[KIND_OF[row.kind]]} must start at {row.text}{row.count - 1} at"
            f" most; {text} was given.",
            subject=text,
        )
    count = last - first + 1
    place = f"{first}" if count == 1 else f"[{first}:{last}]"
    return Operand(row.kind, row.code + first, count, f"{row.text}{place}", first)


def _constant(text: str, inv_2pi: str, table: Sources) -> Operand:
    if _NUMBER.match(text):
        value = int(text, 0)
        if value in table.integers:
            return Operand("inline_integer", table.integers[value], 1, str(value), value)
        raise SyntaxMistake(
            f"A constant must fit into the instruction word: a whole number of"
            f" {min(table.integers)}..{max(table.integers)} or one of"
            f" {', '.join(row.text for row in table.floats)}."
            f" {text} would be a literal, which no matrix instruction takes.",
            subject=text,
        )
    row = _float(text, table)
    if row is not None:
        return Operand(row.kind, row.code, 1, text_of(row, row.code, 1, inv_2pi))
    raise SyntaxMistake(
        f"An operand must be a register, a range such as v[0:7], or an inline constant; {text!r}"
        f" was given.",
        subject=text,
        allowed=table.words,
    )


def _float(text: str, table: Sources) -> SourceCodeRow | None:
    """Find the constant that a number with a point is; 1/(2*pi) may have any count of digits."""
    try:
        value = float(text)
    except ValueError:
        return None
    for row in table.floats:
        digits = len(row.text.partition(".")[2])
        if value == float(row.text) or (row.inv_2pi and round(value, digits) == float(row.text)):
            return row
    return None


def _count(row: SourceCodeRow, text: str, count: int) -> int:
    """Count the registers that a text names: of special ones two if it is the pair's."""
    if KIND_OF[row.kind] == "inline_constant":
        return 1
    if row.count:
        return count
    return 1 if text == row.text else 2


def _first(row: SourceCodeRow, code: int) -> int:
    """Give the number of a register in its file, or the value of a whole number."""
    return row.first + (code - row.code) * row.step
