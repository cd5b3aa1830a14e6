"""`wavemma bits`."""

from typing import Annotated

from cyclopts import Parameter
from msgspec.structs import replace

from wavemma.cli.choices import check_alone
from wavemma.cli.numbers import code, names
from wavemma.cli.output import present
from wavemma.errors import OutOfRange, SyntaxMistake, WavemmaError
from wavemma.explain.bits import CodeValues, code_values
from wavemma.explain.rounding import value_codes
from wavemma.explain.written_number import parse_number
from wavemma.formats.encode import Overflow
from wavemma.formats.rounding import Rounding


def bits(
    format: str,
    /,
    *codes: str,
    value: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    target: str = "",
    rounding: Rounding = "nearest_even",
    overflow: Overflow = "special",
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Show the numbers of codes, or the codes of numbers.

    For example:

    | wavemma bits fp8 0x38 0x7f --target gfx942,gfx950

    Args:
        format: A number format, such as fp8, bf16, e8m0 or fp8_fnuz.
        codes: Codes: 0x38, 56 or 0b111000.
        value: The other way: a number, such as 1.5, 1/3, 0x1.8p3 or inf; may be repeated.
        target: What these targets mean by the format, separated by commas.
        rounding: Where numbers between two of the format go.
        overflow: What becomes of numbers that are too large.
        json: Print JSON.

    """
    if bool(codes) == bool(value):
        raise SyntaxMistake(
            "bits needs codes, or --value with a number, not both.", hint="See: wavemma bits --help"
        )
    targets = names(target)
    if codes:
        others = {
            "--rounding": rounding != "nearest_even",
            "--overflow": overflow != "special",
        }
        check_alone("A code", others, why="has one value")
    if value:
        present(
            value_codes(format, value, targets, rounding=rounding, overflow=overflow), json=json
        )
    else:
        present(_read(format, codes, targets), json=json)
    return 0


def _read(format: str, codes: tuple[str, ...], targets: tuple[str, ...]) -> CodeValues:
    """Read codes; where they may have been meant as numbers, say how those are asked for.

    Raises:
        SyntaxMistake: One is no whole number.
        OutOfRange: One has more bits than the format.

    """
    numbers = [word for word in codes if _is_number(word)]
    meant = f"wavemma bits {format} " + " ".join(f"--value={word}" for word in numbers)
    try:
        found = code_values(format, map(code, codes), targets)
    except (SyntaxMistake, OutOfRange) as error:
        if error.hint or not numbers:
            raise
        hint = f"Codes of numbers: {meant}"
        raise type(error)(error.message, subject=error.subject, hint=hint) from None
    if not numbers:
        return found
    note = f"Read as codes: {', '.join(numbers)}. For the codes of such numbers: {meant}"
    return replace(found, notes=(*found.notes, note))


def _is_number(word: str) -> bool:
    """Say whether a word may be a number: written in decimal, as a fraction or in letters."""
    try:
        parse_number(word)
    except WavemmaError:
        return False
    return not word.lower().startswith(("0x", "0b"))
