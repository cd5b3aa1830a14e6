"""What an instruction holds in registers, by role: a layout, a format and a count of registers."""

from collections.abc import Mapping
from functools import cached_property

import msgspec
import numpy as np

from wavemma.errors import OutOfRange
from wavemma.isa.instruction import Instruction
from wavemma.layouts import MATRIX_ROLES, SCALE_ROLES, Layout, Place, Role
from wavemma.layouts.movement import moved
from wavemma.tables.targets import Wave

INDEX_FORMAT = "index"

_NO_FORMATS: Mapping[str, str] = {}


class Fragment(msgspec.Struct, frozen=True, dict=True, cache_hash=True):
    """One operand in registers.

    Attributes:
        role: a, b, c, d, index, scale_a or scale_b.
        layout: Where each element lies, modifiers included.
        format: Name of the number format; "index" for positions of kept elements.
        registers: Registers of each lane; at least those that the layout fills.

    """

    role: Role
    layout: Layout
    format: str
    registers: int

    @property
    def lanes(self) -> int:
        """Lanes of the wave."""
        return self.layout.wave

    @property
    def bits(self) -> int:
        """Bits of an element."""
        return self.layout.element_bits

    @cached_property
    def matrix_shape(self) -> tuple[int, ...]:
        """The last axes of its matrix.

        A [M, K], B [K, N], C and D [M, N], each with blocks as a first axis if there are
        several. Sparse A and index [M, K/2]: the kept elements of each group side by side.
        Scales [M, K/block] and [K/block, N].
        """
        sizes = [size for letter, size in self.layout.extents if letter != "s"]
        if "s" in self.layout.size:
            sizes[-1] *= self.layout.size["s"]
        return tuple(sizes)

    @property
    def dtype(self) -> np.dtype[np.unsignedinteger]:
        """The smallest unsigned integer type of NumPy that holds an element."""
        return np.dtype(f"uint{max(8, 1 << (self.bits - 1).bit_length())}")

    def where(self, *indices: int) -> tuple[Place, ...]:
        """Find the registers and lanes of one element, every copy.

        Args:
            *indices: Along the matrix's axes as `matrix_shape` has them: row and column, with
                the block before them if there are several. A sparse A takes the row and the
                number of the kept element, 2 * group + 0 or 1.

        Raises:
            OutOfRange: Another number of indices, or one outside of the matrix.

        """
        letters = [letter for letter, _ in self.layout.extents if letter != "s"]
        if len(indices) != len(letters):
            raise OutOfRange(
                f"{self.role} takes {len(letters)} indices ({', '.join(letters)});"
                f" {len(indices)} were given.",
                subject=len(indices),
            )
        named = dict(zip(letters, indices, strict=True))
        if "s" in self.layout.size:
            kept = self.layout.size["s"]
            named["g"], named["s"] = divmod(named["g"], kept)
        return self.layout.place(**named)

    def moved(self, effects: Mapping[str, int]) -> "Fragment":
        """Apply the modifiers that move data.

        Args:
            effects: Values by the effect words of modifier rows, such as {"high_half": 1};
                those that do not concern this role are left alone.

        Raises:
            OutOfRange: A value that this operand cannot have.

        """
        return msgspec.structs.replace(self, layout=moved(self.layout, self.role, effects))


def fragment_of(
    instruction: Instruction,
    role: Role,
    wave: Wave | None = None,
    format: str | None = None,
) -> Fragment:
    """Describe one operand of an instruction, before any modifier.

    Args:
        instruction: An instruction that multiplies.
        role: a, b, c, d, index, scale_a or scale_b.
        wave: Lanes of the wave, the default wave size if None.
        format: Where several are possible, the one that the modifiers choose.

    Raises:
        EncodingMistake: The instruction has no such operand.
        UnknownFormat: The operand cannot have the format.

    """
    layout = instruction.layout(role, wave, format)
    name = INDEX_FORMAT if role == "index" else instruction.format_of(role, format)
    return Fragment(role, layout, name, instruction.registers(role, wave, format))


def fragments_of(
    instruction: Instruction,
    wave: Wave | None = None,
    formats: Mapping[str, str] = _NO_FORMATS,
) -> dict[Role, Fragment]:
    """Describe all operands of an instruction, before any modifier.

    Args:
        instruction: An instruction that multiplies.
        wave: Lanes of the wave, the default wave size if None.
        formats: By role, the format that the modifiers choose where several are possible.

    Returns:
        Fragments by role, in the order a, b, c, d, index, scale_a, scale_b.

    """
    return {
        role: fragment_of(instruction, role, wave, formats.get(role))
        for role in (*MATRIX_ROLES, *SCALE_ROLES)
        if role in instruction.roles
    }
