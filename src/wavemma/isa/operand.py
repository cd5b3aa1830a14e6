"""What an operand field of an instruction may name, and what one names."""

from typing import Literal

import msgspec

from wavemma.isa.encoding import Field
from wavemma.tables.instructions import OperandKind, Role

SourceKind = Literal["vgpr", "agpr", "sgpr", "special_sgpr", "inline_integer", "inline_float"]
KIND_OF: dict[SourceKind, OperandKind] = {
    "vgpr": "vgpr",
    "agpr": "agpr",
    "sgpr": "sgpr",
    "special_sgpr": "special_sgpr",
    "inline_integer": "inline_constant",
    "inline_float": "inline_constant",
}
"""The kind of operand that each kind of source code is."""


class OperandField(msgspec.Struct, frozen=True):
    """A field of an instruction that names a register, a range of them or a constant.

    Attributes:
        field: Where it stands.
        role: a, b, c, d, index, scale_a, scale_b; or cd, read as C and written as D.
        kinds: What it may name.
        accumulator: The bit that tells AGPRs from VGPRs, if the field may name both.
        has_inv_2pi: Whether 1/(2*pi) is among the constants.
        registers: How many registers, where the row says so; 0 if it follows from the layout.
        inv_2pi_text: How 1/(2*pi) is printed here, if not as elsewhere.
        inv_2pi_wave: The wave size in which it is; 0 for all.

    """

    field: Field
    role: Role
    kinds: tuple[OperandKind, ...]
    accumulator: Field | None = None
    has_inv_2pi: bool = True
    registers: int = 0
    inv_2pi_text: str = ""
    inv_2pi_wave: int = 0

    def inv_2pi_in(self, wave: int) -> str:
        """Give the text of 1/(2*pi) in waves of a size, or "" if it is as elsewhere."""
        return self.inv_2pi_text if self.inv_2pi_wave in (0, wave) else ""


class Operand(msgspec.Struct, frozen=True):
    """What one field of one instruction names.

    Attributes:
        kind: A file of registers, or a kind of constant.
        code: The source code; that of the first register of a range.
        count: Registers, 1 for constants.
        text: As the assembler writes it.
        first: Number of the first register in its file; of a constant integer, its value.

    """

    kind: SourceKind
    code: int
    count: int
    text: str
    first: int = 0

    @property
    def is_register(self) -> bool:
        """Whether it is a range of vector registers."""
        return self.kind in ("vgpr", "agpr")

    @property
    def is_constant(self) -> bool:
        """Whether it is a constant that the instruction word holds."""
        return KIND_OF[self.kind] == "inline_constant"

    @property
    def registers(self) -> range:
        """The numbers of the registers in their file; empty for constants."""
        return range(0) if self.is_constant else range(self.first, self.first + self.count)
