"""Bytes to instructions. Every input gives an instruction or a named reason why not."""

from functools import cache
from typing import Literal

import msgspec

from wavemma.errors import DecodeMistake
from wavemma.isa.catalog import of_architecture
from wavemma.isa.decoded import Decoded
from wavemma.isa.instruction import Instruction
from wavemma.isa.legality import faults, needed
from wavemma.isa.source import named_by, sources
from wavemma.isa.target import Wave, target, wave_of

WORD_BYTES = 4
Reason = Literal["truncated", "unknown encoding", "unknown opcode", "reserved value"]


class Undecoded(msgspec.Struct, frozen=True):
    """Bytes that are no matrix instruction.

    Attributes:
        reason: The kind of reason.
        message: The reason in a sentence.
        size_bytes: How far to go on to the next word, never more than there is.

    """

    reason: Reason
    message: str
    size_bytes: int


def decode(data: bytes, target_name: str, wave: int | None = None) -> Decoded:
    """Decode the instruction at the start of some bytes; what follows it is ignored.

    Fields that the instruction doesn't use are ignored. What can be encoded but is not legal is
    decoded, and its `faults` say why it is not.

    Args:
        data: Little-endian words; an instruction has 8 or 16 bytes.
        target_name: Such as "gfx942".
        wave: Lanes of the wave; the default of the target if None.

    Raises:
        UnknownTarget: Offers the nearest names.
        OutOfRange: The target has no such waves.
        DecodeMistake: Says why the bytes are no matrix instruction of this target.

    """
    found = read(data, target_name, wave)
    if isinstance(found, Undecoded):
        words = data[:16].hex(" ", WORD_BYTES) or "nothing"
        raise DecodeMistake(
            f"The bytes must be a matrix instruction of {target_name}. {found.message}"
            f" Given: {words}.",
            subject=found.reason,
        )
    return found


def read(data: bytes, target_name: str, wave: int | None = None) -> Decoded | Undecoded:
    """Decode as `decode` does, but give the reason instead of raising it."""
    row = target(target_name)
    target_name, lanes = row.name, wave_of(row, wave)
    if len(data) < WORD_BYTES:
        return Undecoded(
            "truncated", f"A word has {WORD_BYTES} bytes, there are {len(data)}.", len(data)
        )
    table = _table(row.architecture)
    for mask, size_bytes, by_bits in table.forms:
        bits = int.from_bytes(data[:size_bytes], "little")
        instruction = by_bits.get(bits & mask) if len(data) >= size_bytes else None
        if instruction is not None and target_name in instruction.targets:
            return _operands(instruction, bits, lanes)
        if instruction is not None:
            text = f"{instruction.name} is one of {', '.join(instruction.targets)} only."
            return Undecoded("unknown opcode", text, size_bytes)
    return _reason(data, table, target_name)


class _Table(msgspec.Struct, frozen=True):
    """Instructions by the bits that name them, the longest first, and the encodings' names."""

    forms: tuple[tuple[int, int, dict[int, Instruction]], ...]
    identities: dict[tuple[int, int], tuple[str, int]]


@cache
def _table(architecture: str) -> _Table:
    forms: dict[tuple[int, int], dict[int, Instruction]] = {}
    identities: dict[tuple[int, int], tuple[str, int]] = {}
    for each in of_architecture(architecture):
        forms.setdefault((each.size_bytes, each.key_mask), {})[each.key] = each
        word = (1 << 8 * WORD_BYTES) - 1
        key = each.encoding.identity_mask & word, each.encoding.identity & word
        identities.setdefault(key, (each.encoding.name, each.size_bytes))
    longest = sorted(forms, key=lambda key: -key[0])
    return _Table(tuple((mask, size, forms[size, mask]) for size, mask in longest), identities)


def _operands(instruction: Instruction, bits: int, wave: Wave) -> Decoded | Undecoded:
    modifiers = {each.word: each.read(bits) for each in instruction.modifiers(wave)}
    partial = Decoded(instruction, wave, {}, modifiers)
    table = sources(instruction.architecture)
    operands = {}
    for field in instruction.operands:
        code = field.field.read(bits)
        is_agpr = field.accumulator is not None and field.accumulator.read(bits) == 1
        try:
            found = named_by(field, code, is_agpr, needed(partial, field), wave, table)
        except LookupError as why:
            text = f"{field.field.name} of {instruction.name} is reserved: {why}."
            return Undecoded("reserved value", text, instruction.size_bytes)
        operands[field.field.name] = found
    whole = Decoded(instruction, wave, operands, modifiers)
    return msgspec.structs.replace(whole, faults=faults(whole))


def _reason(data: bytes, table: _Table, target_name: str) -> Undecoded:
    """Say why no instruction matches."""
    word = int.from_bytes(data[:WORD_BYTES], "little")
    for (mask, identity), (name, size_bytes) in table.identities.items():
        if word & mask != identity:
            continue
        if len(data) < size_bytes:
            return Undecoded(
                "truncated", f"{name} has {size_bytes} bytes, there are {len(data)}.", WORD_BYTES
            )
        text = f"{name} has no matrix instruction of {target_name} with this opcode."
        return Undecoded("unknown opcode", text, size_bytes)
    text = f"0x{word:08x} starts none of the encodings that hold matrix instructions."
    return Undecoded("unknown encoding", text, WORD_BYTES)
