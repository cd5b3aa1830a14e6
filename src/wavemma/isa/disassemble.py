"""Bytes to text: an instruction, or all of a stretch of bytes."""

from wavemma.isa.decode import Undecoded, decode, read
from wavemma.isa.decoded import Decoded
from wavemma.isa.syntax import print_value


def disassemble(data: bytes, target_name: str, wave: int | None = None) -> str:
    """Write the instruction at the start of some bytes; arguments and errors as for `decode`."""
    return text_of(decode(data, target_name, wave))


def text_of(decoded: Decoded) -> str:
    """Write an instruction as LLVM's disassembler does; default modifiers are left out."""
    instruction = decoded.instruction
    operands = [decoded.operands[field.field.name].text for field in instruction.operands]
    modifiers = [
        print_value(each, decoded.modifiers[each.word])
        for each in instruction.modifiers(decoded.wave)
        if each.row.always or decoded.modifiers[each.word] != each.default
    ]
    return " ".join([instruction.name, ", ".join(operands), *modifiers])


def sweep(
    data: bytes, target_name: str, wave: int | None = None
) -> tuple[tuple[int, Decoded | Undecoded], ...]:
    """Decode bytes one instruction after the other, up to the end.

    Where none is found the search goes on behind the word, or behind the encoding's size if the
    encoding is known.

    Returns:
        Offset in bytes, and the instruction or the reason why there is none.

    Raises:
        UnknownTarget: Offers the nearest names.
        OutOfRange: The target has no such waves.

    """
    found = []
    place = 0
    while place < len(data):
        each = read(data[place : place + 16], target_name, wave)
        found.append((place, each))
        place += each.size_bytes
    return tuple(found)
