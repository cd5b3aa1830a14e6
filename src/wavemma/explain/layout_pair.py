"""Where do two targets, or two waves, keep the elements of the same operand?"""

from collections.abc import Mapping

from wavemma.errors import UnknownInstruction
from wavemma.explain.answer import Answer
from wavemma.explain.citation import distinct
from wavemma.explain.equivalents import equivalents, setup_of
from wavemma.explain.layout import RegisterLayout, layout
from wavemma.isa import catalog
from wavemma.isa.instruction import format_role
from wavemma.isa.target import target

OTHER_AXES = "The axes of the matrices differ: no element stands for one of the other side."
_NOTHING: Mapping[str, int] = {}


class LayoutPair(Answer, frozen=True, kw_only=True, tag=True):
    """The layouts of one operand on two targets.

    Attributes:
        left: The layout asked for.
        right: The one beside it.
        compared: Elements that both matrices have; 0 where their axes differ.
        elsewhere: Indices of those that lie in other lanes or bits on the right.

    """

    left: RegisterLayout
    right: RegisterLayout
    compared: int
    elsewhere: tuple[tuple[int, ...], ...]


def layout_pair(
    left: RegisterLayout,
    target_name: str,
    *,
    instruction: str | None = None,
    wave: int | None = None,
    modifiers: Mapping[str, int] = _NOTHING,
) -> LayoutPair:
    """Put the layout of an operand on another target beside one.

    Args:
        left: The layout of an operand.
        target_name: The other target; may be the same.
        instruction: The instruction there; if None, the same one, or the nearest if it is absent.
        wave: Lanes of the wave there; its default if None.
        modifiers: Modifiers there, by the keys of `moves.CHOICES`.

    Raises:
        WavemmaError: As for `layout`.

    """
    name, format = _other(left, target_name, instruction, wave)
    right = layout(
        target_name, name, left.asked.operand, wave=wave, format=format, modifiers=modifiers
    )
    both = _shared(left, right)
    lacking = () if both or left.unknown or right.unknown else (OTHER_AXES,)
    return LayoutPair(
        left=left,
        right=right,
        compared=len(both),
        elsewhere=tuple(indices for indices, same in both.items() if not same),
        evidence=distinct((*left.evidence, *right.evidence)),
        conflicts=tuple(dict.fromkeys((*left.conflicts, *right.conflicts))),
        notes=(*dict.fromkeys((*left.notes, *right.notes)), *lacking),
    )


def _other(
    left: RegisterLayout, target_name: str, instruction: str | None, wave: int | None
) -> tuple[str, str | None]:
    """Choose the instruction and the format of the other side."""
    asked = left.asked
    here = catalog.instruction(asked.instruction, asked.target)
    role = format_role(next(role for role in here.roles if role == asked.operand.lower()))
    name = instruction or asked.instruction
    try:
        there = catalog.instruction(name, target(target_name).name)
    except UnknownInstruction:
        if instruction:
            raise
        setup = setup_of(here, asked.target, asked.wave, {role: asked.format})
        found = equivalents(setup, target_name, wave)[0].setup
        return found.instruction.name, found.formats[role]
    formats = there.formats.get(role, ())
    return there.name, asked.format if asked.format in formats else None


def _shared(left: RegisterLayout, right: RegisterLayout) -> dict[tuple[int, ...], bool]:
    """Say of each element that both have whether its places are the same."""
    if [letter for letter, _ in left.extents] != [letter for letter, _ in right.extents]:
        return {}
    places = {each.indices: each.places for each in right.elements}
    return {
        each.indices: each.places == places[each.indices]
        for each in left.elements
        if each.indices in places
    }
