"""Where is this element?"""

from collections.abc import Iterator, Mapping

import msgspec

from wavemma.errors import EncodingMistake, OutOfRange
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
from wavemma.explain.spots import Spot, element_name, spots
from wavemma.layouts import GROUP

_NOTHING: Mapping[str, int] = {}


class Kept(msgspec.Struct, frozen=True):
    """One of the two elements that a sparse A keeps of a group.

    Attributes:
        s: 0 or 1.
        places: Where the kept element lies; empty in a question about the index itself.
        index_places: Where the two index bits lie that give its position in the group.
        holds_if: The element asked for is this one if those bits are this number; None if it
            cannot be, as positions ascend.

    """

    s: int
    places: tuple[Spot, ...]
    index_places: tuple[Spot, ...]
    holds_if: int | None


class OtherWave(msgspec.Struct, frozen=True):
    """Where the element lies in waves of another size that the target has.

    Attributes:
        wave: Lanes of the wave.
        places: All places; of a sparse A, those of the kept elements that the element may be.

    """

    wave: int
    places: tuple[Spot, ...]


class Element(Answer, frozen=True, kw_only=True, tag=True):
    """Where one element lies.

    Attributes:
        asked: The operand that the question is about.
        element: The element in words, such as "D[2][3]".
        indices: Its indices by letter; of a sparse A, i and k.
        places: All places; copies must all be loaded. Of a sparse A, those of the kept elements
            that the element may be.
        kept: Only for a sparse A and its index.
        formulas: The whole layout.
        unknown: Why the places are unknown; empty if they are known.
        other_waves: The same in the target's other wave size, if it has one.

    """

    asked: Asked
    element: str
    indices: dict[str, int]
    places: tuple[Spot, ...]
    kept: tuple[Kept, ...] = ()
    formulas: Formulas
    unknown: str = ""
    other_waves: tuple[OtherWave, ...] = ()


def where(
    target: str,
    instruction: str,
    role: str,
    row: int,
    column: int,
    *,
    block: int = 0,
    wave: int | None = None,
    format: str | None = None,
    modifiers: Mapping[str, int] = _NOTHING,
) -> Element:
    """Find all places of one element.

    Args:
        target: Such as "gfx1100".
        instruction: A mnemonic.
        role: A, B, C, D, index, scale_a or scale_b.
        row: i of A, C, D, index and scale_a; k of B; the number of the scale for scale_b.
        column: k of A (of the whole A if it is sparse) and of the index; j of B, C, D and
            scale_b; the number of the scale along k for scale_a.
        block: Which product, of an instruction that computes several.
        wave: Lanes of the wave; the target's default if None.
        format: Where a modifier chooses the format, its name.
        modifiers: Values by the keys of `moves.CHOICES`.

    Raises:
        OutOfRange: An index is outside of the matrix.
        WavemmaError: As for `operand`.

    """
    chosen = operand(target, instruction, role, wave=wave, format=format, modifiers=modifiers)
    indices = _indices(chosen, row, column, block)
    kept = _kept(chosen, indices)
    return Element(
        asked=asked_of(chosen),
        element=_name(chosen, indices),
        indices=indices,
        places=() if chosen.unknown else _places(chosen, indices),
        kept=() if chosen.unknown else kept,
        formulas=formulas_of(chosen.layout),
        unknown=chosen.unknown,
        other_waves=tuple(_other_waves(chosen, modifiers, indices)),
        evidence=evidence_of(chosen),
        conflicts=conflicts_of(chosen),
        notes=notes_of(chosen, modifiers),
    )


def _other_waves(
    chosen: Operand, modifiers: Mapping[str, int], indices: Mapping[str, int]
) -> Iterator[OtherWave]:
    """Answer for the other wave size, if it can have these modifiers."""
    for wave in chosen.instruction.waves:
        if wave == chosen.wave:
            continue
        asked = (chosen.target, chosen.instruction.name, chosen.role)
        try:
            other = operand(*asked, wave=wave, format=chosen.format, modifiers=modifiers)
        except (OutOfRange, EncodingMistake):
            continue
        if not other.unknown:
            yield OtherWave(wave, _places(other, indices))


def _indices(chosen: Operand, row: int, column: int, block: int) -> dict[str, int]:
    """Name row, column and block by the letters of the operand, and check them."""
    sizes = chosen.layout.size
    if "s" in sizes:
        sizes = {"i": sizes["i"], "k": sizes["g"] * GROUP}
    letters = [letter for letter in sizes if letter != "b"]
    for words, letter, value in zip(("ROW", "COLUMN"), letters, (row, column), strict=True):
        _check(chosen, f"{words} ({letter})", value, sizes[letter])
    _check(chosen, "the block", block, sizes.get("b", 1))
    blocks = {"b": block} if "b" in sizes else {}
    return {**blocks, letters[0]: row, letters[1]: column}


def _check(chosen: Operand, what: str, value: int, size: int) -> None:
    if not 0 <= value < size:
        raise OutOfRange(
            f"{what} of {chosen.letter} of {chosen.instruction.name} must be 0..{size - 1}; it is"
            f" {value}.",
            subject=value,
        )


def _name(chosen: Operand, indices: Mapping[str, int]) -> str:
    if "s" in chosen.layout.size:
        return f"{chosen.letter}[{indices['i']}][{indices['k']}]"
    return element_name(chosen, indices)


def _places(chosen: Operand, indices: Mapping[str, int]) -> tuple[Spot, ...]:
    """List the places of an element; of a sparse A and its index, those that may hold it."""
    kept = _kept(chosen, indices)
    if not kept:
        return spots(chosen.layout.place(**indices))
    return tuple(
        spot
        for each in kept
        for spot in (each.places or each.index_places)
        if each.holds_if is not None or not each.places
    )


def _kept(chosen: Operand, indices: Mapping[str, int]) -> tuple[Kept, ...]:
    """Tell both kept elements of the group of a sparse A, and where the index names them."""
    if "s" not in chosen.layout.size:
        return ()
    group, position = divmod(indices["k"], GROUP)
    index = chosen.sibling("index")
    found = []
    for s in (0, 1):
        named = {"i": indices["i"], "g": group, "s": s}
        # The position of the first kept element is below that of the second.
        possible = position < GROUP - 1 if s == 0 else position > 0
        places = () if chosen.role == "index" else spots(chosen.layout.place(**named))
        index_places = () if index.unknown else spots(index.layout.place(**named))
        found.append(Kept(s, places, index_places, position if possible else None))
    return tuple(found)
