"""`wavemma bits`."""

from typing import Annotated

from cyclopts import Parameter

from wavemma.cli.choices import check_alone
from wavemma.cli.numbers import code, names
from wavemma.cli.output import present
from wavemma.errors import SyntaxMistake
from wavemma.explain.bits import code_values
from wavemma.explain.rounding import value_codes
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
        present(code_values(format, map(code, codes), targets), json=json)
    return 0
