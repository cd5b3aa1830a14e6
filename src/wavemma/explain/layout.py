"""What is the whole layout of this operand?"""

import itertools
from collections.abc import Mapping

import msgspec

from wavemma.explain.answer import Answer
from wavemma.explain.formula_pairs import Formula, Formulas, formulas_of
from wavemma.explain.formulas import AlongRow, OuterRow, along_rows, outer_rows
from wavemma.explain.operand import (
    Asked,
    Operand,
    asked_of,
    conflicts_of,
    evidence_of,
    notes_of,
    operand,
)
from wavemma.explain.spots import Spot, spots
from wavemma.layouts import Layout, Role
from wavemma.layouts.algebra import contiguous_k, contiguous_k_positions, relabel

GROUP_BITS = 2
BARE = "a fragment"
_NOTHING: Mapping[str, int] = {}
_FACTORS: tuple[Role, ...] = ("a", "b")


class PlacedElement(msgspec.Struct, frozen=True):
    """One element and its places; indices in the order of the extents, blocks first."""

    indices: tuple[int, ...]
    places: tuple[Spot, ...]


class KOrder(msgspec.Struct, frozen=True):
    """How k may be numbered otherwise.

    One permutation of k that A, B and the index share gives the same products, summed in another
    order: exact sums are equal, rounded ones may not be.

    Attributes:
        contiguous: order[n] is the k of this layout that is k = n for a kernel whose lanes load
            neighbouring k; empty if A and B agree on no such order.
        place: The formulas of lane and slot in that numbering.

    """

    contiguous: tuple[int, ...]
    place: tuple[Formula, ...]


class RegisterLayout(Answer, frozen=True, kw_only=True, tag=True):
    """The whole layout of one operand.

    Attributes:
        asked: The operand that the question is about.
        extents: Indices and their sizes in the order of the matrix's axes, blocks first.
        element_bits: Bits of an element.
        stride_bits: Bits from one element of a lane to the next.
        offset_bits: Where the first element of a lane starts.
        slots: Elements in each lane that is used.
        registers: Registers of 32 bits in each lane.
        lanes: The lanes that hold anything.
        formulas: The layout in formulas.
        rows: Lanes and registers of each row (of B: column); empty where modifiers move lanes.
        along: What each register holds along k; only for A, B, index and scales.
        k_order: Only for A and B without moves.
        elements: Every element with all its places; empty if they are unknown.
        unknown: Why the layout is unknown; empty if it is known.

    """

    asked: Asked
    extents: tuple[tuple[str, int], ...]
    element_bits: int
    stride_bits: int
    offset_bits: int
    slots: int
    registers: int
    lanes: tuple[int, ...]
    formulas: Formulas
    rows: tuple[OuterRow, ...] = ()
    along: tuple[AlongRow, ...] = ()
    k_order: KOrder | None = None
    elements: tuple[PlacedElement, ...] = ()
    unknown: str = ""


def layout(
    target: str,
    instruction: str,
    role: str,
    *,
    wave: int | None = None,
    format: str | None = None,
    modifiers: Mapping[str, int] = _NOTHING,
) -> RegisterLayout:
    """Give the whole layout of an operand.

    Args:
        target: Such as "gfx1100".
        instruction: A mnemonic.
        role: A, B, C, D, index, scale_a or scale_b.
        wave: Lanes of the wave; the target's default if None.
        format: Where a modifier chooses the format, its name.
        modifiers: Values by the keys of `moves.CHOICES`.

    Raises:
        WavemmaError: As for `operand`.

    """
    chosen = operand(target, instruction, role, wave=wave, format=format, modifiers=modifiers)
    placed = chosen.layout
    elements = () if chosen.unknown else _elements(placed)
    plain = not placed.has_moves and not chosen.unknown
    return RegisterLayout(
        asked=asked_of(chosen),
        extents=placed.extents,
        element_bits=placed.element_bits,
        stride_bits=placed.stride_bits,
        offset_bits=placed.offset_bits,
        slots=placed.slots,
        registers=placed.registers,
        lanes=tuple(sorted({spot.lane for each in elements for spot in each.places})),
        formulas=formulas_of(placed),
        rows=outer_rows(placed, chosen.role) if plain else (),
        along=along_rows(placed, chosen.role) if plain and chosen.role not in ("c", "d") else (),
        k_order=_k_order(chosen) if plain else None,
        elements=elements,
        unknown=chosen.unknown,
        evidence=evidence_of(chosen),
        conflicts=conflicts_of(chosen),
        notes=(*notes_of(chosen, modifiers), *_gap_note(placed)),
    )


def bare_layout(placed: Layout, name: str, format: str, registers: int | None) -> RegisterLayout:
    """Tell a layout by itself, which no instruction and no source stand behind.

    Args:
        placed: The layout.
        name: Letter or name of the operand.
        format: Name of its number format.
        registers: Registers of each lane; those that it fills if None.

    """
    elements = _elements(placed)
    return RegisterLayout(
        asked=Asked("", BARE, name, placed.wave, format, {}),
        extents=placed.extents,
        element_bits=placed.element_bits,
        stride_bits=placed.stride_bits,
        offset_bits=placed.offset_bits,
        slots=placed.slots,
        registers=registers or placed.registers,
        lanes=tuple(sorted({spot.lane for each in elements for spot in each.places})),
        formulas=formulas_of(placed),
        elements=elements,
        evidence=(),
    )


def _elements(placed: Layout) -> tuple[PlacedElement, ...]:
    letters = [letter for letter, _ in placed.extents]
    return tuple(
        PlacedElement(indices, spots(placed.place(**dict(zip(letters, indices, strict=True)))))
        for indices in itertools.product(*(range(size) for _, size in placed.extents))
    )


def _k_order(chosen: Operand) -> KOrder | None:
    """Number k as kernels do whose lanes load neighbouring k."""
    if chosen.role not in _FACTORS:
        return None
    a, b = (
        chosen.layout if role == chosen.role else chosen.sibling(role).layout for role in _FACTORS
    )
    order = contiguous_k(a, b)
    if order is None:
        return KOrder((), ())
    positions = contiguous_k_positions(chosen.layout)
    if "g" in chosen.layout.size:
        groups = tuple(position - GROUP_BITS for position in positions[GROUP_BITS:])
        renumbered = relabel(chosen.layout, "g", groups)
    else:
        renumbered = relabel(chosen.layout, "k", positions)
    return KOrder(order, formulas_of(renumbered).place)


def _gap_note(placed: Layout) -> tuple[str, ...]:
    """Say what lies between the elements, if anything does."""
    gap = placed.stride_bits - placed.element_bits
    if not gap:
        return ()
    return (
        f"Only {placed.element_bits} of each {placed.stride_bits} bits belong to the matrix; the"
        " others are no results.",
    )
