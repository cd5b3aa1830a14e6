"""wavemma scale: block scales."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Literal

from cyclopts import Parameter
from msgspec.structs import replace

from wavemma.cli.k_range import k_range
from wavemma.cli.modifiers import DEFAULTS, Moves
from wavemma.cli.numbers import code, names
from wavemma.cli.output import present
from wavemma.explain.scale_place import ScalePlace, scale_place
from wavemma.explain.scaling import scale_values, scale_words
from wavemma.explain.spots import Spot

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
    k: str,
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
        k: k of the element, or several: 64..95, or 64:96 without its end.
        wave: Lanes of the wave; the target's default if not given.
        moves: Which byte (scale_byte) or half of the lanes (scale_row) is read.
        json: Print JSON.

    """
    first, last = k_range(k)
    place = partial(scale_place, target, op, operand, row, wave=wave, modifiers=moves.given())
    found = place(first)
    place(last)
    if first != last:
        starts = range(found.first_k, last + 1, found.block)
        found = replace(found, notes=(_of_range(first, last, map(place, starts)), *found.notes))
    present(found, json=json)
    return 0 if found.places else NO


def _of_range(first: int, last: int, blocks: Iterable[ScalePlace]) -> str:
    """Say that several k share one scale, or list the scales of their blocks."""
    lines = [
        f"k {each.first_k}..{each.last_k}: "
        + " and ".join(_written(spot) for spot in each.places or ())
        for each in blocks
    ]
    if len(lines) == 1:
        return f"All of k {first}..{last} have this one scale."
    return f"k {first}..{last} have {len(lines)} scales; the first is above. {'; '.join(lines)}."


def _written(spot: Spot) -> str:
    """Write a place: v0[7:0], lane 19."""
    pieces = " ".join(f"v{each.register}[{each.hi}:{each.lo}]" for each in spot.bits)
    return f"{pieces}, lane {spot.lane}"
