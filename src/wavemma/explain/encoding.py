"""One instruction as text, bytes and fields: the record that assembling and disassembling share."""

import msgspec

from wavemma.explain.answer import Evidence
from wavemma.explain.citation import cited
from wavemma.isa.decoded import Decoded
from wavemma.isa.meaning import FieldMeaning
from wavemma.isa.ordinary import AnyDecoded, explain_any, text_any

WORD_BYTES = 4
# Their default surprises: integers are unsigned unless told otherwise.
_ALWAYS_SAID = {"signed_a", "signed_b"}


class Occurrence(msgspec.Struct, frozen=True, kw_only=True):
    """One instruction in bytes.

    Attributes:
        offset: Where it starts in what was read, in bytes; in a code object, its address.
        text: As LLVM's disassembler writes it; of other bytes, `.long` and their words.
        bytes: Its bytes in the order of memory, hexadecimal, one byte a group.
        words: Its 32-bit words as numbers, the first one first.
        is_matrix: Whether it is a matrix instruction.
        reason: Why it is no instruction of the tables; empty if it is one.
        faults: Why it is not legal although it is one.
        said: What its modifiers say in words, the defaults left out.
        fields: Every field with bits and meaning, if asked for.
        place: In a file, the function and how far in it.

    """

    offset: int
    text: str
    bytes: str
    words: tuple[str, ...]
    is_matrix: bool
    reason: str = ""
    faults: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    fields: tuple[FieldMeaning, ...] = ()
    place: str = ""


def occurrence(decoded: AnyDecoded, data: bytes, offset: int, *, fields: bool) -> Occurrence:
    """Tell one instruction.

    Args:
        decoded: The instruction.
        data: Its bytes.
        offset: Where they start.
        fields: Whether every field is told.

    """
    matrix = decoded if isinstance(decoded, Decoded) else None
    said = _said_bits(matrix) if matrix else 0
    meanings = explain_any(decoded, data) if said or fields else ()
    return Occurrence(
        offset=offset,
        text=text_any(decoded),
        bytes=data.hex(" "),
        words=words_of(data),
        is_matrix=matrix is not None,
        faults=matrix.faults if matrix else (),
        said=tuple(each.meaning for each in meanings if said >> each.lo & _ones(each)),
        fields=meanings if fields else (),
    )


def unread(data: bytes, offset: int, reason: str) -> Occurrence:
    """Tell bytes that are no instruction of the tables."""
    words = words_of(data)
    return Occurrence(
        offset=offset,
        text=f".long {', '.join(words)}",
        bytes=data.hex(" "),
        words=words,
        is_matrix=False,
        reason=reason,
    )


def words_of(data: bytes) -> tuple[str, ...]:
    """Write bytes as 32-bit words in hexadecimal; the last one may be shorter."""
    groups = (data[n : n + WORD_BYTES] for n in range(0, len(data), WORD_BYTES))
    return tuple(f"0x{int.from_bytes(each, 'little'):0{2 * len(each)}x}" for each in groups)


def encoding_evidence(decoded: AnyDecoded) -> Evidence:
    """Say what the encoding of an instruction rests on."""
    row = decoded.instruction.row
    return cited("encoding", row.source, row.grade)


def _said_bits(decoded: Decoded) -> int:
    """Give the bits of modifiers that are not at their default, or that surprise."""
    bits = 0
    for each in decoded.instruction.modifiers(decoded.wave):
        bits |= each.put(decoded.modifiers[each.word]) ^ each.put(each.default)
        if set(each.row.effect) & _ALWAYS_SAID:
            bits |= each.mask
    return bits


def _ones(told: FieldMeaning) -> int:
    """Give as many low bits as a field has."""
    return (1 << (told.hi - told.lo + 1)) - 1
