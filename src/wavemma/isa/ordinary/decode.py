"""Bytes to ordinary instructions; what is none gives a named reason."""

import msgspec

from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary.catalog import Group, OrdinaryTable, ordinary_table
from wavemma.isa.ordinary.decoded import DecodedOrdinary, OrdinaryOperand, literal_words
from wavemma.isa.ordinary.instruction import OrdinaryInstruction
from wavemma.isa.ordinary.operand import operand
from wavemma.tables.ordinary import OrdinaryRow
from wavemma.tables.targets import Wave

WORD_BYTES = 4
LONGEST = 16
"""Bytes that an instruction may have, its literal included."""


class _Reserved(Exception):
    """An operand or form that the encoding has no meaning for; the argument says why."""


def read_ordinary(data: bytes, architecture: str, wave: Wave) -> DecodedOrdinary | Undecoded:
    """Decode the ordinary instruction at the start of some bytes; never raises.

    Fields that the instruction doesn't use are ignored.

    Args:
        data: Little-endian words; what follows the instruction is ignored.
        architecture: Key of an architecture that has rows for ordinary instructions.
        wave: Lanes of the wave.

    """
    return read_in(data, ordinary_table(architecture), wave)


def read_in(data: bytes, table: OrdinaryTable, wave: Wave) -> DecodedOrdinary | Undecoded:
    """Decode as `read_ordinary` does, by a table of one's own."""
    if len(data) < WORD_BYTES:
        text = f"A word has {WORD_BYTES} bytes, there are {len(data)}."
        return Undecoded("truncated", text, len(data))
    bits = int.from_bytes(data[:LONGEST], "little")
    for group in table.groups:
        if bits & group.mask == group.identity:
            return _in_group(bits, min(len(data), LONGEST), group, table, wave)
    text = f"0x{bits & 0xFFFFFFFF:08x} starts none of the encodings of {table.rows.name}."
    return Undecoded("unknown encoding", text, WORD_BYTES)


def _in_group(
    bits: int, size: int, group: Group, table: OrdinaryTable, wave: Wave
) -> DecodedOrdinary | Undecoded:
    row = group.rows.get(group.opcode.read(bits))
    if row is None:
        text = f"{group.name} has no instruction with opcode 0x{group.opcode.read(bits):x}."
        return Undecoded("unknown opcode", text, min(group.size_bytes, size))
    try:
        return _whole(bits, size, row, table, wave)
    except _Reserved as why:
        text = f"{row.name} in {row.encoding} has a reserved value: {why}."
        return Undecoded("reserved value", text, min(group.size_bytes, size))
    except EOFError as why:
        return Undecoded("truncated", str(why), WORD_BYTES)


def _whole(
    bits: int, size: int, row: OrdinaryRow, table: OrdinaryTable, wave: Wave
) -> DecodedOrdinary:
    instruction = table.form(row, _extension(bits, row, table))
    other = _second(bits, row, table)
    if size < instruction.size_bytes:
        raise EOFError(f"{row.name} has {instruction.size_bytes} bytes, there are {size}.")
    found = _half(bits, instruction, table, wave)
    second = _half(bits, other, table, wave) if other else None
    literal = _literal(bits, size, found, second)
    if literal is not None or second is not None:
        second = _with_literal(second, literal) if second else None
        found = msgspec.structs.replace(_with_literal(found, literal), second=second)
    return found


def _with_literal(found: DecodedOrdinary, literal: int | None) -> DecodedOrdinary:
    """Put a literal into the operands that read it."""
    if literal is None:
        return found
    operands = {
        name: msgspec.structs.replace(each, value=literal) if each.kind == "literal" else each
        for name, each in found.operands.items()
    }
    return msgspec.structs.replace(found, operands=operands, literal=literal)


def _literal(
    bits: int, size: int, found: DecodedOrdinary, second: DecodedOrdinary | None
) -> int | None:
    """Read the literal behind an instruction, None if no operand reads one."""
    more = second.operands.values() if second else ()
    operands = [each for each in (*found.operands.values(), *more) if each.kind == "literal"]
    if not operands:
        return None
    words = literal_words(operands)
    if any(each.count != words for each in operands):
        raise _Reserved("it reads literals of two sizes")
    start = found.instruction.size_bytes
    if size < start + WORD_BYTES * words:
        name = found.instruction.row.name
        raise EOFError(f"{name} has a literal behind it, which is cut off.")
    return bits >> 8 * start & (1 << 8 * WORD_BYTES * words) - 1


def _extension(bits: int, row: OrdinaryRow, table: OrdinaryTable) -> str:
    """Name the further word that the escape field asks for; "" if it asks for none."""
    escape = table.escapes[row.encoding]
    if escape is None or escape.read(bits) not in table.extension_codes:
        return ""
    if all(slot.field != escape for slot in table.form(row, "").slots):
        return ""
    names = table.extension_codes[escape.read(bits)]
    name = next((each for each in names if each in row.extensions), "")
    if not name:
        raise _Reserved(f"no {names[0]} word may follow")
    return name


def _second(bits: int, row: OrdinaryRow, table: OrdinaryTable) -> OrdinaryInstruction | None:
    """Find the other half of a dual instruction."""
    group = table.seconds.get(row.encoding)
    if group is None:
        return None
    other = group.rows.get(group.opcode.read(bits))
    if other is None:
        raise _Reserved(f"the second half has no opcode 0x{group.opcode.read(bits):x}")
    return table.form(other, "")


def _half(
    bits: int, instruction: OrdinaryInstruction, table: OrdinaryTable, wave: Wave
) -> DecodedOrdinary:
    operands: dict[str, OrdinaryOperand] = {}
    for slot in instruction.slots:
        if slot.when is not None and not bits >> slot.when & 1:
            continue
        try:
            operands[slot.row.role] = operand(slot, bits, table.codes, wave)
        except LookupError as why:
            raise _Reserved(f"{slot.row.field}, {why}") from None
    modifiers = {each.word: each.read(bits) for each in instruction.settings}
    for each in instruction.settings:
        if each.row.kind == "choice" and modifiers[each.word] not in table.choices[each.row.name]:
            raise _Reserved(f"{each.word} cannot be 0x{modifiers[each.word]:x}")
    return DecodedOrdinary(instruction, wave, operands, modifiers)
