"""One code of a format taken apart, and the formats that a word means."""

import math
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from wavemma.errors import OutOfRange
from wavemma.explain.answer import Evidence
from wavemma.explain.citation import cited, distinct
from wavemma.explain.number_format import explain_format
from wavemma.formats.decode import decode
from wavemma.formats.format import Format, number_format
from wavemma.tables.format_names import meaning
from wavemma.tables.targets import target


class Code(msgspec.Struct, frozen=True, kw_only=True):
    """One code in one format.

    Attributes:
        code: The code in hexadecimal, all digits.
        kind: "zero", "subnormal", "normal", "infinity", "NaN" or "integer".
        value: The number; None for infinities and NaN, which JSON has not.
        text: The number in words, such as "-0", "NaN" or "448".
        sign: The sign bit; None where the format has none.
        exponent: The exponent field; None for integers.
        fraction: The fraction field; None for integers.
        product: Significand times a power of two, such as "1.75 * 2^8"; empty for what has none.

    """

    code: str
    kind: str
    value: float | None
    text: str
    sign: int | None = None
    exponent: int | None = None
    fraction: int | None = None
    product: str = ""


def formats_by_target(
    name: str, targets: Sequence[str]
) -> tuple[tuple[Format, tuple[str, ...]], ...]:
    """List the formats that a word means, each with the targets that mean it.

    Raises:
        UnknownFormat: No such format, or a target does not use it.
        UnknownTarget: No such target.

    """
    users: dict[str, list[str]] = {}
    for each in targets:
        for entry in explain_format(name, each).formats:
            users.setdefault(entry.name, []).append(target(each).name)
    if not targets:
        for entry in explain_format(name).formats:
            users[entry.name] = [use.target for use in entry.uses]
    return tuple((number_format(each), tuple(found)) for each, found in users.items())


def described(form: Format, code: int, *, signed: bool | None = None) -> Code:
    """Take one code apart.

    Args:
        form: The format.
        code: The code.
        signed: How codes are read whose format leaves the sign to the instruction.

    Raises:
        OutOfRange: The code has more bits than the format.

    """
    return all_described(form, [code], signed=signed)[0]


def all_described(
    form: Format, codes: Sequence[int], *, signed: bool | None = None
) -> tuple[Code, ...]:
    """Take codes apart, which is much faster for many at once; as `described`."""
    digits = -(-form.bits // 4)
    for code in codes:
        if not 0 <= code < form.codes:
            raise OutOfRange(
                f"A code of {form.name} must be 0x{0:0{digits}x}..0x{form.codes - 1:x},"
                f" {form.bits} bits; it is {hex(code)}.",
                subject=code,
            )
    dtype = np.min_scalar_type(form.codes - 1)
    numbers = decode(form, np.array(codes, dtype=dtype), signed=signed is not False).tolist()
    return tuple(_taken(form, *each) for each in zip(codes, numbers, strict=True))


def _taken(form: Format, code: int, number: float) -> Code:
    """Take apart a code whose number is known."""
    text = f"0x{code:0{-(-form.bits // 4)}x}"
    if not form.is_float:
        return Code(code=text, kind="integer", value=float(number), text=str(number))
    field = code >> form.fraction & ((1 << form.exponent) - 1)
    fraction = code & ((1 << form.fraction) - 1)
    return Code(
        code=text,
        kind=_kind(form, number, field),
        value=number if math.isfinite(number) else None,
        text=number_text(number),
        sign=code >> (form.bits - 1) if form.has_sign else None,
        exponent=field,
        fraction=fraction,
        product=_product(form, number, field, fraction),
    )


def number_text(number: float) -> str:
    """Write a number so that it reads back: "1", "-0", "0.001953125", "NaN", "inf"."""
    if math.isnan(number):
        return "NaN"
    return repr(number).removesuffix(".0")


def _kind(form: Format, number: float, field: int) -> str:
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "infinity"
    if number == 0:
        return "zero"
    return "subnormal" if field == 0 and form.lowest == "subnormal" else "normal"


def _product(form: Format, number: float, field: int, fraction: int) -> str:
    """Write a number as significand times a power of two, both as the fields give them."""
    if number == 0 or not math.isfinite(number):
        return ""
    counted = fraction & ~((1 << form.ignored) - 1)
    lead = 0 if field == 0 and form.lowest == "subnormal" else 1
    exponent = max(field, 1 - lead) - form.bias
    significand = lead + counted / (1 << form.fraction)
    sign = "-" if number < 0 else ""
    return f"{sign}{number_text(significand)} * 2^{exponent}"


def signs_of(form: Format, word: str) -> tuple[bool | None, ...]:
    """List how codes may be read: signed or not where the instruction chooses, else None.

    A word that says its sign, such as uint8, leaves one way.
    """
    if form.sign != "chosen":
        return (None,)
    signed = meaning(word).signed
    return (True, False) if signed is None else (signed,)


def evidence_of(forms: Iterable[Format]) -> tuple[Evidence, ...]:
    """Say what formats rest on."""
    return distinct(cited(f"format {form.name}", form.source, form.grade) for form in forms)


def notes_of(forms: Iterable[Format]) -> tuple[str, ...]:
    """List what is odd about formats."""
    return tuple(dict.fromkeys(f"{form.name}: {form.note}." for form in forms if form.note))
