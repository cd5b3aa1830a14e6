"""Rows of data/known_answers.toml: results of silicon that an installation can be held to."""

from functools import cache

import msgspec

from wavemma.tables.files import rows
from wavemma.tables.keys import Grade


class KnownAnswerRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One product whose result is known: model, formats, size of the square matrices, digest."""

    model: str
    a: str
    b: str
    d: str
    size: int
    digest: int
    source: str
    grade: Grade


@cache
def known_answers() -> tuple[KnownAnswerRow, ...]:
    """Load every known answer."""
    return rows("known_answers.toml", "known_answer", KnownAnswerRow)
