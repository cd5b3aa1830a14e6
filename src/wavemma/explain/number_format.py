"""Everything about a number format: its bits, its values, and who uses it."""

import msgspec

from wavemma.errors import UnknownFormat
from wavemma.explain.answer import Answer
from wavemma.explain.citation import cited, distinct
from wavemma.explain.format_words import format_words
from wavemma.formats.format import Format, number_format
from wavemma.isa.catalog import instructions
from wavemma.tables.format_names import formats_called
from wavemma.tables.formats import format_row
from wavemma.tables.keys import Grade
from wavemma.tables.targets import target

BITS_NOTE = "Bit 0 is the lowest bit of a code; codes are given in hexadecimal."
SIGN_NOTE = "The instruction chooses whether the codes are signed; ranges are given for both."


class Bits(msgspec.Struct, frozen=True):
    """A named range of bits of a code, both ends included."""

    name: str
    hi: int
    lo: int


class FormatUse(msgspec.Struct, frozen=True, kw_only=True):
    """What one target does with a format.

    Attributes:
        target: Name of the target.
        roles: Roles of its instructions that may have the format.
        instructions: How many instructions of the target take or give it.

    """

    target: str
    roles: tuple[str, ...]
    instructions: int


class FormatEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One number format.

    Attributes:
        name: Key of the format.
        type: The word that instruction names use for it.
        kind: "float" or "integer".
        words: The format in a few words.
        width_bits: Width of a code.
        layout: Sign, exponent and fraction; for integers the whole code.
        ignored_bits: Lowest fraction bits that are read as zero.
        bias: Subtracted from the exponent field; None for integers.
        ranges: Lowest and highest finite value; two ranges where the sign is chosen.
        max_code: Code of the highest finite value.
        min_normal: Smallest positive normal number; None for integers.
        min_subnormal: Smallest positive number; None if there are no subnormals.
        infinity_code: Code of plus infinity; None if there is none.
        nan: Which codes are NaN, in words.
        nan_code: Code of a NaN; None if there is none.
        has_negative_zero: Whether zero has two codes.
        dtype: NumPy or ml_dtypes type with the same codes; empty if there is none.
        note: What is odd about it.
        source: Key of the citation.
        grade: Grade of the row.
        uses: The targets that use it.

    """

    name: str
    type: str
    kind: str
    words: str
    width_bits: int
    layout: tuple[Bits, ...]
    ignored_bits: int
    bias: int | None
    ranges: tuple[tuple[float, float], ...]
    max_code: str
    min_normal: float | None
    min_subnormal: float | None
    infinity_code: str | None
    nan: str
    nan_code: str | None
    has_negative_zero: bool
    dtype: str
    note: str
    source: str
    grade: Grade
    uses: tuple[FormatUse, ...]


class FormatFacts(Answer, frozen=True, kw_only=True, tag=True):
    """What a format name means; several formats where targets read the word differently.

    Attributes:
        name: The word that was asked for.
        target: Only what this target means by it; empty: any.
        formats: The formats.

    """

    name: str
    target: str
    formats: tuple[FormatEntry, ...]


NAN_WORDS = {
    "ieee": "highest exponent field with any fraction but 0",
    "ones": "all bits below the sign are 1",
    "negative_zero": "only the code that would be minus zero",
    "none": "none",
}


def explain_format(name: str, target_name: str | None = None) -> FormatFacts:
    """Say everything about a number format.

    Args:
        name: Key of a format, such as "fp8_ocp", or the word of instructions, such as "fp8".
        target_name: Only what this target means by it.

    Raises:
        UnknownTarget: Offers the nearest names.
        UnknownFormat: Offers the nearest names, or says who has it.

    """
    names = formats_called(name)
    uses = {each: _uses(each) for each in names}
    if target_name is not None:
        target_name = target(target_name.lower()).name
        names = _of_target(name, names, uses, target_name)
    entries = tuple(_entry(number_format(each), uses[each]) for each in names)
    notes = [BITS_NOTE]
    if any(format_row(each).sign == "chosen" for each in names):
        notes.append(SIGN_NOTE)
    if len(entries) > 1:
        notes.append(f"The word {name.lower()} means several formats: see which your target uses.")
    return FormatFacts(
        name=name.lower(),
        target=target_name or "",
        formats=entries,
        evidence=distinct(
            cited(f"format {each.name}", each.source, each.grade) for each in entries
        ),
        notes=tuple(notes),
    )


def _of_target(
    name: str, names: tuple[str, ...], uses: dict[str, tuple[FormatUse, ...]], target_name: str
) -> tuple[str, ...]:
    """Keep the formats that a target uses."""
    kept = tuple(each for each in names if target_name in {use.target for use in uses[each]})
    if not kept:
        owners = sorted({use.target for each in names for use in uses[each]})
        raise UnknownFormat(
            f"No matrix instruction of {target_name} takes {name.lower()}."
            f" These targets have it: {', '.join(owners)}.",
            subject=name,
            hint=f"All: wavemma list formats --target {target_name}",
        )
    return kept


def _uses(name: str) -> tuple[FormatUse, ...]:
    found: dict[str, tuple[set[str], int]] = {}
    for each in instructions():
        roles = {role for role, formats in each.formats.items() if name in formats}
        for owner in each.targets if roles else ():
            before, count = found.get(owner, (set(), 0))
            found[owner] = (before | roles, count + 1)
    return tuple(
        FormatUse(target=owner, roles=tuple(sorted(roles)), instructions=count)
        for owner, (roles, count) in found.items()
    )


def _entry(found: Format, uses: tuple[FormatUse, ...]) -> FormatEntry:
    digits = -(-found.bits // 4)
    return FormatEntry(
        name=found.name,
        type=found.type,
        kind=found.kind,
        words=format_words(found.name),
        width_bits=found.bits,
        layout=_layout(found),
        ignored_bits=found.ignored,
        bias=found.bias if found.is_float else None,
        ranges=_ranges(found),
        max_code=f"0x{found.max_code:0{digits}x}",
        min_normal=found.min_normal if found.is_float else None,
        min_subnormal=_min_subnormal(found),
        infinity_code=_code(found.infinity_code, digits),
        nan=NAN_WORDS[found.nan],
        nan_code=_code(found.nan_code, digits),
        has_negative_zero=found.has_negative_zero,
        dtype=found.dtype,
        note=found.note,
        source=found.source,
        grade=found.grade,
        uses=uses,
    )


def _code(code: int | None, digits: int) -> str | None:
    return None if code is None else f"0x{code:0{digits}x}"


def _min_subnormal(found: Format) -> float | None:
    return found.min_subnormal if found.is_float and found.lowest == "subnormal" else None


def _layout(found: Format) -> tuple[Bits, ...]:
    if not found.is_float:
        return (Bits("value", found.bits - 1, 0),)
    parts = [("sign", int(found.has_sign)), ("exponent", found.exponent)]
    parts.append(("fraction", found.fraction))
    ranges, top = [], found.bits
    for name, width in parts:
        if width:
            ranges.append(Bits(name, top - 1, top - width))
        top -= width
    return tuple(ranges)


def _ranges(found: Format) -> tuple[tuple[float, float], ...]:
    if found.is_float:
        lowest = found.min_normal if found.lowest == "normal" else 0.0
        return ((-found.max_value if found.has_sign else lowest, found.max_value),)
    half, whole = 1 << (found.bits - 1), 1 << found.bits
    signed, unsigned = (-float(half), float(half - 1)), (0.0, float(whole - 1))
    return {"signed": (signed,), "unsigned": (unsigned,), "chosen": (signed, unsigned)}[found.sign]
