"""The record that every question gives: frozen data for terminal, page, JSON and tests alike."""

from typing import Literal

import msgspec

Grade = Literal["H", "V", "D", "unknown"]

SCHEMA = "wavemma/1"


class Evidence(msgspec.Struct, frozen=True):
    """What a part of an answer rests on.

    Attributes:
        what: The part of the answer, such as "layout" or "opcode".
        source: Key of the citation in data/sources.toml.
        document: The citation in words.
        grade: H compared with silicon, V vendor document or tool, D derived or assumed, unknown.
        note: What limits the evidence, if anything does.

    """

    what: str
    source: str
    document: str
    grade: Grade
    note: str = ""


class Conflict(msgspec.Struct, frozen=True):
    """Sources that disagree: what about, what each says, and which one the answer takes."""

    what: str
    taken: str
    other: str
    source: str = ""


class Answer(msgspec.Struct, frozen=True, tag_field="answer", kw_only=True):
    """The parent of all answers; each kind adds its own fields.

    Attributes:
        evidence: What the answer rests on, one row a part; never empty.
        conflicts: Where sources disagree.
        notes: What a reader must know before using the answer, one sentence each.

    """

    evidence: tuple[Evidence, ...]
    conflicts: tuple[Conflict, ...] = ()
    notes: tuple[str, ...] = ()
