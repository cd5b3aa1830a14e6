"""What are these scale bytes, and which word do they make?"""

from collections.abc import Iterable, Sequence

import msgspec

from wavemma.errors import OutOfRange, UnknownFormat
from wavemma.explain.answer import Answer
from wavemma.explain.codes import Code, described, evidence_of, notes_of
from wavemma.explain.format_words import format_words
from wavemma.formats.format import Format, number_format
from wavemma.formats.packing import pack_codes
from wavemma.fragments.scales import scale_word
from wavemma.isa import catalog
from wavemma.isa.target import target as target_named
from wavemma.tables.format_names import format_among

_WORD_BYTES = 4


class ScaleFormat(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes in one scale format.

    Attributes:
        format: Name of the format.
        words: The format in a few words.
        targets: The targets asked for, or all, whose instructions take it.
        neutral: The code of 1.
        codes: The bytes, in the order asked for.

    """

    format: str
    words: str
    targets: tuple[str, ...]
    neutral: str
    codes: tuple[Code, ...]


class ScaleValues(Answer, frozen=True, kw_only=True, tag=True):
    """The numbers of scale bytes.

    Attributes:
        formats: One reading a scale format.

    """

    formats: tuple[ScaleFormat, ...]


class ScaleWord(Answer, frozen=True, kw_only=True, tag=True):
    """Scale bytes in registers.

    Attributes:
        bytes: The bytes, those of the lowest bits first.
        words: The registers, the lower first.
        formats: One reading a scale format.

    """

    bytes: tuple[str, ...]
    words: tuple[str, ...]
    formats: tuple[ScaleFormat, ...]


def scale_values(
    codes: Iterable[int], *, format: str | None = None, targets: Sequence[str] = ()
) -> ScaleValues:
    """Say which numbers scale bytes are.

    Args:
        codes: Bytes, 0..255.
        format: Only this scale format.
        targets: Only the formats that these targets take.

    Raises:
        UnknownFormat: It is no scale format of theirs.
        UnknownTarget: No such target.
        OutOfRange: A code is no byte.

    """
    forms = _scale_formats(format, targets)
    return ScaleValues(
        formats=_readings(forms, tuple(codes)),
        evidence=evidence_of(form for form, _ in forms),
        notes=notes_of(form for form, _ in forms),
    )


def scale_words(
    codes: Sequence[int], *, format: str | None = None, targets: Sequence[str] = ()
) -> ScaleWord:
    """Put scale bytes into registers.

    Args:
        codes: One byte, which fills the register; or four or eight, the lowest first.
        format: Only this scale format.
        targets: Only the formats that these targets take.

    Raises:
        OutOfRange: A code is no byte, or there are not 1, 4 or 8.
        UnknownFormat: It is no scale format of theirs.
        UnknownTarget: No such target.

    """
    forms = _scale_formats(format, targets)
    if len(codes) not in (1, _WORD_BYTES, 2 * _WORD_BYTES):
        raise OutOfRange(
            f"A word is made of 1, {_WORD_BYTES} or {2 * _WORD_BYTES} scale bytes; {len(codes)}"
            " were given.",
            subject=len(codes),
        )
    readings = _readings(forms, tuple(codes))
    whole = tuple(codes) if len(codes) > 1 else tuple(codes) * _WORD_BYTES
    words = [scale_word(codes[0])] if len(codes) == 1 else pack_codes(whole, 8).tolist()
    return ScaleWord(
        bytes=tuple(f"0x{code:02x}" for code in whole),
        words=tuple(f"0x{word:08x}" for word in words),
        formats=readings,
        evidence=evidence_of(form for form, _ in forms),
        notes=notes_of(form for form, _ in forms),
    )


def _scale_formats(
    format: str | None, targets: Sequence[str]
) -> tuple[tuple[Format, tuple[str, ...]], ...]:
    """List the scale formats, each with the targets that take it."""
    users: dict[str, dict[str, None]] = {}
    wanted = [target_named(each.lower()).name for each in targets]
    for each in catalog.instructions():
        for name in each.formats.get("scale_a", ()):
            owners = [owner for owner in each.targets if not wanted or owner in wanted]
            if owners:
                users.setdefault(name, {}).update(dict.fromkeys(owners))
    if not users:
        raise UnknownFormat(f"{', '.join(wanted)} has no scaled instruction.", subject=wanted)
    who = f"A scale format of {', '.join(wanted)}" if wanted else "A scale format"
    names = list(users) if format is None else [format_among(format, users, who)]
    return tuple((number_format(name), tuple(users[name])) for name in names)


def _readings(
    forms: Iterable[tuple[Format, tuple[str, ...]]], codes: tuple[int, ...]
) -> tuple[ScaleFormat, ...]:
    return tuple(
        ScaleFormat(
            format=form.name,
            words=format_words(form.name),
            targets=users,
            neutral=f"0x{form.bias << form.fraction:02x}",
            codes=tuple(described(form, code) for code in codes),
        )
        for form, users in forms
    )
