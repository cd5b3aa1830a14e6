"""What an operand names, read from the bits of an instruction."""

import msgspec

from wavemma.isa.operand import KIND_OF
from wavemma.isa.ordinary.decoded import Kind, OrdinaryOperand
from wavemma.isa.ordinary.instruction import Slot
from wavemma.isa.source import REGISTER_CODES, Sources
from wavemma.tables.instructions import SourceCodeRow
from wavemma.tables.targets import Wave


class Codes(msgspec.Struct, frozen=True):
    """What source codes name: registers and constants, the null register, and literals.

    `literal_64` is None where no literal has 64 bits.
    """

    sources: Sources
    null: int
    literal: int
    literal_64: int | None = None


ALIGNMENT = {1: 1, 2: 2}
"""Scalar registers: of what the first of so many must be a multiple."""
LARGEST_ALIGNMENT = 4
NULL = "null"
"""The register that swallows results of any size, where there is one."""
HALF_IN_NUMBER = 0x80
"""The bit of a register number that says which half, where the number has it."""


def operand(slot: Slot, bits: int, codes: Codes, wave: Wave) -> OrdinaryOperand:
    """Read one operand.

    Args:
        slot: The operand.
        bits: The whole instruction.
        codes: What source codes name.
        wave: Lanes of the wave.

    Raises:
        LookupError: Its field holds a code that means nothing there; says why.

    """
    row = slot.row
    if row.kind == "literal":
        return OrdinaryOperand("literal", codes.literal, row.registers)
    code = slot.field.read(bits) if slot.field else row.code
    if row.kind == "number":
        return OrdinaryOperand("number", code, value=code)
    count = count_of(slot, bits, wave, codes.null)
    if not count:
        return OrdinaryOperand("off", code, 0)
    if row.kind in ("vgpr", "agpr"):
        found = _vector(slot, code, bits, count)
    else:
        found = _source(slot, _chosen(slot, code, bits) * row.step, count, codes)
    return msgspec.structs.replace(
        _halved(slot, found, bits) if row.half and found.kind == "vgpr" else found,
        is_negated=_is_set(slot.negate, bits),
        is_absolute=_is_set(slot.absolute, bits),
        is_sign_extended=_is_set(slot.sign_extended, bits),
    )


def _chosen(slot: Slot, code: int, bits: int) -> int:
    """Give the source code that a field and the bits beside it name."""
    if slot.fixed_unless is not None and not _is_set(slot.fixed_unless, bits):
        return slot.row.code
    if slot.scalar is not None and not _is_set(slot.scalar, bits):
        return code + REGISTER_CODES
    return code


def count_of(slot: Slot, bits: int, wave: Wave, null: int) -> int:
    """Count the registers of an operand; 0 if it names none."""
    row = slot.row
    count = row.registers_wave64 if wave == 64 and row.registers_wave64 else row.registers
    if row.counted:
        count = sum(bits >> bit & 1 for bit in slot.counted)
    if row.lanes and wave == 64:
        count = 2
    if slot.extra is not None:
        count += bits >> slot.extra & 1
    if slot.wide_if_null is not None and slot.wide_if_null.read(bits) == null:
        count = 2
    return count


def _vector(slot: Slot, code: int, bits: int, count: int) -> OrdinaryOperand:
    if slot.low_bit_not is not None:
        code = code << 1 | 1 - (bits >> slot.low_bit_not & 1)
    if code + count > REGISTER_CODES:
        raise LookupError(f"{count} registers from {code} on are too many")
    is_accumulator = slot.row.kind == "agpr" or _is_set(slot.accumulator, bits)
    kind: Kind = "agpr" if is_accumulator else "vgpr"
    return OrdinaryOperand(kind, code + REGISTER_CODES, count, code)


def _source(slot: Slot, code: int, count: int, codes: Codes) -> OrdinaryOperand:
    classes = slot.row.classes
    if slot.row.off_if_null and code == codes.null:
        return OrdinaryOperand("off", code, 0)
    if code == codes.literal and "literal" in classes:
        return OrdinaryOperand("literal", code)
    if code == codes.literal_64 and "literal_64" in classes:
        return OrdinaryOperand("literal", code, 2)
    for row in codes.sources.by_code[code]:
        if KIND_OF[row.kind] in classes:
            return _named(row, code, count, code == codes.null and row.text == NULL)
    raise LookupError(f"code {code} names nothing that may stand there")


def _named(row: SourceCodeRow, code: int, count: int, is_null: bool) -> OrdinaryOperand:
    first = row.first + (code - row.code) * row.step
    if row.kind in ("inline_integer", "inline_float"):
        return OrdinaryOperand(row.kind, code, 1, first)
    if row.count:
        # Of ranges of scalar registers the hardware reads no lower bits than their alignment.
        is_vector = row.kind in ("vgpr", "agpr")
        skew = 0 if is_vector else first % ALIGNMENT.get(count, LARGEST_ALIGNMENT)
        first, code = first - skew, code - skew
        if first + count > row.count:
            raise LookupError(f"{count} registers from {row.text}{first} on are too many")
    elif not row.pair if count == 2 else count > 2 and not is_null:
        raise LookupError(f"{row.text} has no {32 * count} bits")
    return OrdinaryOperand(row.kind, code, count, first)


def _halved(slot: Slot, found: OrdinaryOperand, bits: int) -> OrdinaryOperand:
    """Say which half of a register is meant: by a bit of its own, or the number's highest bit."""
    if slot.half is not None:
        return msgspec.structs.replace(found, half=bits >> slot.half & 1)
    return msgspec.structs.replace(
        found,
        code=found.code & ~HALF_IN_NUMBER,
        first=found.first & ~HALF_IN_NUMBER,
        half=int(found.first & HALF_IN_NUMBER > 0),
    )


def _is_set(bit: int | None, bits: int) -> bool:
    return bit is not None and bits >> bit & 1 == 1
