"""What matrix instructions are in these bytes?"""

import struct
from collections.abc import Iterator

import msgspec

from wavemma.errors import FileMistake, SyntaxMistake
from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.citation import cited, distinct
from wavemma.explain.code_object import Code, code_object, is_elf
from wavemma.explain.encoding import (
    WORD_BYTES,
    Occurrence,
    encoding_evidence,
    occurrence,
    unread,
)
from wavemma.explain.hexadecimal import Reading, readings
from wavemma.isa import catalog
from wavemma.isa.decode import Undecoded, read
from wavemma.isa.decoded import Decoded
from wavemma.isa.disassemble import sweep
from wavemma.isa.target import target, wave_of

WORD_MASK = 0xFFFFFFFF
_BUNDLES = (b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB")


class Disassembly(Answer, frozen=True, kw_only=True, tag=True):
    """The matrix instructions in some bytes.

    Attributes:
        target: Such as "gfx1100".
        wave: Lanes of the wave.
        order: How pasted words were read; empty for a file.
        instructions: In order. Of pasted words everything, of a file only what is a matrix
            instruction.
        size_bytes: Bytes that were searched.
        other_bytes: Those of them that are in no instruction listed.

    """

    target: str
    wave: int
    order: str
    instructions: tuple[Occurrence, ...]
    size_bytes: int
    other_bytes: int


def disassembly(
    target_name: str, words: str, *, wave: int | None = None, fields: bool = False
) -> Disassembly:
    """Disassemble pasted words.

    Args:
        target_name: Such as "gfx942".
        words: As for `hexadecimal.readings`; of two readings the one with more instructions.
        wave: Lanes of the wave; the target's default if None.
        fields: Whether every field is told.

    Raises:
        SyntaxMistake: The words are no hexadecimal words, or hold part of a 32-bit word.

    """
    where = target(target_name)
    target_name, lanes = where.name, wave_of(where, wave)
    ways = readings(words)
    if len(ways[0].data) % WORD_BYTES:
        raise SyntaxMistake(
            f"There must be whole words of {WORD_BYTES} bytes; {len(ways[0].data)} bytes were"
            " given.",
            subject=words,
        )
    swept = [sweep(way.data, target_name, lanes) for way in ways]
    counts = [sum(isinstance(each, Decoded) for _, each in found) for found in swept]
    best = counts.index(max(counts))
    chosen, data = swept[best], ways[best].data
    found = tuple(_told(place, each, data, fields=fields) for place, each in chosen)
    return _answer(
        target_name,
        lanes,
        found,
        [each for _, each in chosen if isinstance(each, Decoded)],
        size=len(data),
        order=ways[best].order,
        notes=_order_notes(ways, counts, best),
    )


def file_disassembly(
    target_name: str, data: bytes, *, wave: int | None = None, fields: bool = False
) -> Disassembly:
    """Find the matrix instructions of a file: a code object (ELF), or bare code.

    Args:
        target_name: Such as "gfx942"; "" takes it from the code object.
        data: The whole file.
        wave: Lanes of the wave; the target's default if None.
        fields: Whether every field is told.

    Raises:
        FileMistake: The file is damaged, for another target, or no code.

    """
    called, sections = _sections(target_name, data)
    where = target(called)
    name, lanes = where.name, wave_of(where, wave)
    found, decoded = [], []
    for section in sections:
        for offset, each in _matches(section.data, name, lanes):
            part = section.data[offset : offset + each.size_bytes]
            told = occurrence(each, part, section.address + offset, fields=fields)
            found.append(msgspec.structs.replace(told, place=_place(section, told.offset)))
            decoded.append(each)
    return _answer(
        name,
        lanes,
        tuple(found),
        decoded,
        size=sum(len(section.data) for section in sections),
        order="",
        notes=(
            "Only matrix instructions are listed. The code between them is not decoded, so a match"
            " may, rarely, be the constant of another instruction.",
            f"The wave size of a kernel is in its descriptor; give --wave if it is not {lanes}."
            if len(where.waves) > 1
            else f"Waves have {lanes} lanes.",
        ),
    )


def _answer(
    target_name: str,
    wave: int,
    found: tuple[Occurrence, ...],
    decoded: list[Decoded],
    *,
    size: int,
    order: str,
    notes: tuple[str, ...],
) -> Disassembly:
    used = sum(each.size_bytes for each in decoded)
    evidence = distinct(map(encoding_evidence, decoded))
    return Disassembly(
        target=target_name,
        wave=wave,
        order=order,
        instructions=found,
        size_bytes=size,
        other_bytes=size - used,
        evidence=evidence or _searched(target_name),
        notes=notes,
    )


def _searched(target_name: str) -> tuple[Evidence, ...]:
    """Say what the search rests on where nothing was found."""
    rows = [each.row for each in catalog.instructions(target_name)]
    if not rows:
        return (cited("that the target has no matrix instructions", "none", "unknown"),)
    return distinct(cited("opcodes searched", row.source, row.grade) for row in rows)


def _told(place: int, each: Decoded | Undecoded, data: bytes, *, fields: bool) -> Occurrence:
    part = data[place : place + each.size_bytes]
    if isinstance(each, Decoded):
        return occurrence(each, part, place, fields=fields)
    return unread(part, place, each.message)


def _order_notes(ways: tuple[Reading, ...], counts: list[int], best: int) -> tuple[str, ...]:
    """Say how words were read, and whether they could be read otherwise."""
    order = ways[best].order
    notes = [f"The words were read as {order}."]
    if order == "numbers" and len(ways) > 1:
        notes.append("As bytes in memory order they hold fewer matrix instructions.")
    elif len(ways) > 1 and counts[1 - best]:
        notes.append(f"Read as {ways[1 - best].order} (0x in front) they are others.")
    return tuple(notes)


def _sections(target_name: str, data: bytes) -> tuple[str, tuple[Code, ...]]:
    """Find the code of a file, and the target to read it for."""
    if not is_elf(data):
        return _bare(target_name, data)
    file = code_object(data)
    if not target_name and not file.target:
        raise FileMistake(
            f"The code object is for machine 0x{file.machine:x}, which has no matrix instructions"
            " that we know.",
            subject=file.machine,
        )
    if target_name and file.target and target_name.lower() != file.target:
        raise FileMistake(
            f"The code object is for {file.target}; {target_name} was asked for.",
            subject=target_name,
            hint=f"Use: wavemma dis {file.target} FILE",
        )
    return target_name or file.target, file.sections


def _bare(target_name: str, data: bytes) -> tuple[str, tuple[Code, ...]]:
    if not target_name:
        raise FileMistake(
            "Code without an ELF header doesn't say for which target it is.",
            hint="Use: wavemma dis TARGET FILE",
        )
    if data.startswith(_BUNDLES):
        raise FileMistake(
            "The file must be a code object; it is a bundle of several.",
            hint="Take one out with: clang-offload-bundler --unbundle",
        )
    if data and data.isascii() and data.decode("ascii").replace("\n", "").isprintable():
        raise FileMistake("The file must be code; it holds text.", hint="Give words on the line.")
    if len(data) % WORD_BYTES or not data:
        raise FileMistake(
            f"A file of code must be whole 32-bit words; it has {len(data)} bytes.",
            subject=len(data),
        )
    return target_name, (Code("", 0, data, ()),)


def _matches(data: bytes, target_name: str, wave: int) -> Iterator[tuple[int, Decoded]]:
    """Yield offset and instruction wherever the words at an offset are one."""
    whole = data[: len(data) - len(data) % WORD_BYTES]
    words = struct.unpack(f"<{len(whole) // WORD_BYTES}I", whole)
    keys = {
        (each.encoding.identity_mask & WORD_MASK, each.encoding.identity & WORD_MASK)
        for each in catalog.instructions(target_name)
    }
    behind = 0
    for number, word in enumerate(words):
        offset = WORD_BYTES * number
        if offset < behind or not any(word & mask == identity for mask, identity in keys):
            continue
        found = read(whole[offset : offset + 16], target_name, wave)
        if isinstance(found, Decoded):
            behind = offset + found.size_bytes
            yield offset, found


def _place(section: Code, address: int) -> str:
    """Name the function around an address: "gemm+0x1a4"."""
    inside = [(name, start) for name, start in section.functions if start <= address]
    return f"{inside[-1][0]}+0x{address - inside[-1][1]:x}" if inside else section.name
