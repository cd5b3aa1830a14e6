"""What instructions are in these words?"""

from collections.abc import Iterable

from wavemma.errors import SyntaxMistake
from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.citation import cited, distinct
from wavemma.explain.encoding import (
    WORD_BYTES,
    Occurrence,
    encoding_evidence,
    occurrence,
    unread,
)
from wavemma.explain.hexadecimal import Reading, readings
from wavemma.explain.word_order import Count, count, other_order
from wavemma.isa import catalog
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import AnyDecoded, sweep_any
from wavemma.isa.target import target, wave_of


class Disassembly(Answer, frozen=True, kw_only=True, tag=True):
    """The instructions in some words.

    Attributes:
        target: Such as "gfx1100".
        wave: Lanes of the wave.
        order: How the words were read.
        instructions: In order, words that are none included.
        size_bytes: Bytes of the words.
        other_bytes: Those of them that are in no instruction of the tables.

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
        words: As for `hexadecimal.readings`; of two readings the one with more matrix instructions.
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
    swept = [sweep_any(way.data, target_name, lanes) for way in ways]
    counts = [count(found, target_name) for found in swept]
    best = max(range(len(ways)), key=lambda n: (counts[n].matrix, counts[n].known))
    data = ways[best].data
    decoded = [each for _, each in swept[best] if not isinstance(each, Undecoded)]
    return Disassembly(
        target=target_name,
        wave=lanes,
        order=ways[best].order,
        instructions=tuple(told(place, each, data, fields=fields) for place, each in swept[best]),
        size_bytes=len(data),
        other_bytes=len(data) - sum(each.size_bytes for each in decoded),
        evidence=evidence_of(decoded, target_name),
        notes=(
            *_order_notes(ways, counts, best),
            *filter(None, (other_order(data, target_name, lanes, counts[best]),)),
        ),
    )


def told(place: int, each: AnyDecoded | Undecoded, data: bytes, *, fields: bool) -> Occurrence:
    """Tell what starts at a place of some bytes."""
    part = data[place : place + each.size_bytes]
    if isinstance(each, Undecoded):
        return unread(part, place, each.message)
    return occurrence(each, part, place, fields=fields)


def evidence_of(decoded: Iterable[AnyDecoded], target_name: str) -> tuple[Evidence, ...]:
    """Say what instructions rest on; where there are none, what the search rests on."""
    return distinct(dict.fromkeys(map(encoding_evidence, decoded))) or _searched(target_name)


def _searched(target_name: str) -> tuple[Evidence, ...]:
    """Say what the search rests on where nothing was found."""
    rows = [each.row for each in catalog.instructions(target_name)]
    if not rows:
        return (cited("that the target has no matrix instructions", "none", "unknown"),)
    return distinct(cited("opcodes searched", row.source, row.grade) for row in rows)


def _order_notes(ways: tuple[Reading, ...], counts: list[Count], best: int) -> tuple[str, ...]:
    """Say how words were read, and whether they could be read otherwise."""
    order = ways[best].order
    notes = [f"The words were read as {order}."]
    if order == "numbers" and len(ways) > 1:
        notes.append("As bytes in memory order they hold fewer instructions that we know.")
    elif len(ways) > 1 and _could_be(counts[1 - best], counts[best]):
        notes.append(f"Read as {ways[1 - best].order} (0x in front) they are others.")
    return tuple(notes)


def _could_be(other: Count, chosen: Count) -> bool:
    """Whether the other reading might be meant; ordinary instructions alone tell little."""
    return bool(other.matrix or (other.known and not chosen.matrix))
