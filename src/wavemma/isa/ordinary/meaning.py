"""What each field of an ordinary instruction says, in words."""

from collections.abc import Iterator

from wavemma.isa.encoding import Field
from wavemma.isa.meaning import FieldMeaning
from wavemma.isa.ordinary.catalog import OrdinaryTable, ordinary_table
from wavemma.isa.ordinary.decoded import DecodedOrdinary
from wavemma.isa.ordinary.encode import encode_ordinary
from wavemma.isa.ordinary.instruction import Slot
from wavemma.isa.ordinary.text import operand_text, setting_text

ROLE_WORDS = {
    "d": "the result",
    "d_mask": "the result of one bit a lane",
    "a": "the first source",
    "b": "the second source",
    "c": "the third source",
    "k": "the constant",
    "number": "the number",
    "base": "the address or resource",
    "resource": "the resource",
    "address": "the address",
    "scalar_address": "the scalar address",
    "scalar_offset": "the scalar offset",
    "data": "the data",
    "data_1": "the second data",
}
"""What operands do, in sentences."""


def explain_ordinary(
    decoded: DecodedOrdinary, data: bytes | None = None
) -> tuple[FieldMeaning, ...]:
    """Tell every field of an instruction, lowest bit first; together they cover every bit once.

    Args:
        decoded: The instruction.
        data: The bytes that it was decoded from, for the values of unused fields; if None, they
            are shown as assembled.

    """
    whole = encode_ordinary(decoded) if data is None else data[: decoded.size_bytes]
    bits = int.from_bytes(whole, "little")
    table = ordinary_table(decoded.instruction.architecture)
    found: list[FieldMeaning] = []
    place = 0
    for field, told in _fields(decoded, table):
        if field.lo > place:
            found.append(_gap(bits, place, field.lo - 1))
        value = field.read(bits)
        found.append(FieldMeaning(field.name, field.lo, field.hi, value, told))
        place = field.hi + 1
    end = 8 * decoded.size_bytes
    return (*found, *([_gap(bits, place, end - 1)] if place < end else []))


def _gap(bits: int, lo: int, hi: int) -> FieldMeaning:
    return FieldMeaning("", lo, hi, Field("", lo, hi, "").read(bits), "no field, ignored")


def _fields(decoded: DecodedOrdinary, table: OrdinaryTable) -> Iterator[tuple[Field, str]]:
    """Give every field with its meaning; of a dual instruction those of both halves."""
    halves = [decoded, *([decoded.second] if decoded.second else [])]
    told: dict[tuple[int, int], tuple[Field, str]] = {}
    for half in halves:
        for field in half.instruction.encoding.fields:
            if not any(lo <= field.lo <= hi for lo, hi in told):
                told[field.lo, field.hi] = (field, _meaning(half, field, table))
    if decoded.literal is not None:
        lo = 8 * decoded.instruction.size_bytes
        hi = lo + 8 * decoded.literal_bytes - 1
        literal = Field("LITERAL", lo, hi, "")
        told[lo, hi] = (literal, "constant that an operand reads")
    for key in sorted(told):
        yield told[key]


def _meaning(decoded: DecodedOrdinary, field: Field, table: OrdinaryTable) -> str:
    instruction = decoded.instruction
    if field.value is not None:
        return f"names the encoding, {instruction.row.encoding}"
    if field == instruction.encoding.opcode:
        return f"opcode of {instruction.row.name}"
    if instruction.extension and field == table.escapes[instruction.row.encoding]:
        return f"a further word follows: {instruction.extension.use}"
    told = [*_owners(decoded, field, table), *_bits(decoded, field), *_settings(decoded, field)]
    return "; ".join(told) or "not used by this instruction"


def _owners(decoded: DecodedOrdinary, field: Field, table: OrdinaryTable) -> Iterator[str]:
    for slot in decoded.instruction.slots:
        operand = decoded.operands.get(slot.row.role)
        if slot.field == field and operand is not None:
            text = operand_text(slot, operand, decoded, table) or str(operand.value)
            yield f"{_role(slot)}: {text}"


def _bits(decoded: DecodedOrdinary, field: Field) -> Iterator[str]:
    """Tell the bits of a field that belong to operands of other fields."""
    for slot in decoded.instruction.slots:
        operand = decoded.operands.get(slot.row.role)
        if operand is None:
            continue
        flags = (
            (slot.negate, operand.is_negated, "is negated", "is not negated"),
            (slot.absolute, operand.is_absolute, "is made positive", "keeps its sign"),
            (slot.half, operand.half == 1, "is in the high half", "is in the low half"),
        )
        for bit, is_set, on, off in flags:
            if bit is not None and field.lo <= bit <= field.hi:
                yield f"{_role(slot)} {on if is_set else off}"


def _settings(decoded: DecodedOrdinary, field: Field) -> Iterator[str]:
    table = ordinary_table(decoded.instruction.architecture)
    for each in decoded.instruction.settings:
        if any(bit is not None and field.lo <= bit <= field.hi for bit in each.bits):
            value = decoded.modifiers[each.word]
            text = setting_text(each, value, table) if value or each.row.always else ""
            yield text or f"no {each.word}"


def _role(slot: Slot) -> str:
    return ROLE_WORDS[slot.row.role]
