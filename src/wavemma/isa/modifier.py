"""A modifier of an instruction: its bits, and the values it may have."""

from functools import cached_property

import msgspec

from wavemma.isa.encoding import Encoding
from wavemma.tables.instructions import ModifierRow


class Modifier(msgspec.Struct, frozen=True, dict=True):
    """A modifier as one instruction takes it.

    A value is a number: of a mask, bit n belongs to source operand n; of a flag, 0 or 1.

    Attributes:
        row: What the table says of it.
        bits: Numbers of its bits in the instruction, low first; None where there is none.
        order: Its place among the modifiers of a line.

    """

    row: ModifierRow
    bits: tuple[int | None, ...]
    order: int

    @property
    def word(self) -> str:
        """The word that the assembler knows it by."""
        return self.row.word

    @property
    def width_bits(self) -> int:
        """Bits of a value."""
        return len(self.bits)

    @cached_property
    def default(self) -> int:
        """The value it has when a line doesn't name it."""
        return _number(self.row.default)

    @cached_property
    def allowed(self) -> int:
        """Of a mask: which of its bits may be 1."""
        return _number(self.row.allowed)

    @cached_property
    def mask(self) -> int:
        """The bits of the instruction that hold it."""
        return sum(1 << bit for bit in self.bits if bit is not None)

    @cached_property
    def is_unused(self) -> bool:
        """Whether no value of it changes what the instruction does."""
        return not any(effect not in ("", "none") for effect in self.row.effect)

    def read(self, bits: int) -> int:
        """Take the value out of the bits of an instruction."""
        return sum(
            (bits >> bit & 1) << place for place, bit in enumerate(self.bits) if bit is not None
        )

    def put(self, value: int) -> int:
        """Give the bits of an instruction in which it has a value, all others 0."""
        return sum(
            (value >> place & 1) << bit for place, bit in enumerate(self.bits) if bit is not None
        )


def modifier(row: ModifierRow, encoding: Encoding, order: int) -> Modifier:
    """Find the bits of a modifier in an encoding."""
    bits = [bit for reference in row.fields for bit in encoding.bit_numbers(reference)]
    return Modifier(row, tuple(bits), order)


def bits_text(value: int, width: int) -> str:
    """Write the bits of a mask as the assembler does: "[1,0,0]", source operand 0 first."""
    return "[" + ",".join(str(value >> place & 1) for place in range(width)) + "]"


def _number(bits: tuple[int, ...]) -> int:
    return sum(bit << place for place, bit in enumerate(bits))
