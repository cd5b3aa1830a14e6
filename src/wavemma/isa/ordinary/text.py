"""Ordinary instructions as text, as LLVM's disassembler writes it."""

from wavemma.isa.encoding import Field
from wavemma.isa.modifier import bits_text
from wavemma.isa.ordinary.catalog import InlineConstants, OrdinaryTable, ordinary_table
from wavemma.isa.ordinary.decoded import DecodedOrdinary, OrdinaryOperand
from wavemma.isa.ordinary.instruction import Setting, Slot
from wavemma.isa.ordinary.numbers import number_text
from wavemma.isa.source import text_of

HALVES = {None: "", 0: ".l", 1: ".h"}
OFFSET = "offset"
IF_ANY = "if_any"
"""The style of operands that are not written at all if there is nothing."""
SIGNED = "signed_hex"
TABLE_MOST = 10
"""Tables of bits up to this are written in decimal, larger ones in hexadecimal."""
NUMBERS = ("inline_integer", "inline_float", "literal")
LITERAL = "lit("
_LOW = 0xFFFF
_WORD_BITS, _WORD_MASK = 32, 0xFFFFFFFF
_LANE = 3


def ordinary_text(decoded: DecodedOrdinary) -> str:
    """Write an instruction; default modifiers are left out."""
    instruction = decoded.instruction
    table = ordinary_table(instruction.architecture)
    operands = [
        operand_text(slot, decoded.operands[slot.row.role], decoded, table)
        for slot in instruction.slots
        if slot.row.role in decoded.operands
    ]
    modifiers = [
        setting_text(each, decoded.modifiers[each.word], table)
        for each in instruction.settings
        if _is_written(each, decoded, table)
    ]
    words = [instruction.name, ", ".join(each for each in operands if each), *modifiers]
    first = " ".join(word for word in words if word)
    return f"{first} :: {ordinary_text(decoded.second)}" if decoded.second else first


def operand_text(
    slot: Slot, operand: OrdinaryOperand, decoded: DecodedOrdinary, table: OrdinaryTable
) -> str:
    """Write one operand."""
    if slot.row.kind == "number":
        return _number(slot, operand, decoded)
    if operand.kind == "off":
        return "" if slot.row.style == IF_ANY else "off"
    text = _bare(slot, operand, decoded, table)
    text += "" if slot.row.unwritten_half else HALVES[operand.half]
    text = f"sext({text})" if operand.is_sign_extended else text
    text = f"|{text}|" if operand.is_absolute else text
    return _negated(text, operand) if operand.is_negated else text


def _negated(text: str, operand: OrdinaryOperand) -> str:
    """Put a sign in front; of numbers in words, for a second sign would be read as theirs."""
    is_number = operand.kind in NUMBERS and not text.startswith(LITERAL)
    return f"neg({text})" if is_number and not operand.is_absolute else f"-{text}"


def _bare(
    slot: Slot, operand: OrdinaryOperand, decoded: DecodedOrdinary, table: OrdinaryTable
) -> str:
    row = slot.row
    offset = decoded.modifiers.get(OFFSET, 0)
    if row.offset_if_null and operand.code == table.codes.null:
        settings = decoded.instruction.settings
        each = next((s for s in settings if s.word == OFFSET), None)
        if each is not None and (offset or each.row.always):
            return signed_hex(offset, len(each.bits))
    if operand.kind == "literal":
        ways = _LITERALS if operand.count == 1 else _LONG_LITERALS
        return ways[row.style or "word"](operand.value, table.inline)
    number_row = next(
        each for each in table.codes.sources.by_code[operand.code] if each.kind == operand.kind
    )
    if operand.kind == "inline_float" and row.as_halves:
        return f"0x{table.inline.codes[operand.code]:x}"
    return text_of(number_row, operand.code, operand.count, row.inv_2pi_text)


def _word(value: int, inline: InlineConstants) -> str:
    return f"lit(0x{value:x})" if value in inline.words else f"0x{value:x}"


def _half(value: int, inline: InlineConstants) -> str:
    low = value & _LOW
    return f"lit(0x{value:x})" if low in inline.halves else f"0x{low:x}"


def _integer_half(value: int, inline: InlineConstants) -> str:
    return f"lit(0x{value:x})" if value in inline.words else f"0x{value & _LOW:x}"


def _packed(value: int, inline: InlineConstants) -> str:
    return f"lit(0x{value:x})" if value in inline.packed else f"0x{value:x}"


def _pair(value: int, inline: InlineConstants) -> str:
    return f"lit(0x{value:x})" if value in inline.pairs else f"0x{value:x}"


def _high(value: int, inline: InlineConstants) -> str:
    """Write the high half of a float of 64 bits."""
    return inline.long.get(value << _WORD_BITS, f"0x{value:x}")


def _long_pair(value: int, inline: InlineConstants) -> str:
    if not value >> _WORD_BITS:
        return f"lit64(0x{value:x})"
    return inline.long.get(value, f"0x{value:x}")


def _long_float(value: int, inline: InlineConstants) -> str:
    if not value >> _WORD_BITS:
        return f"lit64(0x{value:x})"
    return inline.long.get(value) or _long_number(value, inline)


def _long_number(value: int, inline: InlineConstants) -> str:
    if not value >> _WORD_BITS:
        return f"lit64(0x{value:x})"
    return f"0x{value:x}" if value & _WORD_MASK else f"0x{value >> _WORD_BITS:x}"


def _value(value: int, inline: InlineConstants) -> str:
    return inline.words.get(value, f"0x{value:x}")


# A literal that an inline constant could stand for is marked: else it would be assembled to that.
_LITERALS = {
    "word": _word,
    "half": _half,
    "integer_half": _integer_half,
    "packed": _packed,
    "pair": _pair,
    "plain": lambda value, inline: f"0x{value:x}",
    "high": _high,
    "value": _value,
}
_LONG_LITERALS = {"pair": _long_pair, "high": _long_float, "number": _long_number}


def _number(slot: Slot, operand: OrdinaryOperand, decoded: DecodedOrdinary) -> str:
    if slot.row.style == SIGNED and slot.field is not None:
        return signed_hex(operand.value, slot.field.width_bits)
    return number_text(slot.row.style, operand.value, decoded.instruction.architecture)


def _is_written(each: Setting, decoded: DecodedOrdinary, table: OrdinaryTable) -> bool:
    if each.unless_null is not None and _is_null(each.unless_null, decoded, table):
        return False
    return each.row.always or decoded.modifiers[each.word] != each.default


def _is_null(field: Field, decoded: DecodedOrdinary, table: OrdinaryTable) -> bool:
    """Whether the operand of a field is the null register."""
    roles = [slot.row.role for slot in decoded.instruction.slots if slot.field == field]
    return any(decoded.operands[role].code == table.codes.null for role in roles)


def setting_text(each: Setting, value: int, table: OrdinaryTable) -> str:
    """Write one modifier."""
    kind, word, width = each.row.kind, each.word, len(each.bits)
    if kind == "flag":
        return word
    if kind == "choice":
        return table.choices[each.row.name][value]
    if kind == "lanes":
        lanes = (str(value >> place & (1 << _LANE) - 1) for place in range(0, width, _LANE))
        return f"{word}:[{','.join(lanes)}]"
    return f"{word}:{_VALUES[kind](value, width)}"


def signed(value: int, width: int) -> int:
    """Read the lowest bits of a number as two's complement."""
    return value - (value >> width - 1 << width) if width else value


def signed_hex(value: int, width: int) -> str:
    """Write two's complement in hexadecimal with a sign in front."""
    number = signed(value, width)
    return f"-0x{-number:x}" if number < 0 else f"0x{number:x}"


_VALUES = {
    "int": lambda value, width: str(value),
    "hex": lambda value, width: f"0x{value:x}",
    "table": lambda value, width: str(value) if value <= TABLE_MOST else f"0x{value:x}",
    "mask": bits_text,
    "signed": lambda value, width: str(signed(value, width)),
    "signed_hex": signed_hex,
}
