"""Which vector registers code names, whatever its kernels ask for.

A damaged file can ask for fewer registers than its code names; a wave that has only those asked
for would reach into memory that is not its own.
"""

from collections.abc import Iterator

from wavemma.isa.decode import Undecoded
from wavemma.isa.decoded import Decoded
from wavemma.isa.operand import Operand
from wavemma.isa.ordinary import DecodedOrdinary
from wavemma.isa.ordinary.decoded import OrdinaryOperand
from wavemma.machine.compiled.translate import Code


def count_vectors(code: Code, accumulator_offset: int) -> int:
    """Count the vector registers up to the last one that an instruction names.

    Args:
        code: The code.
        accumulator_offset: Number of the vector register where AGPRs begin.

    """
    first = {"vgpr": 0, "agpr": accumulator_offset}
    ends = (
        first[operand.kind] + operand.first + operand.count
        for block in code.blocks
        for placed in block.instructions
        for operand in _operands(placed.instruction)
        if operand.kind in first
    )
    return max(ends, default=0)


def _operands(
    found: Decoded | DecodedOrdinary | Undecoded,
) -> Iterator[Operand | OrdinaryOperand]:
    """Give all operands of an instruction, and of the other half of a dual one."""
    if isinstance(found, Undecoded):
        return
    yield from found.operands.values()
    if isinstance(found, DecodedOrdinary) and found.second is not None:
        yield from _operands(found.second)
