"""Text to bytes: a line, or all lines of a file."""

from wavemma.errors import EncodingMistake, SyntaxMistake, WavemmaError
from wavemma.isa.catalog import instruction as find
from wavemma.isa.decoded import Decoded
from wavemma.isa.encode import encode
from wavemma.isa.instruction import Instruction
from wavemma.isa.legality import faults
from wavemma.isa.operand import Operand
from wavemma.isa.source import parse_source, sources
from wavemma.isa.syntax import Line, parse_line, read_value, without_comment
from wavemma.isa.target import Wave, target, wave_of


def assemble(line: str, target_name: str, wave: int | None = None) -> bytes:
    """Assemble one line.

    Args:
        line: A mnemonic, operands and modifiers, as the disassembler prints them.
        target_name: Such as "gfx1100".
        wave: Lanes of the wave; the default of the target if None.

    Returns:
        8 or 16 bytes, little-endian words.

    Raises:
        UnknownTarget, UnknownInstruction: Offer the nearest names.
        SyntaxMistake: The line doesn't parse.
        EncodingMistake: The line parses but is not legal; says why.

    """
    return encode(parse(line, target_name, wave))


def assemble_lines(text: str, target_name: str, wave: int | None = None) -> tuple[bytes, ...]:
    """Assemble every line that is not empty; comments are ignored.

    Raises:
        WavemmaError: As `assemble`, with the number of the line in front.

    """
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if without_comment(line):
            try:
                found.append(assemble(line, target_name, wave))
            except WavemmaError as error:
                raise type(error)(
                    f"Line {number}: {error.message}",
                    subject=error.subject,
                    allowed=error.allowed,
                    hint=error.hint,
                ) from None
    return tuple(found)


def parse(line: str, target_name: str, wave: int | None = None) -> Decoded:
    """Read one line into a legal instruction; arguments and errors as for `assemble`."""
    decoded = parse_any(line, target_name, wave)
    wrong = faults(decoded)
    if wrong:
        raise EncodingMistake(f"{decoded.instruction.name}: {' '.join(wrong)}", subject=line)
    return decoded


def parse_any(line: str, target_name: str, wave: int | None = None) -> Decoded:
    """Read one line into an instruction that need not be legal, without a look at its faults."""
    lanes = wave_of(target(target_name), wave)
    parts = parse_line(line)
    instruction = find(parts.name, target_name)
    return Decoded(
        instruction,
        lanes,
        _operands(parts, instruction, lanes),
        _modifiers(parts, instruction, lanes),
    )


def _operands(parts: Line, instruction: Instruction, wave: Wave) -> dict[str, Operand]:
    fields = instruction.operands
    if len(parts.operands) != len(fields):
        raise EncodingMistake(
            f"{instruction.name} must have {len(fields)} operands, not {len(parts.operands)}.",
            subject=len(parts.operands),
            hint=f"They are {', '.join(field.role.upper() for field in fields)}.",
        )
    table = sources(instruction.architecture)
    return {
        field.field.name: parse_source(text, field, wave, table)
        for field, text in zip(fields, parts.operands, strict=True)
    }


def _modifiers(parts: Line, instruction: Instruction, wave: Wave) -> dict[str, int]:
    taken = instruction.modifiers(wave)
    by_word = {each.word: each for each in taken}
    values = {each.word: each.default for each in taken}
    last, before = -1, ""
    for word, text in parts.modifiers:
        if word not in by_word:
            raise EncodingMistake(
                f"{instruction.name} takes no modifier {word!r} in a wave of {wave} lanes.",
                subject=word,
                allowed=by_word,
                hint=f"It takes {', '.join(by_word) or 'none'}.",
            )
        each = by_word[word]
        if each.order <= last:
            raise SyntaxMistake(
                f"{word} must not be given twice."
                if word == before
                else f"{word} must come before {before}.",
                subject=word,
                hint=f"The order is {', '.join(by_word)}.",
            )
        values[word] = read_value(each, text)
        last, before = each.order, word
    return values
