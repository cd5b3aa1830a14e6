"""wavemma scale: block scales."""

from typing import Annotated, Literal

from cyclopts import Parameter

from wavemma.cli.modifiers import DEFAULTS, Moves
from wavemma.cli.numbers import code, names
from wavemma.cli.output import present
from wavemma.explain.scale_place import scale_place
from wavemma.explain.scaling import scale_values, scale_words

NO = 1


def value(
    *codes: str,
    format: str | None = None,
    target: str = "",
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Show the numbers of scale bytes.

    For example:

    | wavemma scale value 0x7f 0x80 --format e8m0

    Args:
        codes: Bytes: 0x7f, 127 or 0b1111111.
        format: Only this scale format: e8m0, e5m3 or e4m3.
        target: Only the formats that these targets take, separated by commas.
        json: Print JSON.

    """
    found = scale_values(map(code, codes), format=format, targets=names(target))
    present(found, json=json)
    return 0


def word(
    *codes: str,
    format: str | None = None,
    target: str = "",
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Build the register word of scale bytes.

    For example:

    | wavemma scale word 0x7f --format e8m0

    Args:
        codes: One byte for the whole register, or four or eight, the lowest first.
        format: Only this scale format: e8m0, e5m3 or e4m3.
        target: Only the formats that these targets take, separated by commas.
        json: Print JSON.

    """
    found = scale_words([*map(code, codes)], format=format, targets=names(target))
    present(found, json=json)
    return 0


def where(
    target: str,
    op: str,
    operand: Literal["A", "B", "a", "b"],
    row: int,
    k: int,
    /,
    *,
    wave: Literal[32, 64] | None = None,
    moves: Moves = DEFAULTS,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Find the scale of one element.

    For example:

    | wavemma scale where gfx950 v_mfma_scale_f32_16x16x128_f8f6f4 A 0 40

    Args:
        target: Such as gfx950, or a product such as MI355X.
        op: A scaled instruction, such as v_mfma_scale_f32_16x16x128_f8f6f4.
        operand: A or B.
        row: Row of A, or column of B.
        k: k of the element.
        wave: Lanes of the wave; the target's default if not given.
        moves: Which byte (scale_byte) or half of the lanes (scale_row) is read.
        json: Print JSON.

    """
    found = scale_place(target, op, operand, row, k, wave=wave, modifiers=moves.given())
    present(found, json=json)
    return 0 if found.places else NO
