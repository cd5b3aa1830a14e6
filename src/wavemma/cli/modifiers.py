"""The modifiers that move data, as options of commands."""

from dataclasses import dataclass
from typing import Literal

from cyclopts import Parameter


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Moves:
    """Modifiers that move what an operand holds.

    Attributes:
        opsel: 1 for 16-bit results in the high half of each register (op_sel[2]).
        cbsz: Broadcast of blocks of A, or (sparse) 1 to ignore abid.
        abid: Which block of A is broadcast, or (sparse) which part of the index register is used.
        blgp: Lane swizzle of B.
        index_key: Which part of the index register is used.
        scale_byte: Which byte of the scale register is used.
        scale_row: Which half of the lanes holds the scales.

    """

    opsel: Literal[0, 1] | None = None
    cbsz: int | None = None
    abid: int | None = None
    blgp: int | None = None
    index_key: int | None = None
    scale_byte: int | None = None
    scale_row: int | None = None

    def given(self) -> dict[str, int]:
        """Name the modifiers that the line has."""
        return {name: value for name, value in vars(self).items() if value is not None}


DEFAULTS = Moves()
