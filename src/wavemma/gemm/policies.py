"""Policies of a tiled kernel: how a block stages its tiles, and what a wave does with them.

The kernel is the same for every policy: blocks of `block_tile_m` x `block_tile_n` results; along
k, tiles of `k_tile_size` staged in LDS, B transposed; each wave owns one thread tile of results
and goes through a staged tile in steps of `k_step`. What a lane reads, what the wave computes and
where a lane writes is the compute policy's alone, so a policy may be wrong on purpose.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wavemma.errors import OutOfRange

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class TilePolicy:
    """How a block stages A and B.

    Args:
        block_tile_m: Rows of D of a block.
        block_tile_n: Columns of D of a block.
        k_tile_size: k of one staged tile.
        num_buffers: Staged tiles that are kept at once: 1 or 2.

    Raises:
        OutOfRange: A size is not positive, or there are other than 1 or 2 buffers.

    Example:
        >>> TilePolicy(32, 32, 16).lds_bytes(16, 16)
        2048

    """

    block_tile_m: int
    block_tile_n: int
    k_tile_size: int
    num_buffers: int = 1

    def __post_init__(self) -> None:
        for name in ("block_tile_m", "block_tile_n", "k_tile_size"):
            if getattr(self, name) < 1:
                raise OutOfRange(
                    f"{name} must be positive; {getattr(self, name)} was given.", subject=name
                )
        if self.num_buffers not in (1, 2):
            raise OutOfRange(
                f"num_buffers must be 1 or 2; {self.num_buffers} was given.",
                subject=self.num_buffers,
            )

    def lds_bytes(self, a_bits: int, b_bits: int) -> int:
        """Count the bytes of LDS that a block needs, elements packed.

        Args:
            a_bits: Bits of an element of A.
            b_bits: Bits of an element of B.

        """
        tiles = self.block_tile_m * a_bits + self.block_tile_n * b_bits
        return -(-tiles * self.k_tile_size // 8) * self.num_buffers


class ComputePolicy(ABC):
    """What the lanes of one wave do with one thread tile.

    Attributes:
        thread_tile_m: Rows of D of a wave.
        thread_tile_n: Columns of D of a wave.
        effective_lanes: Lanes of a wave.
        k_step: k of one call of `mma`.

    """

    thread_tile_m: int
    thread_tile_n: int
    effective_lanes: int
    k_step: int

    @abstractmethod
    def zero(self, lane: int) -> Array:
        """Give the accumulator that a lane begins with, [elements]."""

    @abstractmethod
    def load_a(self, tile_a: Array, lane: int) -> Array:
        """Give what a lane holds of A.

        Args:
            tile_a: [thread_tile_m, k_step, ...]; the axes behind are waves and are kept.
            lane: Number of the lane in its wave: the thread index modulo the wave size.

        Returns:
            [elements, ...].

        """

    @abstractmethod
    def load_b(self, tile_b_t: Array, lane: int) -> Array:
        """Give what a lane holds of B, from its transposed tile [thread_tile_n, k_step, ...]."""

    @abstractmethod
    def mma(self, accumulator: Array, a: Array, b: Array) -> Array:
        """Multiply and accumulate in whole waves.

        Args:
            accumulator: [..., lanes, elements].
            a: What `load_a` gave, [..., lanes, elements]; batch axes broadcast.
            b: What `load_b` gave.

        Returns:
            The new accumulator, [..., lanes, elements].

        """

    @abstractmethod
    def store_c(self, tile_c: Array, accumulator: Array, lane: int) -> None:
        """Write what a lane holds.

        Args:
            tile_c: [thread_tile_m, thread_tile_n, ...], to be written to.
            accumulator: [elements, ...] of this lane.
            lane: Number of the lane.

        """


def check_policies(tile: TilePolicy, compute: ComputePolicy) -> None:
    """Refuse a tile that thread tiles or steps do not fill.

    Raises:
        OutOfRange: Says which size must be a multiple of which.

    """
    for name, whole, part in (
        ("block_tile_m", tile.block_tile_m, compute.thread_tile_m),
        ("block_tile_n", tile.block_tile_n, compute.thread_tile_n),
        ("k_tile_size", tile.k_tile_size, compute.k_step),
    ):
        if not isinstance(part, int | np.integer):
            raise OutOfRange(
                f"A thread tile and k_step must be whole numbers; {part!r} was given.", subject=part
            )
        if part < 1 or whole % part:
            raise OutOfRange(
                f"{name} must be a multiple of {part}, which one wave or step takes; it is"
                f" {whole}.",
                subject=whole,
            )


def smallest_tile(compute: ComputePolicy) -> TilePolicy:
    """Give the tile that one wave and one step fill."""
    return TilePolicy(compute.thread_tile_m, compute.thread_tile_n, compute.k_step)
