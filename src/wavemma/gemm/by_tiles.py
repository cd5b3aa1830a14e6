"""A product tile by tile through registers: packs, runs the instruction, unpacks.

It knows nothing of what the instruction computes, so it serves sparse and scaled ones.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wavemma.engines.jit import shared_jit
from wavemma.execute.compiled import CompiledInstruction, compiled_instruction
from wavemma.fragments import Fragment, Registers, pack, unpack
from wavemma.gemm.operands import Array
from wavemma.gemm.parallel import Workers, thread_count
from wavemma.isa.instruction import Instruction
from wavemma.tables.targets import Wave

# Tiles of D that run at once: their registers, and copies of A's and B's, stay below 100 MB.
TILES_AT_ONCE = 2048
_ROW_ROLES = ("a", "index", "scale_a")
_COLUMN_ROLES = ("b", "scale_b")


class Tiled(NamedTuple):
    """An instruction in a loop over tiles.

    Attributes:
        instruction: Of one block, C and D in one format.
        wave: Lanes of a wave.
        effects: Modifier values by the effect names of the rows.
        fills: By role, the code that fills up edges; zero for the rest.
        model: An arithmetic model other than the row's.
        threads: Threads that work; one a processor if None.
        cache_folder: Where compiled kernels are kept.

    """

    instruction: Instruction
    wave: Wave
    effects: dict[str, int]
    fills: dict[str, int]
    model: str | None
    threads: int | None
    cache_folder: Path | None

    def run(self, factors: Mapping[str, Array], c: Array) -> Array:
        """Multiply one product; edges are filled up to whole tiles.

        Args:
            factors: Codes by role: a [M, K], or its kept elements [M, K/2] with index, the
                positions; b [K, N]; scale_a [M, K/block], scale_b [K/block, N].
            c: Codes [M, N].

        Returns:
            Codes of D [M, N].

        """
        if not c.size or not factors["b"].size:
            return c
        made = compiled_instruction(
            self.instruction,
            self.wave,
            self.effects,
            self.model,
            jit=shared_jit(self.cache_folder),
        )
        loop = _Loop(made, factors, self.fills)
        tiles = cut(c, _tile(made.fragments["c"]), 0)
        height = max(1, TILES_AT_ONCE // max(tiles.shape[1], 1))
        starts = range(0, tiles.shape[0], height)
        with Workers(thread_count(self.threads)) as workers:
            parts = workers.map(lambda i: loop.run(slice(i, i + height), tiles), starts)
        return _joined(np.concatenate(parts))[: c.shape[0], : c.shape[1]]


class _Loop:
    """The loop over k of some rows of tiles; B is packed once."""

    def __init__(
        self, made: CompiledInstruction, factors: Mapping[str, Array], fills: Mapping[str, int]
    ) -> None:
        self.made = made
        tiles = {
            role: cut(codes, _tile(made.fragments[role]), fills.get(role, 0))
            for role, codes in factors.items()
        }
        self.rows = {role: tiles[role] for role in _ROW_ROLES if role in tiles}
        self.columns = {
            role: _packed(tiles[role], made.fragments[role])
            for role in _COLUMN_ROLES
            if role in tiles
        }
        self.steps = self.columns["b"].shape[0]

    def run(self, rows: slice, tiles: Array) -> Array:
        """Give D of some rows of tiles [rows, columns, m, n]."""
        fragments = self.made.fragments
        state = _packed(tiles[rows], fragments["c"])
        held = {role: _packed(found[rows], fragments[role]) for role, found in self.rows.items()}
        for step in range(self.steps):
            given = {role: registers[:, step, None] for role, registers in held.items()}
            given |= {role: registers[None, step] for role, registers in self.columns.items()}
            state = self.made({**given, "c": state})
        return unpack(state, fragments["d"])


def cut(matrix: Array, tile: tuple[int, int], fill: int) -> Array:
    """Cut a matrix into tiles, [rows, columns, *tile], the last ones filled up.

    Args:
        matrix: Codes [rows, columns].
        tile: Rows and columns of a tile.
        fill: The code to fill with.

    """
    rows, columns = (-(-size // part) for size, part in zip(matrix.shape, tile, strict=True))
    height, width = tile
    whole = np.full((rows * height, columns * width), fill, dtype=matrix.dtype)
    whole[: matrix.shape[0], : matrix.shape[1]] = matrix
    return whole.reshape(rows, height, columns, width).swapaxes(1, 2)


def _tile(fragment: Fragment) -> tuple[int, int]:
    rows, columns = fragment.matrix_shape
    return rows, columns


def _packed(tiles: Array, fragment: Fragment) -> Registers:
    return pack(np.ascontiguousarray(tiles.astype(fragment.dtype, copy=False)), fragment)


def _joined(tiles: Array) -> Array:
    rows, columns, height, width = tiles.shape
    return tiles.swapaxes(1, 2).reshape(rows * height, columns * width)
