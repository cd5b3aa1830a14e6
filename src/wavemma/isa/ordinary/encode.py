"""Ordinary instructions to bytes, from the same fields that decoding reads."""

from wavemma.isa.ordinary.catalog import OrdinaryTable, ordinary_table
from wavemma.isa.ordinary.decoded import DecodedOrdinary, OrdinaryOperand
from wavemma.isa.ordinary.instruction import Slot
from wavemma.isa.ordinary.operand import HALF_IN_NUMBER
from wavemma.isa.source import REGISTER_CODES


def encode_ordinary(decoded: DecodedOrdinary) -> bytes:
    """Give the bytes of an instruction; fields that it doesn't use are as the assembler's.

    Returns:
        4 to 16 bytes, little-endian words, the literal included.

    """
    table = ordinary_table(decoded.instruction.architecture)
    bits = _half(decoded, table)
    if decoded.second is not None:
        bits |= _half(decoded.second, table)
    data = bits.to_bytes(decoded.instruction.size_bytes, "little")
    return data + (decoded.literal or 0).to_bytes(decoded.literal_bytes, "little")


def _half(decoded: DecodedOrdinary, table: OrdinaryTable) -> int:
    instruction = decoded.instruction
    bits = instruction.base
    if instruction.extension is not None:
        escape = table.escapes[instruction.row.encoding]
        bits |= escape.put(instruction.extension.code) if escape else 0
    for each in instruction.settings:
        bits |= each.put(decoded.modifiers[each.word])
    for slot in instruction.slots:
        if slot.row.role in decoded.operands:
            bits |= _operand(slot, decoded.operands[slot.row.role], table)
    return bits


def _operand(slot: Slot, operand: OrdinaryOperand, table: OrdinaryTable) -> int:
    bits = slot.field.put(_code(slot, operand, table)) if slot.field else 0
    flags = (
        (slot.negate, operand.is_negated),
        (slot.absolute, operand.is_absolute),
        (slot.half, operand.half == 1),
        (slot.when, True),
        (_only(slot.counted), operand.kind != "off"),
        (slot.sign_extended, operand.is_sign_extended),
        (slot.accumulator, operand.kind == "agpr"),
        (slot.scalar, operand.kind != "vgpr"),
        (slot.fixed_unless, operand.code != slot.row.code),
    )
    return bits | sum(1 << bit for bit, is_set in flags if bit is not None and is_set)


def _only(bits: tuple[int, ...]) -> int | None:
    """Give the one bit that no modifier holds: that of an operand that may be left out."""
    return bits[0] if len(bits) == 1 else None


def _code(slot: Slot, operand: OrdinaryOperand, table: OrdinaryTable) -> int:
    """Give what stands in the field."""
    if operand.kind == "number":
        return operand.value
    if operand.kind == "off":
        return table.codes.null if slot.row.off_if_null else 0
    code = operand.code
    if slot.row.half == "code" and operand.half == 1:
        code |= HALF_IN_NUMBER
    if slot.fixed_unless is not None and code == slot.row.code:
        return 0
    if slot.row.kind in ("vgpr", "agpr") or (slot.row.scalar and operand.kind == "vgpr"):
        code -= REGISTER_CODES
    return code >> 1 if slot.low_bit_not is not None else code // slot.row.step
