"""What a compiled function of one instruction depends on."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from wavemma.engines.engine import Lane
from wavemma.fragments import Fragment
from wavemma.numerics.path import Path, Setting
from wavemma.numerics.ranges import FastPath


class WaveProduct(NamedTuple):
    """What the function must know of the instruction.

    Attributes:
        fragments: Operands where modifiers put them, by role, the result last.
        shape: Rows, columns and stored k of one block.
        blocks: Products side by side.
        path: How sums are done, every input covered.
        fast: A faster way that is right within ranges, if there is one.
        setting: Formats and options.
        signs: By operand a and b, bits to flip where k is even, and where it is odd; of a
            sparse instruction, even and odd speak of kept elements.
        c_clear: Bits to clear in C.
        c_flip: Bits to flip in C after that.
        lane_words: If not empty, memory holds the registers of one lane, then those of the
            next; by role, how many words a lane has there.

    """

    fragments: Mapping[str, Fragment]
    shape: tuple[int, int, int]
    blocks: int
    path: Path
    fast: FastPath | None
    setting: Setting
    signs: Mapping[str, tuple[int, int]]
    c_clear: int
    c_flip: int
    lane_words: Mapping[str, int] = MappingProxyType({})

    @property
    def is_sparse(self) -> bool:
        """Whether rows of B are chosen by an index."""
        return "index" in self.fragments

    @property
    def code(self) -> Lane:
        """Lane type of the codes of C and D."""
        return Lane.I64 if self.setting.d.bits > Lane.I32.bits else Lane.I32

    @property
    def has_two_signs(self) -> bool:
        """Whether partners of first and second kept elements get different signs."""
        even, odd = self.signs["b"]
        return self.is_sparse and even != odd
