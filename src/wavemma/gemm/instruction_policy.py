"""The compute policy that a matrix instruction gives by itself."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wavemma.errors import Unsupported
from wavemma.execute.compiled import compiled_instruction
from wavemma.formats import code_dtype, codes_of, number_format, typed
from wavemma.fragments import Fragment, fragments_of
from wavemma.gemm.choice import is_dense
from wavemma.gemm.lane_words import from_registers, to_registers
from wavemma.gemm.policies import Array, ComputePolicy
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.layouts.arrays import elements
from wavemma.tables.targets import Wave


@dataclass(frozen=True)
class InstructionPolicy(ComputePolicy):
    """A policy whose every part follows from an instruction's row.

    Element n of a lane is slot n of the instruction's layout, as compilers number the elements
    of a builtin's vectors. An instruction of several blocks takes rows of A block after block
    and the same columns of B for all of them.

    Args:
        instruction: A dense instruction.
        target: Name of the target.
        wave: Lanes of a wave.
        a: Format of A.
        b: Format of B.
        signed: Whether integers of A and of B are signed, where the instruction leaves it open.
        order: For each place along the instruction's k, the k that is loaded there; ascending
            if empty.
        model: An arithmetic model other than the row's.

    """

    instruction: Instruction
    target: str
    wave: Wave
    a: str
    b: str
    signed: tuple[bool, bool] = (True, True)
    order: tuple[int, ...] = ()
    model: str | None = None

    @property
    def thread_tile_m(self) -> int:  # type: ignore[override]
        """Rows of D of a wave, all blocks together."""
        return self.instruction.shape[0] * self.instruction.blocks
