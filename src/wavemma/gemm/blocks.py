"""Cutting a matrix product into blocks that bound memory and share out work."""

from dataclasses import dataclass

# Prepared operands of one pass stay below this many bytes, A and B each.
PANEL_BYTES = 96 * 2**20
# Rows and columns of the blocks that pick their path and are shared out among threads.
BLOCK = 256
SMALL_BLOCK = 128
_SMALL = 2 * BLOCK
_BYTES_PER_ELEMENT = 16


@dataclass(frozen=True)
class Block:
    """A range of one axis.

    Args:
        first: Where it begins.
        last: Where it ends, not included.

    """

    first: int
    last: int

    @property
    def size(self) -> int:
        """How many there are."""
        return self.last - self.first

    @property
    def cut(self) -> slice:
        """The range as a slice."""
        return slice(self.first, self.last)


def cut(size: int, step: int) -> list[Block]:
    """Cut 0..size-1 into ranges of at most `step`."""
    return [Block(first, min(first + step, size)) for first in range(0, size, step)]


def block_size(rows: int, columns: int) -> int:
    """Give the rows and columns of a block: less for results that few blocks would cover."""
    return SMALL_BLOCK if max(rows, columns) <= _SMALL else BLOCK


def passes(
    rows: int, columns: int, depth: int, instruction_depth: int
) -> tuple[list[Block], list[Block], list[Block]]:
    """Cut a product so that the prepared operands of a pass stay within bounds.

    Args:
        rows: Rows of A.
        columns: Columns of B.
        depth: k, a multiple of the instruction's.
        instruction_depth: k of one instruction.

    Returns:
        Ranges of rows, of columns and of k, the last at whole instructions.

    """
    elements = PANEL_BYTES // _BYTES_PER_ELEMENT
    longest = max(1, elements // BLOCK // instruction_depth) * instruction_depth
    k_step = min(depth, longest)
    side = max(BLOCK, elements // max(k_step, 1) // BLOCK * BLOCK)
    return cut(rows, side), cut(columns, side), cut(depth, k_step)
