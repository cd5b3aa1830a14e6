"""Which numbers do these codes stand for?"""

from collections.abc import Iterable, Sequence

import msgspec

from wavemma.explain.answer import Answer
from wavemma.explain.codes import (
    Code,
    all_described,
    evidence_of,
    formats_by_target,
    notes_of,
    signs_of,
)
from wavemma.explain.format_words import format_words
from wavemma.tables.targets import target


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """All codes read in one format.

    Attributes:
        format: Name of the format.
        signed: How codes are read whose format leaves the sign to the instruction; else None.
        words: The format in a few words.
        targets: The targets asked for that read the word so; all that do if none was asked for.
        codes: The codes, in the order asked for.

    """

    format: str
    signed: bool | None
    words: str
    targets: tuple[str, ...]
    codes: tuple[Code, ...]


class CodeValues(Answer, frozen=True, kw_only=True, tag=True):
    """The numbers of codes, side by side where the word means several formats.

    Attributes:
        name: The format that was asked for.
        targets: The targets that were asked for; empty: any.
        readings: One a format.

    """

    name: str
    targets: tuple[str, ...]
    readings: tuple[Reading, ...]


def code_values(name: str, codes: Iterable[int], targets: Sequence[str] = ()) -> CodeValues:
    """Say which numbers codes stand for.

    Args:
        name: Key of a format, such as "fp8_ocp", or the word of instructions, such as "fp8".
        codes: Codes of the format.
        targets: Only what these targets mean by the word.

    Raises:
        UnknownFormat: No such format, or a target does not use it.
        UnknownTarget: No such target.
        OutOfRange: A code has more bits than the format.

    """
    numbers = tuple(codes)
    used = formats_by_target(name, targets)
    readings = tuple(
        Reading(
            format=form.name,
            signed=signed,
            words=format_words(form.name),
            targets=users,
            codes=all_described(form, numbers, signed=signed),
        )
        for form, users in used
        for signed in signs_of(form, name)
    )
    return CodeValues(
        name=name.lower(),
        targets=tuple(target(each).name for each in targets),
        readings=readings,
        evidence=evidence_of(form for form, _ in used),
        notes=notes_of(form for form, _ in used),
    )
