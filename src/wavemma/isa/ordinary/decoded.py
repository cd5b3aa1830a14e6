"""One occurrence of an ordinary instruction: its operands and modifiers."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from wavemma.isa.ordinary.instruction import OrdinaryInstruction
from wavemma.tables.targets import Wave

Kind = Literal[
    "vgpr",
    "agpr",
    "sgpr",
    "special_sgpr",
    "inline_integer",
    "inline_float",
    "literal",
    "number",
    "off",
]


class OrdinaryOperand(msgspec.Struct, frozen=True):
    """What one operand of one instruction names.

    Attributes:
        kind: A file of registers, a constant, a number that the instruction itself reads, or
            nothing ("off").
        code: The number in the field; of vector registers 256 more than their number.
        count: Registers; of a literal, its words.
        first: Number of the first register in its file; of a whole constant, its value.
        value: Of a literal or a number: its bits.
        half: Which 16 bits of the register: 0 low, 1 high; None if all are meant.
        is_negated: Whether the sign is changed, after the absolute value.
        is_absolute: Whether the absolute value is taken.
        is_sign_extended: Whether the sign of the part that is read goes on.

    """

    kind: Kind
    code: int
    count: int = 1
    first: int = 0
    value: int = 0
    half: int | None = None
    is_negated: bool = False
    is_absolute: bool = False
    is_sign_extended: bool = False


class DecodedOrdinary(msgspec.Struct, frozen=True):
    """An ordinary instruction with its operands and modifiers.

    Attributes:
        instruction: The row, in the form that was found.
        wave: Lanes of the wave.
        operands: By role, in the order of the text: d and d_mask (results), a, b and c (sources),
            k (the literal of instructions that always have one), number, base, resource, address,
            scalar_address, scalar_offset, data, data_1. One that is not there (such as the result
            of an atomic that returns nothing) is left out.
        modifiers: The value of every modifier that the instruction takes, by word.
        literal: The 32 or 64 bits behind the instruction, or None.
        second: The other half of a dual instruction, or None. Both halves read before they write.

    """

    instruction: OrdinaryInstruction
    wave: Wave
    operands: dict[str, OrdinaryOperand]
    modifiers: dict[str, int]
    literal: int | None = None
    second: "DecodedOrdinary | None" = None

    @property
    def size_bytes(self) -> int:
        """Bytes of the whole instruction."""
        return self.instruction.size_bytes + self.literal_bytes

    @property
    def literal_bytes(self) -> int:
        """Bytes of the literal, 0 if there is none."""
        if self.literal is None:
            return 0
        second = self.second.operands.values() if self.second else ()
        return 4 * max(literal_words((*self.operands.values(), *second)), 1)


def literal_words(operands: Iterable[OrdinaryOperand]) -> int:
    """Count the words of the literal that some operands read, 0 if none reads one."""
    return max((each.count for each in operands if each.kind == "literal"), default=0)
