"""A or B of a product: its codes in the order of the instruction's k, as panels by path."""

from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavemma.engines.jit import Jit
from wavemma.formats.format import Format
from wavemma.gemm.blocks import Block, cut
from wavemma.numerics.extent import extent
from wavemma.numerics.path import Extent, Path
from wavemma.numerics.product import Panels, Preparation, tile_for

Codes = NDArray[Any]


@dataclass(frozen=True)
class Division:
    """How a product is divided.

    Args:
        instruction: k of one instruction.
        order: For each place in an instruction's k, the k of the matrices that goes there;
            None for ascending.
        scale_block: k that share a scale; 0 for no scales.
        block: Rows and columns of the blocks of a pass.

    """

    instruction: int
    order: tuple[int, ...] | None
    scale_block: int
    block: int


@dataclass(frozen=True)
class Factor:
    """A whole operand.

    Args:
        form: Format of its codes.
        signed: How to read integers whose format leaves the sign open.
        across: Axis of the rows or columns: 0 for A [M, K], 1 for B [K, N].
        codes: Unsigned integers.
        scales: The scales' numbers, along k one for every block; None for no scales.

    """

    form: Format
    signed: bool
    across: int
    codes: Codes
    scales: NDArray[np.float64] | None


class Side:
    """The part of a factor that one pass reads.

    Args:
        factor: The factor.
        division: How the product is divided.
        jit: The compiler that the panels are for.
        around: The range of rows or columns.
        along: The range of k, in whole instructions; it may reach beyond the factor.

    """

    def __init__(
        self, factor: Factor, division: Division, jit: Jit, around: Block, along: Block
    ) -> None:
        self.factor = factor
        self.division = division
        self.jit = jit
        self.along = along
        self.codes = self._cut(factor.codes, around, along)
        self.scales = None
        if factor.scales is not None:
            block = division.scale_block
            scaled = Block(along.first // block, -(-along.last // block))
            self.scales = self._cut(factor.scales, around, scaled)
        self.blocks = cut(around.size, division.block)
        self.panels: dict[tuple[Path, Block], Panels] = {}
        self._whole: dict[Path, Panels] = {}
        self._reserving = Lock()

    def _cut(self, array: Codes, around: Block, along: Block) -> Codes:
        first, second = (around, along) if self.factor.across == 0 else (along, around)
        return array[first.cut, second.cut]

    def _part(self, array: Codes, block: Block) -> Codes:
        return array[block.cut] if self.factor.across == 0 else array[:, block.cut]

    def extent(self, block: Block) -> Extent:
        """Bound the numbers of a block of rows or columns."""
        return extent(self.factor.form, self._part(self.codes, block))

    def prepare(self, path: Path, block: Block) -> None:
        """Make the panels of a block for a path."""
        factor = self.factor
        tile = tile_for(path, self.jit)
        size = tile.rows if factor.across == 0 else tile.columns
        preparation = Preparation(path, factor.form, factor.signed, size, factor.across, self.jit)
        codes = self._in_order(self._part(self.codes, block), path.length, 0)
        into = self._memory(preparation, block, codes.shape[1 - factor.across])
        scales = None
        if self.scales is not None:
            axis = 1 - factor.across
            spread = np.repeat(self._part(self.scales, block), self.division.scale_block, axis)
            scales = self._in_order(spread, path.length, 1)
        self.panels[path, block] = preparation(codes, scales, into)

    def _memory(self, preparation: Preparation, block: Block, depth: int) -> Panels:
        """Give the place of a block's panels among those of all blocks."""
        counts = [-(-each.size // preparation.size) for each in self.blocks]
        with self._reserving:
            if preparation.path not in self._whole:
                self._whole[preparation.path] = preparation.memory(sum(counts), depth)
        number = self.blocks.index(block)
        first = sum(counts[:number])
        return tuple(part[first : first + counts[number]] for part in self._whole[preparation.path])

    def _in_order(self, array: Codes, length: int, filling: int) -> Codes:
        """Fill k up to whole instructions, put it in order, fill those up to whole steps."""
        axis = 1 - self.factor.across
        instruction, order = self.division.instruction, self.division.order
        short = -instruction % length
        missing = self.along.size - array.shape[axis]
        if order is None and not short and not missing:
            return array
        moved = np.moveaxis(array, axis, 0)[: self.along.size]
        if missing > 0:
            moved = np.pad(moved, ((0, missing), (0, 0)), constant_values=filling)
        pieces = moved.reshape(-1, instruction, moved.shape[1])
        if order is not None:
            pieces = pieces[:, list(order)]
        if short:
            pieces = np.pad(pieces, ((0, 0), (0, short), (0, 0)), constant_values=filling)
        return np.moveaxis(pieces.reshape(-1, moved.shape[1]), 0, axis)
