"""Modifiers that move what an operand holds: how people name them, and what they do."""

from collections.abc import Mapping
from typing import NamedTuple

from wavemma.errors import EncodingMistake, OutOfRange
from wavemma.explain.answer import Evidence
from wavemma.explain.citation import cited
from wavemma.isa.instruction import Instruction
from wavemma.isa.modifier import Modifier
from wavemma.isa.target import Wave
from wavemma.layouts import Layout, Role, movement
from wavemma.tables.layout_evidence import move_evidence

Effects = Mapping[str, int]

MOVERS: dict[Role, tuple[str, ...]] = {
    "a": ("broadcast_size",),
    "b": ("swizzle_b",),
    "c": ("high_half",),
    "d": ("high_half",),
    "index": ("index_part",),
    "scale_a": ("scale_byte_a", "scale_row_a"),
    "scale_b": ("scale_byte_b", "scale_row_b"),
}
"""The effects that, unless 0, move an operand."""

_HELPERS = {"broadcast_block": "broadcast_size", "index_set_off": "index_part"}
"""Effects that only refine another one."""


class Choice(NamedTuple):
    """A modifier as people name it: its assembler word ("" for any) and what it does."""

    word: str
    effects: tuple[str, ...]


CHOICES: dict[str, Choice] = {
    "opsel": Choice("", ("high_half",)),
    "cbsz": Choice("cbsz", ("broadcast_size", "index_set_off")),
    "abid": Choice("abid", ("broadcast_block", "index_part")),
    "blgp": Choice("blgp", ("swizzle_b",)),
    "index_key": Choice("index_key", ("index_part",)),
    "scale_byte": Choice("", ("scale_byte_a", "scale_byte_b")),
    "scale_row": Choice("", ("scale_row_a", "scale_row_b")),
}


def effects_of(
    instruction: Instruction, wave: Wave, modifiers: Mapping[str, int]
) -> dict[str, int]:
    """Turn named values into effects.

    Args:
        instruction: The instruction that takes them.
        wave: Lanes of the wave.
        modifiers: Values by the keys of CHOICES.

    Returns:
        Values by the effect words of modifier rows.

    Raises:
        EncodingMistake: The instruction takes no such modifier.
        OutOfRange: The modifier cannot have the value.

    """
    effects: dict[str, int] = {}
    for name, value in modifiers.items():
        choice = CHOICES[name]
        takers = [each for each in instruction.modifiers(wave) if _does(each, choice)]
        if not takers:
            raise EncodingMistake(
                f"{instruction.name} of {instruction.architecture} takes no {name} that moves"
                f" data; of these it takes: {_taken(instruction, wave)}.",
                subject=name,
            )
        found = {effect for each in takers for effect in each.row.effect}
        for effect in sorted(found.intersection(choice.effects)):
            _check_value(name, value, _legal(effect, takers, modifiers), takers[0])
            effects[effect] = value
    return effects


def moved(
    instruction: Instruction, role: Role, layout: Layout, effects: Effects
) -> tuple[Layout, str]:
    """Apply the effects that move an operand.

    Returns:
        The layout, and why it is not known; "" if it is.

    Raises:
        OutOfRange: A value that this operand cannot have.

    """
    for effect in MOVERS[role]:
        if effects.get(effect):
            rests = move_evidence(instruction.architecture, effect)
            if rests.grade == "unknown":
                return layout, rests.note
    return movement.moved(layout, role, effects), ""


def move_evidence_of(
    instruction: Instruction, role: Role, effects: Effects
) -> tuple[Evidence, ...]:
    """Say what the moves of an operand rest on."""
    rests = [
        (effect, move_evidence(instruction.architecture, effect))
        for effect in MOVERS[role]
        if effects.get(effect)
    ]
    return tuple(
        cited(effect.replace("_", " "), row.source, row.grade, row.note) for effect, row in rests
    )


def idle_choices(role: Role, modifiers: Mapping[str, int]) -> tuple[str, ...]:
    """List the modifiers that do not touch an operand."""
    return tuple(
        name
        for name in modifiers
        if not any(_HELPERS.get(effect, effect) in MOVERS[role] for effect in CHOICES[name].effects)
    )


def _does(modifier: Modifier, choice: Choice) -> bool:
    named = choice.word in ("", modifier.word)
    return named and bool(set(modifier.row.effect) & set(choice.effects))


def _taken(instruction: Instruction, wave: Wave) -> str:
    """List the choices that an instruction takes."""
    names = [
        name
        for name, choice in CHOICES.items()
        if any(_does(each, choice) for each in instruction.modifiers(wave))
    ]
    return ", ".join(names) or "none"


def _legal(effect: str, takers: list[Modifier], modifiers: Mapping[str, int]) -> tuple[int, ...]:
    """List the values that an effect may have."""
    row = takers[0].row
    if effect == "index_set_off":
        # Any value but 0 chooses the first set; rows list 0 as the legal one.
        return (0, 1)
    if row.below_broadcast:
        return tuple(range(1 << max(modifiers.get("cbsz", 0), 0)))
    if row.kind != "int":
        return tuple(range(1 << sum(each.row.effect.count(effect) for each in takers)))
    return row.legal


def _check_value(name: str, value: int, legal: tuple[int, ...], modifier: Modifier) -> None:
    """Refuse a value that the instruction does not take."""
    if value in legal:
        return
    text = f"{legal[0]}..{legal[-1]}" if len(legal) > 1 else str(legal[0])
    meaning = modifier.row.meaning
    reason = f" ({meaning[0]})" if meaning and modifier.row.kind == "int" else ""
    raise OutOfRange(f"{name} must be {text}; it is {value}{reason}.", subject=value)
