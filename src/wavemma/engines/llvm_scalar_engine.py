"""The engine as LLVM IR for one number at a time: plain numbers, which LLVM compiles fastest.

Vectors of one number would do, but for LLVM 22: it ends the process where one of 64 bits is added
to a bit of a constant.
"""

import llvmlite.ir as ir

from wavemma.engines.engine import Lane
from wavemma.engines.llvm_engine import LlvmEngine
from wavemma.engines.llvm_lane_types import LANE_OF_TYPE, constant, element_type
from wavemma.engines.machine import Machine


class LlvmScalarEngine(LlvmEngine):
    """Emits each operation at the builder's place, on numbers that are no vectors.

    Args:
        builder: Where instructions go.
        machine: The processor.

    """

    def __init__(self, builder: ir.IRBuilder, machine: Machine) -> None:
        super().__init__(builder, 1, machine)

    def vector_type(self, lane: Lane) -> ir.Type:
        """Give the LLVM type of a value."""
        return element_type(lane)

    def lane(self, x: ir.Value) -> Lane:
        """Tell the lane type of a value."""
        return LANE_OF_TYPE[str(x.type)]

    def constant(self, lane: Lane, number: float) -> ir.Value:
        """Give a number."""
        return constant(lane, number)

    def splat(self, scalar: ir.Value) -> ir.Value:
        """Give an LLVM scalar as it is."""
        return scalar

    def _suffix(self, value: ir.Value) -> str:
        return self.lane(value).value
