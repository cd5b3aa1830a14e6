"""Whose map is it? A claim held against every operand of every instruction of every target."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from wavemma.errors import SyntaxMistake, WavemmaError
from wavemma.explain.claim import Claim, Spot, crosses, in_register, places, seen, spot, transposed
from wavemma.explain.map_index import LETTER_CLASS, Use, fits, index, repeated_views
from wavemma.explain.operand import LETTERS, Operand
from wavemma.layouts import Layout

Element = dict[str, int]


class Alike(msgspec.Struct, frozen=True):
    """Another operand that has a map.

    Attributes:
        operand: Such as "D".
        instruction: Its mnemonic.
        targets: The targets where that instruction's operand has the map.
        wave: Lanes of the wave.
        half: 1 if it is the high half of each register (op_sel).

    """

    operand: str
    instruction: str
    targets: tuple[str, ...]
    wave: int
    half: int


class Owner(msgspec.Struct, frozen=True):
    """A map that is a known one.

    Attributes:
        operand: Such as "D", of the instruction nearest to the one asked about.
        instruction: Its mnemonic.
        targets: The targets where that instruction's operand has the map.
        wave: Lanes of the wave.
        transposed: Whether it is the map with rows and columns exchanged.
        half: 1 if it is the high half of each register (op_sel).
        others: The other operands that have the same map.
        times: How many of the map follow one another along k.

    """

    operand: str
    instruction: str
    targets: tuple[str, ...]
    wave: int
    transposed: bool
    half: int
    others: tuple[Alike, ...] = ()
    times: int = 1


class Judged(NamedTuple):
    """One place or element held against the right map.

    Attributes:
        place: The place; of a claim from elements to places, the one claimed (lane and slot -1
            where it says nothing).
        element: The element that is claimed, or that was asked for.
        right: What would be right: elements for a place, places for an element.
        is_right: Whether the claim is.

    """

    place: dict[str, int]
    element: Element
    right: tuple[dict[str, int], ...]
    is_right: bool


def judge(claim: Claim, layout: Layout) -> Iterator[Judged]:
    """Hold a claim against a layout, place by place or element by element.

    Args:
        claim: The claim.
        layout: A layout as `seen` gives it.

    """
    return _judge_places(claim, layout) if claim.is_forward else _judge_elements(claim, layout)


def is_determined(claim: Claim, layout: Layout) -> bool:
    """Whether the claim's words for places can tell the places of a layout apart."""
    words = {*claim.inputs, *claim.outputs}
    if {"v", "n"} & words and crosses(layout):
        return False
    alone = "v" in words and not {"n", "slot", "bit"} & words
    return not (alone and claim.is_forward and in_register(layout) > 1)


def check_entries(claim: Claim, total: int) -> None:
    """Refuse a table that is right but goes on beyond the operand's lanes and registers.

    Args:
        claim: A claim that is right for all places of an operand.
        total: How many places that are. A table by threads may list later waves too.

    Raises:
        SyntaxMistake: Says how many places it lists.

    """
    if claim.entries > total and "thread" not in claim.inputs:
        raise SyntaxMistake(
            f"A mapping must list the {total} places that hold something; this one lists"
            f" {claim.entries}, though those places are right.",
            subject=claim.entries,
            hint="Leave out the lanes and registers that the operand has not.",
        )


def owners(claim: Claim, asked: Operand) -> tuple[Owner, ...]:
    """Find all known maps that a claim equals, identical ones as one; transposed if none is plain.

    Args:
        claim: The claim.
        asked: The operand that the question is about; of several with the map, the nearest to it
            is named.

    """
    for flipped in (False, True):
        found: list[Use] = []
        for layout, uses in index().items():
            view = seen(layout, by_pairs=claim.by_pairs)
            if _equals(claim, transposed(view) if flipped else view):
                found += [use for use in uses if fits(use, view, asked)]
        if found:
            owner = nearest(found, asked, flipped=flipped)
            return (msgspec.structs.replace(owner, others=_alike(found, owner)),)
        repeated = () if flipped else _repeated(claim, asked)
        if repeated:
            return repeated
    return ()


def _repeated(claim: Claim, asked: Operand) -> tuple[Owner, ...]:
    """Find the map of a shorter instruction that a claim follows several times along k."""
    for view, uses, times in repeated_views(asked):
        if _equals(claim, view):
            return (msgspec.structs.replace(nearest(uses, asked, flipped=False), times=times),)
    return ()


def _alike(uses: Sequence[Use], owner: Owner) -> tuple[Alike, ...]:
    """List the operands with a map but for the one that is named, each with its targets."""
    targets: dict[tuple[str, str, int, int], list[str]] = {}
    for use in uses:
        letter = LETTERS.get(use.role, use.role)
        key = (use.instruction.name, letter, use.wave, use.half)
        targets.setdefault(key, []).extend(use.instruction.targets)
    targets.pop((owner.instruction, owner.operand, owner.wave, owner.half), None)
    return tuple(
        Alike(letter, name, tuple(dict.fromkeys(found)), wave, half)
        for (name, letter, wave, half), found in sorted(targets.items())
    )


def _equals(claim: Claim, layout: Layout) -> bool:
    """Whether a claim is a layout, everywhere."""
    count = layout.slots * len(layout.copies) << len(layout.lane_bits)
    if claim.entries not in (0, count) or not is_determined(claim, layout):
        return False
    if not claim.is_forward and not set(claim.inputs) <= {*layout.size, "b"}:
        return False
    try:
        return all(each.is_right for each in judge(claim, layout))
    except WavemmaError:
        return False


def _judge_places(claim: Claim, layout: Layout) -> Iterator[Judged]:
    for place, elements in places(layout):
        numbers = numbers_of(place)
        theirs = dict(claim.value(numbers))
        is_right = any(
            all(element.get(name, 0) == value for name, value in theirs.items())
            for element in elements
        )
        yield Judged(numbers, theirs, elements, is_right and bool(theirs))


def _judge_elements(claim: Claim, layout: Layout) -> Iterator[Judged]:
    for number in range(layout.elements_count):
        element = element_of(layout, number)
        theirs = dict(claim.value({"b": 0, **element}))
        right = tuple(
            numbers_of(spot(layout, each.lane, each.slot)) for each in layout.place(**element)
        )
        is_right = any(
            all(place.get(name) == value for name, value in theirs.items()) for place in right
        )
        yield Judged(theirs, element, right, is_right and bool(theirs))


def numbers_of(place: Spot, thread: int | None = None) -> dict[str, int]:
    """Name the numbers of a place; the thread is the lane unless another wave is meant."""
    return {**place._asdict(), "thread": place.lane if thread is None else thread}


def element_of(layout: Layout, number: int) -> Element:
    """Name the indices of an element by its number."""
    found: Element = {}
    for letter, size in reversed(layout.extents):
        number, found[letter] = divmod(number, size)
    return {letter: found[letter] for letter, _ in layout.extents}


def nearest(uses: Sequence[Use], asked: Operand, *, flipped: bool) -> Owner:
    """Name the use nearest to the operand asked about."""

    def distance(use: Use) -> tuple[bool, ...]:
        return (
            LETTER_CLASS.get(use.role, use.role) != LETTER_CLASS.get(asked.role, asked.role),
            use.instruction.name != asked.instruction.name,
            use.role != asked.role,
            asked.target not in use.instruction.targets,
            use.wave != asked.wave,
            use.instruction.formats["d"] != asked.instruction.formats["d"],
            use.instruction.shape != asked.instruction.shape,
        )

    best = min(uses, key=distance)
    same = [
        use
        for use in uses
        if (use.instruction.name, use.role, use.wave, use.half)
        == (best.instruction.name, best.role, best.wave, best.half)
    ]
    return Owner(
        LETTERS.get(best.role, best.role),
        best.instruction.name,
        tuple(dict.fromkeys(t for use in same for t in use.instruction.targets)),
        best.wave,
        flipped,
        best.half,
    )
