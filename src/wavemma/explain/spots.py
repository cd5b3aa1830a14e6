"""Places and elements as answers tell them."""

from collections.abc import Iterable, Mapping

import msgspec

from wavemma.explain.operand import Operand
from wavemma.layouts import Place


class Bits(msgspec.Struct, frozen=True):
    """Bits hi..lo of one register, both inside; registers count from the operand's first."""

    register: int
    hi: int
    lo: int


class Spot(msgspec.Struct, frozen=True):
    """One place of an element: a lane and bits, low ones first if they run over a border."""

    lane: int
    slot: int
    bits: tuple[Bits, ...]


def spots(places: Iterable[Place]) -> tuple[Spot, ...]:
    """Tell places in registers, one a copy."""
    return tuple(
        Spot(
            place.lane,
            place.slot,
            tuple(Bits(each.register, each.bit_hi, each.bit_lo) for each in place.pieces()),
        )
        for place in places
    )


def element_name(asked: Operand, indices: Mapping[str, int]) -> str:
    """Name an element: "D[2][3]", "A[0][5] of block 2", "A[2] group 1, kept 0"."""
    if "s" in asked.layout.size:
        name = f"{asked.letter}[{indices['i']}] group {indices['g']}, kept {indices['s']}"
    else:
        axes = "".join(f"[{indices[letter]}]" for letter in asked.layout.size if letter != "b")
        name = f"{asked.letter}{axes}"
    return f"{name} of block {indices['b']}" if "b" in asked.layout.size else name
