"""How instructions in bytes read."""

from wavemma.explain.encoding import Occurrence
from wavemma.isa.meaning import FieldMeaning
from wavemma.render.document import Block, Code, Table, Text
from wavemma.render.words import plural


def occurrence_blocks(each: Occurrence) -> list[Block]:
    """Write one instruction: text, bytes, what its modifiers say, and its fields if asked for."""
    blocks: list[Block] = [Code(f"{each.text}\n{_bytes(each)}", "asm")]
    told = [*each.said, *(f"Not legal: {fault}" for fault in each.faults)]
    if each.reason:
        told.append(f"No instruction that we know: {each.reason}")
    if told and not each.fields:
        blocks.append(Text(" ".join(_sentence(text) for text in told)))
    elif each.faults:
        blocks.append(Text(" ".join(f"Not legal: {_sentence(fault)}" for fault in each.faults)))
    if each.fields:
        blocks.append(field_table(each.fields))
    return blocks


def count_sentence(instructions: tuple[Occurrence, ...], size_bytes: int, other_bytes: int) -> str:
    """Count the instructions of some bytes."""
    matrix = sum(each.is_matrix for each in instructions)
    ordinary = sum(not each.is_matrix and not each.reason for each in instructions)
    more = f" and {plural(ordinary, 'other')}" if ordinary else ""
    return (
        f"{plural(matrix, 'matrix instruction')}{more} in {plural(size_bytes, 'byte')};"
        f" {plural(other_bytes, 'byte')} of other code."
    )


def field_table(fields: tuple[FieldMeaning, ...]) -> Table:
    """Write every field of a word, high bits first as manuals draw them."""
    return Table(
        ("bits", "field", "value", "meaning"),
        tuple((_bits(each), each.name or "-", _value(each), each.meaning) for each in fields[::-1]),
    )


def _bytes(each: Occurrence) -> str:
    place = f"{each.place or hex(each.offset)}: "
    return f"  {place}bytes {each.bytes}; words {' '.join(each.words)}"


def _bits(field: FieldMeaning) -> str:
    return str(field.lo) if field.hi == field.lo else f"{field.hi}:{field.lo}"


def _value(field: FieldMeaning) -> str:
    return str(field.value) if field.value < 2 else hex(field.value)


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
