"""What is asked of a product, the same for every kind of instruction."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake
from wavemma.gemm.block_scales import BlockScales, Quantise
from wavemma.gemm.factors import Factors
from wavemma.gemm.index_words import IndexWords
from wavemma.gemm.operands import Array, Matrix
from wavemma.gemm.plan import KOrder
from wavemma.gemm.policies import TilePolicy
from wavemma.isa.instruction import Instruction
from wavemma.tables.targets import Wave


class Request(NamedTuple):
    """A product to be made; attributes as the arguments of `matmul`."""

    a: Matrix
    b: Matrix
    c: Matrix | None
    target: str
    op: str | None
    wave: Wave | None
    k_order: KOrder
    model: str | None
    tile: TilePolicy | None
    positions: npt.ArrayLike | IndexWords | None
    prune: bool
    scales: BlockScales | Quantise | None
    threads: int | None
    cache_folder: Path | None

    @property
    def c_format(self) -> str | None:
        """Format of C, None without C."""
        return None if self.c is None else self.c.formats[0]

    def dense_factors(self) -> Factors:
        """Give A and B as a dense product multiplies them."""
        return Factors(self.a.array, self.b.array)

    def lanes(self, instruction: Instruction) -> Wave:
        """Give the lanes of a wave.

        Raises:
            ArrayMistake: The instruction does not run in such waves.

        """
        wave = self.wave
        if wave is not None and wave not in instruction.waves:
            raise ArrayMistake(
                f"{instruction.name} runs in waves of"
                f" {' or '.join(map(str, instruction.waves))} lanes; {wave} was given.",
                subject=wave,
                allowed=instruction.waves,
            )
        return wave or instruction.waves[0]

    def size(self, packed: bool = False) -> tuple[int, int, int]:
        """Give M, N and K, checked against each other.

        Args:
            packed: A holds two of each four elements along k.

        Raises:
            ArrayMistake: The shapes do not fit.

        """
        m, held = self.a.array.shape[-2:]
        k, n = self.b.array.shape[-2:]
        c = None if self.c is None else self.c.array.shape[-2:]
        fits = held == -(-k // 4) * 2 if packed else held == k
        if not fits or c not in (None, (m, n)):
            given = f"A {list(self.a.array.shape)}, B {list(self.b.array.shape)}"
            if self.c is not None:
                given += f", C {list(self.c.array.shape)}"
            left = "A [M, K/2]" if packed else "A [M, K]"
            raise ArrayMistake(
                f"{left}, B [K, N] and C [M, N] must fit together; given {given}.", subject=k
            )
        return m, n, k

    def batch(self, *more: Array) -> tuple[int, ...]:
        """Give the batch axes of all operands together.

        Args:
            *more: Other operands with two axes behind the batch.

        Raises:
            ArrayMistake: They do not broadcast.

        """
        arrays = [each.array for each in (self.a, self.b, self.c) if each is not None]
        shapes = [each.shape[:-2] for each in (*arrays, *more)]
        try:
            return np.broadcast_shapes(*shapes)
        except ValueError:
            raise ArrayMistake(
                f"The batch axes must broadcast; given {', '.join(map(str, map(list, shapes)))}.",
                subject=shapes,
            ) from None
