"""Numbers that people type, in a format: as a number, or as the bits themselves."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec
import numpy as np

from wavemma.engines.engine import Lane
from wavemma.errors import SyntaxMistake
from wavemma.explain.codes import Code, all_described
from wavemma.explain.rounding import is_same
from wavemma.explain.written_number import parse_number
from wavemma.formats import Format, encode, encode_exact, number_format, number_formats
from wavemma.formats.exact import nearest_odd
from wavemma.tables.format_names import formats_alike, meaning

Given = str | float | int | Fraction
"""A number, or text: a number such as 1.5, 1/3 or inf, or bits such as 0x3c00."""

_BITS = re.compile(r"0x[0-9a-f]+")


class InputNumber(msgspec.Struct, frozen=True, kw_only=True):
    """One number that was given, in one format.

    Attributes:
        asked: As it was given.
        code: Its code and value.
        is_exact: Whether the format holds it exactly; true of bits.

    """

    asked: str
    code: Code
    is_exact: bool


class Side(NamedTuple):
    """What a word for a format means for A or B.

    Attributes:
        formats: Names of the formats, the closest first.
        signed: How integers are read whose format leaves the sign to the instruction.

    """

    formats: tuple[str, ...]
    signed: bool


def sides(word: str) -> tuple[Side, Side]:
    """Read a format, or two with a comma between for A and B.

    Args:
        word: Such as "f16", "fp8", "i8" (signed), "u8" (unsigned) or "fp8,bf8"; "iu8" reads as
            instructions do that are not told to read signed numbers.

    Raises:
        UnknownFormat: Offers the nearest names.
        SyntaxMistake: More than two.

    """
    words = [each.strip() for each in word.split(",")]
    if len(words) > 2:
        raise SyntaxMistake(
            f"A format must be one word, or two for A and B such as fp8,bf8; {word!r} was given.",
            subject=word,
        )
    return _side(words[0]), _side(words[-1])


def _side(word: str) -> Side:
    meant = meaning(word)
    forms = [number_format(name) for name in formats_alike(word)]
    chosen = {form.bits: form.name for form in number_formats() if form.sign == "chosen"}
    if not forms[0].is_float and forms[0].sign == "signed":
        # What may be told to read signed numbers will do for them as well.
        either = [chosen[form.bits] for form in forms if form.bits in chosen]
        return Side(tuple(dict.fromkeys((*meant.formats, *either))), signed=True)
    # Without neg_lo an instruction reads integers whose sign it may choose as unsigned.
    open_sign = meant.formats[0] in chosen.values()
    return Side(meant.formats, signed=not open_sign if meant.signed is None else meant.signed)


def read_number(given: Given, form: Format, *, signed: bool = True) -> InputNumber:
    """Read one number in a format, rounded to nearest even where it must be.

    Args:
        given: The number or its bits.
        form: The format.
        signed: How codes are read whose format leaves the sign to the instruction.

    Raises:
        SyntaxMistake: Text that is no number.
        OutOfRange: Bits that the format does not have.
        ArrayMistake: The format has nothing for the number.

    """
    return read_numbers([given], form, signed=signed)[0]


def read_numbers(
    given: Sequence[Given], form: Format, *, signed: bool = True
) -> tuple[InputNumber, ...]:
    """Read numbers in a format, each different one once; as `read_number`."""
    texts = [str(each).strip() for each in given]
    different = tuple(dict.fromkeys(texts))
    # Bits have no number of their own: they are their code.
    numbers = {
        text: None if _BITS.fullmatch(text.lower()) else parse_number(text) for text in different
    }
    typed = [number for number in numbers.values() if number is not None]
    encoded = iter(_encoded(form, typed, signed=signed))
    codes = [int(text, 16) if number is None else next(encoded) for text, number in numbers.items()]
    sign = signed if form.sign == "chosen" else None
    read = {
        text: InputNumber(asked=text, code=made, is_exact=number is None or is_same(number, made))
        for (text, number), made in zip(
            numbers.items(), all_described(form, codes, signed=sign), strict=True
        )
    }
    return tuple(read[text] for text in texts)


def read_list(text: str) -> tuple[str, ...]:
    """Part a list at its commas.

    Raises:
        SyntaxMistake: It is empty, or a number is missing between two commas.

    """
    parts = tuple(each.strip() for each in text.split(","))
    if not all(parts):
        raise SyntaxMistake(
            f"A list must be numbers with commas between: 1,0.5,0x3c00; {text!r} was given.",
            subject=text,
        )
    return parts


def code_of(number: InputNumber) -> int:
    """Give the bits of a number as an integer."""
    return int(number.code.code, 16)


def codes_of(numbers: Sequence[InputNumber]) -> list[int]:
    """Give the bits of numbers as integers."""
    return [code_of(each) for each in numbers]


def _encoded(form: Format, numbers: Sequence[Fraction | float], *, signed: bool) -> list[int]:
    """Give the codes of exact numbers, all at once where f64 is wide enough to go between."""
    if form.bits == Lane.F64.bits:
        return [
            encode_exact(form, each, signed=signed)
            if isinstance(each, Fraction)
            else int(encode(form, each, signed=signed))
            for each in numbers
        ]
    near = [nearest_odd(each) if isinstance(each, Fraction) else each for each in numbers]
    codes: list[int] = encode(form, np.array(near, dtype=np.float64), signed=signed).tolist()
    return codes
