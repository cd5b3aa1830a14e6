"""One occurrence of an instruction: what its fields name and what its modifiers are."""

from functools import cached_property

import msgspec

from wavemma.errors import EncodingMistake
from wavemma.isa.instruction import Instruction
from wavemma.isa.modifier import Modifier
from wavemma.isa.operand import Operand
from wavemma.tables.targets import Wave

NO_EFFECT = ("", "none")


class Decoded(msgspec.Struct, frozen=True, dict=True):
    """An instruction with its operands and modifiers.

    Attributes:
        instruction: The row.
        wave: Lanes of the wave; counts of registers and some modifiers depend on it.
        operands: What each operand field names, by the name of the field.
        modifiers: The value of every modifier that the instruction takes, by word; bit n of a
            mask belongs to source operand n.
        faults: Why it is not legal although it can be encoded; empty if it is legal.

    """

    instruction: Instruction
    wave: Wave
    operands: dict[str, Operand]
    modifiers: dict[str, int]
    faults: tuple[str, ...] = ()

    @property
    def size_bytes(self) -> int:
        """Bytes of the instruction."""
        return self.instruction.size_bytes

    @property
    def is_legal(self) -> bool:
        """Whether nothing is known against running it."""
        return not self.faults

    def operand(self, role: str) -> Operand:
        """Give what holds a role; C and D find an operand that is both.

        Args:
            role: a, b, c, d, index, scale_a or scale_b.

        Raises:
            EncodingMistake: The instruction has no such operand.

        """
        return self.operands[self.instruction.operand_of(role).field.name]

    @cached_property
    def effects(self) -> dict[str, int]:
        """What the modifiers do, by the effect names of the rows.

        Where bits of several modifiers have one effect they are put together, the first one low.
        Effects that the instruction doesn't have are absent.
        """
        found: dict[str, int] = {}
        widths: dict[str, int] = {}
        for each in self.instruction.modifiers(self.wave):
            for effect, value, width in _parts(each, self.modifiers[each.word]):
                found[effect] = found.get(effect, 0) | value << widths.get(effect, 0)
                widths[effect] = widths.get(effect, 0) + width
        return found

    @cached_property
    def formats(self) -> dict[str, str]:
        """The format of each role, as the modifiers choose it.

        Raises:
            EncodingMistake: A modifier holds a code without a format.

        """
        return {role: format_of(self.instruction, role, self.effects) for role in self.roles}

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that have a format."""
        return tuple(self.instruction.formats)


def format_of(instruction: Instruction, role: str, effects: dict[str, int]) -> str:
    """Choose the format of a role by the effects of the modifiers.

    Raises:
        EncodingMistake: The code has no format.

    """
    formats = instruction.formats[role]
    name = role.partition("_")[2]
    code = effects.get(f"scale_format_{name}" if name else f"format_{role}", 0)
    if code < len(formats):
        return formats[code]
    raise EncodingMistake(
        f"The format code of {role} must be 0..{len(formats) - 1}; it is {code}.",
        subject=code,
        allowed=formats,
    )


def _parts(each: Modifier, value: int) -> list[tuple[str, int, int]]:
    """Take a modifier apart into effect, value and width: a mask gives one part a bit."""
    if each.row.kind != "mask":
        parts = [(each.row.effect[0], value, each.width_bits)]
    else:
        parts = [(name, value >> n & 1, 1) for n, name in enumerate(each.row.effect)]
    return [part for part in parts if part[0] not in NO_EFFECT]
