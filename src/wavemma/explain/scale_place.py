"""Where is the scale of an element?"""

from collections.abc import Mapping

import msgspec

from wavemma.errors import EncodingMistake, OutOfRange
from wavemma.explain.answer import Answer
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
from wavemma.isa import catalog
from wavemma.isa.target import target as target_named

_NOTHING: Mapping[str, int] = {}
ELSEWHERE = (
    "A scale need not lie in the lane of the numbers that it scales: `wavemma where` gives theirs."
)


class ScaleChoice(msgspec.Struct, frozen=True):
    """A modifier that says which scale is read, or how: its word and what it does."""

    word: str
    meaning: str


class ScalePlace(Answer, frozen=True, kw_only=True, tag=True):
    """Where the scale of an element lies.

    Attributes:
        asked: The scale operand.
        element: The element that is scaled, such as "A[3][40]".
        scale: Row or column of its scale, and the number along k.
        first_k: First k of the block that shares the scale; last_k is the last one.
        block: Elements of a block.
        places: Register, bits and lane.
        byte: Byte of the register, 0 the lowest.
        formats: Formats that the scale may have.
        choices: Modifiers that say which scale is read.
        unknown: Why the place is unknown; empty if it is known.

    """

    asked: Asked
    element: str
    scale: tuple[int, int]
    first_k: int
    last_k: int
    block: int
    places: tuple[Spot, ...]
    byte: int
    formats: tuple[str, ...]
    choices: tuple[ScaleChoice, ...]
    unknown: str = ""


def scale_place(
    target: str,
    instruction: str,
    role: str,
    row: int,
    k: int,
    *,
    wave: int | None = None,
    modifiers: Mapping[str, int] = _NOTHING,
) -> ScalePlace:
    """Find the scale of one element of A or B.

    Args:
        target: Such as "gfx950".
        instruction: A mnemonic of a scaled instruction.
        role: "A" or "B", in any case.
        row: i of A, j of B.
        k: k of the element.
        wave: Lanes of the wave; the target's default if None.
        modifiers: Values by the keys of `moves.CHOICES`: scale_byte, scale_row.

    Raises:
        EncodingMistake: The instruction has no scales.
        OutOfRange: An index is outside of the matrix.
        WavemmaError: As for `operand`.

    """
    chosen = _scale_operand(target, instruction, role, wave, modifiers)
    letter = chosen.role[-1]
    axis = "i" if letter == "a" else "j"
    block = chosen.instruction.matrix.scale_block
    _check(chosen, axis, row, chosen.layout.size[axis])
    _check(chosen, "k", k, chosen.instruction.shape[2])
    number = k // block
    found = chosen.layout.place(**{axis: row, "q": number})
    element = f"A[{row}][{k}]" if letter == "a" else f"B[{k}][{row}]"
    return ScalePlace(
        asked=asked_of(chosen),
        element=element,
        scale=(row, number),
        first_k=number * block,
        last_k=number * block + block - 1,
        block=block,
        places=() if chosen.unknown else spots(found),
        byte=found[0].bit_lo // 8,
        formats=chosen.instruction.formats[chosen.role],
        choices=_choices(chosen, letter),
        unknown=chosen.unknown,
        evidence=evidence_of(chosen),
        conflicts=conflicts_of(chosen),
        notes=(ELSEWHERE, *notes_of(chosen, modifiers)),
    )


def _scale_operand(
    target: str, instruction: str, role: str, wave: int | None, modifiers: Mapping[str, int]
) -> Operand:
    target = target_named(target).name
    found = instruction_named(instruction, target)
    if not found.is_scaled:
        scaled = [each.name for each in catalog.instructions(target) if each.is_scaled]
        raise EncodingMistake(
            f"{found.name} has no block scales.",
            subject=found.name,
            allowed=scaled,
            hint=f"{target} has {', '.join(scaled) or 'no scaled instruction'}.",
        )
    name = role.lower().removeprefix("scale_")
    return operand(target, instruction, f"scale_{name}", wave=wave, modifiers=modifiers)


def _check(chosen: Operand, letter: str, value: int, size: int) -> None:
    if not 0 <= value < size:
        raise OutOfRange(
            f"{letter} of {chosen.letter} of {chosen.instruction.name} must be 0..{size - 1}; it"
            f" is {value}.",
            subject=value,
        )


def _choices(chosen: Operand, letter: str) -> tuple[ScaleChoice, ...]:
    """List the modifiers that concern the scales of A or of B."""
    found = []
    for each in chosen.instruction.modifiers(chosen.wave):
        effects = each.row.effect
        bits = [n for n, effect in enumerate(effects) if effect in _effects(letter)]
        for bit in bits:
            word = f"{each.word}[{bit}]" if each.row.kind == "mask" else each.word
            meaning = each.row.meaning[bit] if bit < len(each.row.meaning) else ""
            values = ", ".join(f"{n} {name}" for n, name in enumerate(each.row.values))
            found.append(ScaleChoice(word, meaning or values))
    return tuple(found)


def _effects(letter: str) -> tuple[str, ...]:
    return tuple(f"scale_{what}_{letter}" for what in ("byte", "row", "format"))
