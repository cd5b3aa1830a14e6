"""How does the index of a sparse instruction stand in its registers?"""

from collections.abc import Mapping

import msgspec

from wavemma.errors import Unsupported
from wavemma.explain.answer import Answer
from wavemma.explain.formula_pairs import Formulas, formulas_of
from wavemma.explain.instruction_name import instruction_named
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
from wavemma.fragments.compressed import check_sparse, index_parts
from wavemma.layouts import GROUP, KEPT

_NOTHING: Mapping[str, int] = {}
_PARTS = ("index_part", "index_set_off")

PAIR_NOTE = (
    "Of the four bits of a group, bits 1:0 give the place of the first kept element among its four"
    " along k, bits 3:2 that of the second; legal are 0x4, 0x8, 0xc, 0x9, 0xd and 0xe."
)


class Selector(msgspec.Struct, frozen=True):
    """A modifier that chooses a part of the index register: its word, values and meaning."""

    word: str
    values: tuple[int, ...]
    meaning: str


class GroupPlace(msgspec.Struct, frozen=True):
    """Where the bits of one group of row 0 stand, those of the first kept element first."""

    group: int
    first_k: int
    last_k: int
    places: tuple[Spot, ...]


class SparseIndex(Answer, frozen=True, kw_only=True, tag=True):
    """The index operand of a sparse instruction.

    Attributes:
        asked: The operand.
        shape: M, N and the K that the kept elements span.
        groups_per_lane: Groups of four along k whose places a lane holds.
        bits_per_lane: Bits that they take.
        registers: Registers of the operand.
        parts: How many such indices one operand has room for.
        part: Which of them is read.
        selectors: The modifiers that choose it.
        row: Where the groups of row 0 stand; empty if that is unknown.
        formulas: The whole layout.
        unknown: Why the places are unknown; empty if they are known.

    """

    asked: Asked
    shape: tuple[int, int, int]
    groups_per_lane: int
    bits_per_lane: int
    registers: int
    parts: int
    part: int
    selectors: tuple[Selector, ...]
    row: tuple[GroupPlace, ...]
    formulas: Formulas
    unknown: str = ""


def explain_index(
    target: str,
    instruction: str,
    *,
    wave: int | None = None,
    format: str | None = None,
    modifiers: Mapping[str, int] = _NOTHING,
) -> SparseIndex:
    """Say how the index of a sparse instruction stands in its registers.

    Args:
        target: Such as "gfx942".
        instruction: A mnemonic.
        wave: Lanes of the wave; the target's default if None.
        format: Format of A where a modifier chooses it.
        modifiers: Values by the keys of `moves.CHOICES`: abid, cbsz, index_key.

    Raises:
        EncodingMistake: The instruction is not sparse.
        WavemmaError: As for `operand`.

    """
    chosen = index_operand(target, instruction, wave=wave, format=format, modifiers=modifiers)
    layout, found = chosen.layout, chosen.instruction
    off = chosen.effects.get("index_set_off", 0)
    return SparseIndex(
        asked=asked_of(chosen),
        shape=found.shape,
        groups_per_lane=layout.slots // KEPT,
        bits_per_lane=layout.slots * layout.stride_bits,
        registers=found.registers("index", chosen.wave, chosen.format),
        parts=index_parts(found, chosen.wave, chosen.format),
        part=0 if off else chosen.effects.get("index_part", 0),
        selectors=_selectors(chosen),
        row=() if chosen.unknown else _row(chosen),
        formulas=formulas_of(layout),
        unknown=chosen.unknown,
        evidence=evidence_of(chosen),
        conflicts=conflicts_of(chosen),
        notes=(PAIR_NOTE, *notes_of(chosen, modifiers)),
    )


def index_operand(
    target: str,
    instruction: str,
    *,
    wave: int | None = None,
    format: str | None = None,
    modifiers: Mapping[str, int] = _NOTHING,
    must_be_known: bool = False,
) -> Operand:
    """Find the index operand of a sparse instruction.

    Args:
        target: Such as "gfx942".
        instruction: A mnemonic.
        wave: Lanes of the wave; the target's default if None.
        format: Format of A where a modifier chooses it.
        modifiers: Values by the keys of `moves.CHOICES`.
        must_be_known: Refuse a part of the register whose place is unknown.

    Raises:
        EncodingMistake: The instruction is not sparse.
        Unsupported: The place is unknown and must not be.
        WavemmaError: As for `operand`.

    """
    check_sparse(instruction_named(instruction, target))
    chosen = operand(target, instruction, "index", wave=wave, format=format, modifiers=modifiers)
    if must_be_known and chosen.unknown:
        raise Unsupported(
            f"Where this part of the index of {chosen.instruction.name} stands is unknown:"
            f" {chosen.unknown}.",
            subject=chosen.instruction.name,
            hint="Leave the modifier out to use the first part.",
        )
    return chosen


def _selectors(chosen: Operand) -> tuple[Selector, ...]:
    return tuple(
        Selector(each.word, each.row.legal, "; ".join(each.row.meaning))
        for each in chosen.instruction.modifiers(chosen.wave)
        if set(each.row.effect) & set(_PARTS)
    )


def _row(chosen: Operand) -> tuple[GroupPlace, ...]:
    layout = chosen.layout
    return tuple(
        GroupPlace(
            group,
            group * GROUP,
            group * GROUP + GROUP - 1,
            spots(place for s in range(KEPT) for place in layout.place(i=0, g=group, s=s)),
        )
        for group in range(layout.size["g"])
    )
