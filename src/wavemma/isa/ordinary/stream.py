"""Every instruction of a target, matrix or ordinary: bytes to records, text and back."""

from wavemma.isa.decode import Undecoded, read
from wavemma.isa.decoded import Decoded
from wavemma.isa.disassemble import text_of
from wavemma.isa.encode import encode
from wavemma.isa.meaning import FieldMeaning, explain
from wavemma.isa.ordinary.decode import LONGEST, read_ordinary
from wavemma.isa.ordinary.decoded import DecodedOrdinary
from wavemma.isa.ordinary.encode import encode_ordinary
from wavemma.isa.ordinary.meaning import explain_ordinary
from wavemma.isa.ordinary.text import ordinary_text
from wavemma.isa.target import target, wave_of

AnyDecoded = Decoded | DecodedOrdinary
"""One occurrence of any instruction."""


def read_any(data: bytes, target_name: str, wave: int | None = None) -> AnyDecoded | Undecoded:
    """Decode the instruction at the start of some bytes, or say why there is none.

    Args:
        data: Little-endian words; what follows the instruction is ignored.
        target_name: Such as "gfx1100".
        wave: Lanes of the wave; the default of the target if None.

    Raises:
        UnknownTarget: Offers the nearest names.
        OutOfRange: The target has no such waves.

    """
    row = target(target_name)
    lanes = wave_of(row, wave)
    found = read_ordinary(data, row.architecture, lanes)
    if isinstance(found, DecodedOrdinary) or found.reason == "truncated":
        return found
    matrix = read(data, target_name, lanes)
    return found if isinstance(matrix, Undecoded) else matrix


def text_any(decoded: AnyDecoded) -> str:
    """Write an instruction as LLVM's disassembler does; default modifiers are left out."""
    if isinstance(decoded, DecodedOrdinary):
        return ordinary_text(decoded)
    return text_of(decoded)


def encode_any(decoded: AnyDecoded) -> bytes:
    """Give the bytes of an instruction; fields that it doesn't use are as the assembler's."""
    if isinstance(decoded, DecodedOrdinary):
        return encode_ordinary(decoded)
    return encode(decoded)


def explain_any(decoded: AnyDecoded, data: bytes | None = None) -> tuple[FieldMeaning, ...]:
    """Tell every field of an instruction, lowest bit first; together they cover every bit once.

    Args:
        decoded: The instruction.
        data: The bytes that it was decoded from, for the values of unused fields; if None, they
            are shown as assembled.

    """
    if isinstance(decoded, DecodedOrdinary):
        return explain_ordinary(decoded, data)
    return explain(decoded, data)


def sweep_any(
    data: bytes, target_name: str, wave: int | None = None
) -> tuple[tuple[int, AnyDecoded | Undecoded], ...]:
    """Decode bytes one instruction after the other, up to the end; arguments as for `read_any`.

    Returns:
        Offset in bytes, and the instruction or the reason why there is none.

    """
    found = []
    place = 0
    while place < len(data):
        each = read_any(data[place : place + LONGEST], target_name, wave)
        found.append((place, each))
        place += each.size_bytes
    return tuple(found)
