"""What lies in this register of this lane?"""

from collections.abc import Mapping

import msgspec

from wavemma.explain.answer import Answer
from wavemma.explain.formula_pairs import Formulas, formulas_of
from wavemma.explain.operand import (
    Asked,
    Operand,
    asked_of,
    conflicts_of,
    evidence_of,
    notes_of,
    operand,
)
from wavemma.explain.spots import Bits, element_name
from wavemma.layouts import Place
from wavemma.layouts.layout import check_range

_NOTHING: Mapping[str, int] = {}


class Held(msgspec.Struct, frozen=True):
    """An element in a register: its name, indices, and the bits of this register it takes."""

    element: str
    indices: dict[str, int]
    bits: Bits


class RegisterContents(Answer, frozen=True, kw_only=True, tag=True):
    """What one register of one lane holds.

    Attributes:
        asked: The operand that the question is about.
        lane: Lane of the wave.
        register: Counted from the operand's first one.
        held: The elements, low bits first; empty if none.
        formulas: The whole layout.
        unknown: Why it is unknown; empty if it is known.

    """

    asked: Asked
    lane: int
    register: int
    held: tuple[Held, ...]
    formulas: Formulas
    unknown: str = ""


def contents(
    target: str,
    instruction: str,
    role: str,
    lane: int,
    register: int,
    *,
    wave: int | None = None,
    format: str | None = None,
    modifiers: Mapping[str, int] = _NOTHING,
) -> RegisterContents:
    """Find what one register of one lane holds.

    Args:
        target: Such as "gfx1100".
        instruction: A mnemonic.
        role: A, B, C, D, index, scale_a or scale_b.
        lane: 0..wave-1.
        register: Counted from the operand's first one.
        wave: Lanes of the wave; the target's default if None.
        format: Where a modifier chooses the format, its name.
        modifiers: Values by the keys of `moves.CHOICES`.

    Raises:
        OutOfRange: The lane or the register does not exist.
        WavemmaError: As for `operand`.

    """
    chosen = operand(target, instruction, role, wave=wave, format=format, modifiers=modifiers)
    check_range("lane", lane, chosen.layout.wave)
    check_range("register", register, chosen.layout.registers)
    return RegisterContents(
        asked=asked_of(chosen),
        lane=lane,
        register=register,
        held=() if chosen.unknown else _held(chosen, lane, register),
        formulas=formulas_of(chosen.layout),
        unknown=chosen.unknown,
        evidence=evidence_of(chosen),
        conflicts=conflicts_of(chosen),
        notes=notes_of(chosen, modifiers),
    )


def _held(chosen: Operand, lane: int, register: int) -> tuple[Held, ...]:
    layout = chosen.layout
    held = []
    for slot in range(layout.slots):
        first, low = layout.position(slot)
        for piece in Place(first, lane, slot, low, low + layout.element_bits - 1).pieces():
            if piece.register == register:
                bits = Bits(register, piece.bit_hi, piece.bit_lo)
                held += [
                    Held(element_name(chosen, each), each, bits)
                    for each in layout.elements(lane, slot)
                ]
    return tuple(held)
