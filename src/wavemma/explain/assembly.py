"""What are the bytes of these lines?"""

from msgspec.structs import replace

from wavemma.errors import SyntaxMistake, WavemmaError
from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.citation import distinct
from wavemma.explain.encoding import Occurrence, encoding_evidence, occurrence
from wavemma.isa.assemble import assemble, assemble_lines
from wavemma.isa.decode import decode
from wavemma.isa.syntax import without_comment
from wavemma.isa.target import target, wave_of


class Assembly(Answer, frozen=True, kw_only=True, tag=True):
    """Assembled lines.

    Attributes:
        target: Such as "gfx1100".
        wave: Lanes of the wave.
        instructions: One a line.

    """

    target: str
    wave: int
    instructions: tuple[Occurrence, ...]

    @property
    def data(self) -> bytes:
        """All bytes in the order of memory."""
        return bytes.fromhex("".join(each.bytes for each in self.instructions))


def assembly(target_name: str, lines: str, *, wave: int | None = None) -> Assembly:
    """Assemble lines of matrix instructions.

    Args:
        target_name: Such as "gfx1100".
        lines: One instruction a line; empty lines and comments are left out.
        wave: Lanes of the wave; the target's default if None.

    Raises:
        SyntaxMistake: A line doesn't parse, or there is none; says which.
        EncodingMistake: A line is not legal; says which line and why.
        UnknownInstruction: The target has no such instruction.

    """
    where = target(target_name)
    lanes = wave_of(where, wave)
    # Code repeats itself, so the same bytes are told once.
    known: dict[bytes, Occurrence] = {}
    found: list[Occurrence] = []
    evidence: list[Evidence] = []
    offset = 0
    for data in _bytes(where.name, lines, lanes):
        if data not in known:
            decoded = decode(data, where.name, lanes)
            known[data] = occurrence(decoded, data, 0, fields=False)
            evidence.append(encoding_evidence(decoded))
        found.append(replace(known[data], offset=offset))
        offset += len(data)
    return Assembly(
        target=where.name,
        wave=lanes,
        instructions=tuple(found),
        evidence=distinct(evidence),
    )


def _bytes(target_name: str, lines: str, wave: int) -> tuple[bytes, ...]:
    """Assemble each line; numbers of lines are told only where there are several."""
    if len(lines.splitlines()) == 1 and without_comment(lines):
        return (assemble(lines, target_name, wave),)
    given = [line for line in lines.splitlines() if without_comment(line)]
    if not given:
        raise SyntaxMistake("There must be at least one instruction; none was given.")
    different = list(dict.fromkeys(given))
    try:
        made = assemble_lines("\n".join(different), target_name, wave)
    except WavemmaError:
        # The lines of the whole text are what its numbers must count.
        return assemble_lines(lines, target_name, wave)
    data = dict(zip(different, made, strict=True))
    return tuple(data[line] for line in given)
