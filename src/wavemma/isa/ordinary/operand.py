"""What an operand names, read from the bits of an instruction."""

from wavemma.isa.operand import KIND_OF
from wavemma.isa.ordinary.decoded import OrdinaryOperand
from wavemma.isa.ordinary.instruction import Slot
from wavemma.isa.source import REGISTER_CODES, Sources
from wavemma.tables.instructions import SourceCodeRow
from wavemma.tables.targets import Wave

LITERAL_CODE = 255
"""The source code that says that a literal follows."""
_HALF = 0x80
"""The bit of a register number that says which half, where the number has it."""


def operand(slot: Slot, bits: int, table: Sources, wave: Wave) -> OrdinaryOperand:
    """Read one operand.

    Args:
        slot: The operand.
        bits: The whole instruction.
        table: What source codes name.
        wave: Lanes of the wave.

    Raises:
        LookupError: Its field holds a code that means nothing there; says why.

    """
    row = slot.row
    if row.kind in ("fixed", "literal") or slot.field is None:
        kind = "literal" if row.kind == "literal" else "fixed"
        return OrdinaryOperand(kind, 0)
    code = slot.field.read(bits)
    if row.kind == "number":
        return OrdinaryOperand("number", code, value=code)
    count = count_of(slot, bits, wave)
    if not count:
        return OrdinaryOperand("off", code, 0)
    found = _vector(slot, code, bits, count) if row.kind == "vgpr" else None
    found = found or _source(slot, code * row.step, count, table)
    half, first, register = _half(slot, found, bits)
    return OrdinaryOperand(
        found.kind,
        register,
        found.count,
        first,
        0,
        half,
        _is_set(slot.negate, bits),
        _is_set(slot.absolute, bits),
    )


def count_of(slot: Slot, bits: int, wave: Wave) -> int:
    """Count the registers of an operand; 0 if it names none."""
    row = slot.row
    count = row.registers
    if row.counted:
        count = sum(bits >> bit & 1 for bit in slot.counted)
    if row.lanes and wave == 64:
        count = 2
    if slot.extra is not None:
        count += bits >> slot.extra & 1
    if slot.wide_if_null is not None and slot.wide_if_null.read(bits) == NULL_CODE:
        count = 2
    return count


NULL_CODE = 124
"""The source code of the null register."""


def _vector(slot: Slot, code: int, bits: int, count: int) -> OrdinaryOperand:
    if slot.low_bit_not is not None:
        code = code << 1 | 1 - (bits >> slot.low_bit_not & 1)
    return OrdinaryOperand("vgpr", code + REGISTER_CODES, count, code)


def _source(slot: Slot, code: int, count: int, table: Sources) -> OrdinaryOperand:
    classes = slot.row.classes
    if slot.row.off_if_null and code == NULL_CODE:
        return OrdinaryOperand("off", code, 0)
    if code == LITERAL_CODE and "literal" in classes:
        return OrdinaryOperand("literal", code)
    for row in table.by_code[code]:
        if KIND_OF[row.kind] in classes:
            return _named(row, code, count)
    raise LookupError(f"code {code} names nothing that may stand there")


def _named(row: SourceCodeRow, code: int, count: int) -> OrdinaryOperand:
    first = row.first + (code - row.code) * row.step
    if row.kind in ("inline_integer", "inline_float"):
        return OrdinaryOperand(row.kind, code, 1, first)
    if row.count:
        if first + count > row.count:
            raise LookupError(f"{count} registers from {row.text}{first} on are too many")
    elif count > 2 or (count == 2 and not row.pair):
        raise LookupError(f"{row.text} has no {32 * count} bits")
    return OrdinaryOperand(
        "vgpr" if row.kind == "vgpr" else _scalar(row), code, count, first
    )
