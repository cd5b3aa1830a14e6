"""The word of an instruction: its bits, its opcode, and what else a line of assembly may say."""

from collections.abc import Iterator

import msgspec

from wavemma.isa.encoding import Field
from wavemma.isa.instruction import Instruction
from wavemma.isa.modifier import Modifier
from wavemma.tables.targets import Wave

RESULTS = ("d", "cd")
IDENTIFIER_NOTE = (
    "The identifier holds only the bits that name the instruction; the template has the modifiers"
    " at their defaults as well, and all register fields 0. Bit 0 is the lowest of the first word."
)


class BitRange(msgspec.Struct, frozen=True, kw_only=True):
    """Bits hi..lo of an instruction, both ends included.

    Attributes:
        name: Name of the field; empty where no field is.
        hi: Highest bit.
        lo: Lowest bit.
        value: What the bits are in every such instruction; None if that is free.
        holds: What they are for in this instruction, in words.

    """

    name: str
    hi: int
    lo: int
    value: int | None
    holds: str


class ModifierFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What else a line may say.

    Attributes:
        word: The word of the assembler.
        kind: "flag" (the word alone), "int" (a number) or "mask" (one bit a source operand).
        waves: Wave sizes at which the instruction takes it.
        bits: Its bits in the instruction, low first; None where a mask has none.
        legal: The values that mean something; of a mask, the operands that have a bit.
        default: The value where a line does not name it.
        meaning: What it does; of a mask, one sentence an operand.
        values: What each value of it means, from 0 on.
        names: Names that the assembler takes for the values.
        note: What is odd about it.

    """

    word: str
    kind: str
    waves: tuple[Wave, ...]
    bits: tuple[int | None, ...]
    legal: str
    default: int
    meaning: tuple[str, ...]
    values: tuple[str, ...]
    names: tuple[str, ...]
    note: str


class WordFacts(msgspec.Struct, frozen=True, kw_only=True):
    """How an instruction is encoded.

    Attributes:
        encoding: Name of the encoding.
        size_bytes: Bytes of the instruction.
        opcode: The number in the opcode field; of two halves, in that of the second.
        scale_opcode: The number in the opcode field of the first half; None if there is one word.
        identifier: The bits that name it, all others 0, in hexadecimal.
        template: The word with all register fields 0 and all modifiers at their default.
        bits: Every bit of the word, the highest first.
        modifiers: What else a line may say, in the order in which it must.

    """

    encoding: str
    size_bytes: int
    opcode: int
    scale_opcode: int | None
    identifier: str
    template: str
    bits: tuple[BitRange, ...]
    modifiers: tuple[ModifierFacts, ...]


def word_facts(instruction: Instruction) -> WordFacts:
    """Describe the word of an instruction."""
    digits = 2 * instruction.size_bytes
    second = instruction.encoding.scale_opcode
    return WordFacts(
        encoding=instruction.encoding.name,
        size_bytes=instruction.size_bytes,
        opcode=instruction.opcode,
        scale_opcode=second.read(instruction.match) if second else None,
        identifier=f"0x{instruction.match:0{digits}X}",
        template=f"0x{instruction.template:0{digits}X}",
        bits=tuple(_bits(instruction)),
        modifiers=tuple(_modifiers(instruction)),
    )


def _bits(instruction: Instruction) -> Iterator[BitRange]:
    """Yield all bits from the highest down, gaps between fields included."""
    above = instruction.size_bytes * 8
    for field in sorted(instruction.encoding.fields, key=lambda each: -each.lo):
        if field.hi + 1 < above:
            yield _gap(above - 1, field.hi + 1)
        yield BitRange(
            name=field.name,
            hi=field.hi,
            lo=field.lo,
            value=_value(instruction, field),
            holds=_holds(instruction, field),
        )
        above = field.lo
    if above:
        yield _gap(above - 1, 0)


def _gap(hi: int, lo: int) -> BitRange:
    return BitRange(name="", hi=hi, lo=lo, value=None, holds="unused")


def _value(instruction: Instruction, field: Field) -> int | None:
    """Give what a field always holds: it names the instruction, or its form sets it."""
    if field.mask & instruction.match_mask:
        return field.read(instruction.match)
    if field.name in instruction.form.set and not list(_users(instruction, field)):
        return instruction.form.set[field.name]
    return None


def _holds(instruction: Instruction, field: Field) -> str:
    if field.mask & instruction.encoding.identity_mask:
        return "names the encoding"
    if field.mask & instruction.match_mask:
        return "opcode"
    users = list(dict.fromkeys(_users(instruction, field)))
    if users:
        return ", ".join(users)
    return "always so" if field.name in instruction.form.set else "unused"


def _users(instruction: Instruction, field: Field) -> Iterator[str]:
    """Name the operands and modifiers that a field is for."""
    for operand in instruction.operands:
        role = {"cd": "C and D"}.get(operand.role, _named(operand.role))
        if operand.field == field:
            yield role
        if operand.accumulator == field:
            yield f"{role} in AGPRs"
    for wave in instruction.waves:
        for modifier in instruction.modifiers(wave):
            if modifier.mask & field.mask and not modifier.is_unused:
                yield modifier.word


def _named(role: str) -> str:
    return role.upper() if len(role) == 1 else role


def _modifiers(instruction: Instruction) -> Iterator[ModifierFacts]:
    every = {
        each.row.name: each for wave in instruction.waves for each in instruction.modifiers(wave)
    }
    for each in sorted(every.values(), key=lambda one: one.order):
        waves = tuple(
            wave
            for wave in instruction.waves
            if any(each.row.name == other.row.name for other in instruction.modifiers(wave))
        )
        yield _modifier(each, waves, instruction)


def _modifier(found: Modifier, waves: tuple[Wave, ...], instruction: Instruction) -> ModifierFacts:
    return ModifierFacts(
        word=found.word,
        kind=found.row.kind,
        waves=waves,
        bits=found.bits,
        legal=_legal(found, instruction),
        default=found.default,
        meaning=found.row.meaning,
        values=found.row.values,
        names=found.row.assembler_names,
        note=found.row.note,
    )


def _legal(found: Modifier, instruction: Instruction) -> str:
    """Say which values mean something; of a mask, the operands that have a bit."""
    if found.row.kind == "flag":
        return "0, 1"
    if found.row.kind == "mask":
        read = [_named(each.role) for each in instruction.operands if each.role not in RESULTS]
        ones = [name for place, name in enumerate(read) if found.allowed >> place & 1]
        return ", ".join(ones) or "none"
    if found.row.below_broadcast:
        return "0..2^cbsz-1"
    legal = found.row.legal
    if len(legal) > 2 and legal == tuple(range(legal[0], legal[-1] + 1)):
        return f"{legal[0]}..{legal[-1]}"
    return ", ".join(map(str, legal)) or "0"
