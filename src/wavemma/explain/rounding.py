"""Which codes do these numbers have?"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from wavemma.explain.answer import Answer
from wavemma.explain.codes import (
    Code,
    described,
    evidence_of,
    formats_by_target,
    notes_of,
    signs_of,
)
from wavemma.explain.format_words import format_words
from wavemma.explain.written_number import parse_number
from wavemma.formats.encode import Overflow, encode, encode_exact
from wavemma.formats.format import Format
from wavemma.formats.rounding import Rounding
from wavemma.tables.targets import target


class Rounded(msgspec.Struct, frozen=True, kw_only=True):
    """One number in one format.

    Attributes:
        asked: The number as it was given.
        code: Its code.
        is_exact: Whether the code stands for the very number.
        error: The code's number less the one asked for; None where one of them is not finite, or
            where it is too large for a float.
        below: The code of the next lower number, and above of the next higher one.

    """

    asked: str
    code: Code
    is_exact: bool
    error: float | None
    below: Code | None
    above: Code | None


class Encoding(msgspec.Struct, frozen=True, kw_only=True):
    """All numbers in one format; attributes as for Reading."""

    format: str
    signed: bool | None
    words: str
    targets: tuple[str, ...]
    numbers: tuple[Rounded, ...]


class ValueCodes(Answer, frozen=True, kw_only=True, tag=True):
    """The codes of numbers.

    Attributes:
        name: The format that was asked for.
        targets: The targets that were asked for; empty: any.
        rounding: How numbers between two of the format were rounded.
        overflow: What became of numbers that are too large.
        encodings: One a format.

    """

    name: str
    targets: tuple[str, ...]
    rounding: Rounding
    overflow: Overflow
    encodings: tuple[Encoding, ...]


def value_codes(
    name: str,
    values: Iterable[str],
    targets: Sequence[str] = (),
    *,
    rounding: Rounding = "nearest_even",
    overflow: Overflow = "special",
) -> ValueCodes:
    """Say which codes numbers have.

    Args:
        name: As for `code_values`.
        values: Numbers: decimal, hexadecimal as C writes floats, a fraction n/d, inf or nan.
        targets: As for `code_values`.
        rounding: Where numbers between two of the format go.
        overflow: What becomes of numbers that are too large.

    Raises:
        SyntaxMistake: A text is no number.
        OutOfRange: A number is written with an exponent or length beyond every use.
        ArrayMistake: The format has nothing for a number.
        WavemmaError: As for `code_values`.

    """
    numbers = tuple((text, parse_number(text)) for text in values)
    used = formats_by_target(name, targets)
    encodings = tuple(
        Encoding(
            format=form.name,
            signed=signed,
            words=format_words(form.name),
            targets=users,
            numbers=tuple(
                _rounded(form, text, number, rounding, overflow, signed=signed)
                for text, number in numbers
            ),
        )
        for form, users in used
        for signed in signs_of(form, name)
    )
    return ValueCodes(
        name=name.lower(),
        targets=tuple(target(each).name for each in targets),
        rounding=rounding,
        overflow=overflow,
        encodings=encodings,
        evidence=evidence_of(form for form, _ in used),
        notes=notes_of(form for form, _ in used),
    )


def _rounded(
    form: Format,
    text: str,
    number: Fraction | float,
    rounding: Rounding,
    overflow: Overflow,
    *,
    signed: bool | None,
) -> Rounded:
    """Round one number; of what is not finite there is no error and there are no neighbours."""
    code = _code_of(form, number, rounding, overflow, signed=signed is not False)
    made = described(form, code, signed=signed)
    if made.value is None or not is_finite(number):
        is_exact = is_same(number, made)
        return Rounded(asked=text, code=made, is_exact=is_exact, error=None, below=None, above=None)
    error = Fraction(made.value) - Fraction(number)
    below, above = _neighbours(form, code, signed=signed)
    return Rounded(
        asked=text,
        code=made,
        is_exact=not error,
        error=as_float(error),
        below=below,
        above=above,
    )


def is_same(number: Fraction | float, made: Code) -> bool:
    """Tell whether a code stands for the very number."""
    if not is_finite(number):
        return made.kind == ("NaN" if math.isnan(number) else "infinity")
    return made.value is not None and Fraction(made.value) == Fraction(number)


def is_finite(number: Fraction | float) -> bool:
    """Tell whether a number is neither an infinity nor NaN; of a fraction of any size it is so."""
    return isinstance(number, Fraction) or math.isfinite(number)


def as_float(error: Fraction) -> float | None:
    """Give an error as a float; None if it is too large for one."""
    try:
        return float(error)
    except OverflowError:
        return None


def _code_of(
    form: Format,
    number: Fraction | float,
    rounding: Rounding,
    overflow: Overflow,
    *,
    signed: bool,
) -> int:
    if isinstance(number, Fraction):
        return encode_exact(form, number, rounding=rounding, overflow=overflow, signed=signed)
    return int(encode(form, number, rounding=rounding, overflow=overflow, signed=signed))


def _neighbours(form: Format, code: int, *, signed: bool | None) -> tuple[Code | None, Code | None]:
    """Describe the next finite numbers on both sides of one."""
    number = Fraction(described(form, code, signed=signed).value or 0)
    near = [described(form, each, signed=signed) for each in _candidates(form, code)]
    known = [(Fraction(each.value), each) for each in near if each.value is not None]
    below = max(
        (pair for pair in known if pair[0] < number), key=lambda pair: pair[0], default=None
    )
    above = min(
        (pair for pair in known if pair[0] > number), key=lambda pair: pair[0], default=None
    )
    return below and below[1], above and above[1]


def _candidates(form: Format, code: int) -> set[int]:
    """List the codes that may be neighbours: those beside it, and the smallest of both signs."""
    step = 1 << form.ignored
    near = {code - step, code + step, step, form.sign_bit | step, 0}
    return {each % form.codes for each in near}
