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

# Tiles of D that run at once and how many of them lie side by side; copies of A's and B's
# registers for them stay below 100 MB.
TILES_AT_ONCE = 2048
_COLUMNS_AT_ONCE = 64
# Bytes of registers of A and B that a band of tiles holds: k goes on with the next ones.
_HELD_BYTES = 4 << 20
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

    def run(self, factors: Mapping[str, Array], c: Array, out: Array) -> None:
        """Multiply one product; edges are filled up to whole tiles.

        Args:
            factors: Codes by role: a [M, K], or its kept elements [M, K/2] with index, the
                positions; b [K, N]; scale_a [M, K/block], scale_b [K/block, N].
            c: Codes [M, N].
            out: Where the codes of D go, [M, N].

        """
        if not c.size or not factors["b"].size:
            out[...] = c
            return
        made = compiled_instruction(
            self.instruction,
            self.wave,
            self.effects,
            self.model,
            jit=shared_jit(self.cache_folder),
        )
        loop = _Loop(made, factors, self.fills, c, out)
        with Workers(thread_count(self.threads)) as workers:
            workers.map(lambda band: loop.run(*band), _bands(c, _tile(made.fragments["c"])))


def _bands(c: Array, tile: tuple[int, int]) -> list[tuple[slice, slice]]:
    """Cut rows and columns of D into what runs at once, whole tiles each."""
    across = min(-(-c.shape[1] // tile[1]), _COLUMNS_AT_ONCE)
    height, width = tile[0] * (TILES_AT_ONCE // across), tile[1] * across
    return [
        (slice(row, row + height), slice(column, column + width))
        for row in range(0, c.shape[0], height)
        for column in range(0, c.shape[1], width)
    ]


class _Loop(NamedTuple):
    """The loop over k of a band of tiles; A and B are packed a stretch of k after the other."""

    made: CompiledInstruction
    factors: Mapping[str, Array]
    fills: Mapping[str, int]
    c: Array
    out: Array

    def run(self, rows: slice, columns: slice) -> None:
        """Compute D of some rows and columns."""
        fragment = self.made.fragments["c"]
        band = cut(self.c[rows, columns], _tile(fragment), 0)
        state = _packed(band, fragment)
        deep = -(-self.factors["b"].shape[0] // _tile(self.made.fragments["b"])[0])
        stretch = self._steps_at_once(*band.shape[:2])
        for first in range(0, deep, stretch):
            steps = range(first, min(first + stretch, deep))
            a = {role: self._rows(role, rows, steps) for role in _ROW_ROLES if self._has(role)}
            b = {
                role: self._columns(role, columns, steps)
                for role in _COLUMN_ROLES
                if self._has(role)
            }
            for step in range(len(steps)):
                given = {role: registers[:, step, None] for role, registers in a.items()}
                given |= {role: registers[None, step] for role, registers in b.items()}
                state = self.made({**given, "c": state})
        whole = _joined(unpack(state, self.made.fragments["d"]))
        target = self.out[rows, columns]
        target[...] = whole[: target.shape[0], : target.shape[1]]

    def _has(self, role: str) -> bool:
        return role in self.factors

    def _steps_at_once(self, down: int, across: int) -> int:
        """Count the steps along k whose registers are held at once."""
        size = {role: 4 * f.registers * f.lanes for role, f in self.made.fragments.items()}
        held = sum(down * size[role] for role in _ROW_ROLES if self._has(role))
        held += sum(across * size[role] for role in _COLUMN_ROLES if self._has(role))
        return max(1, _HELD_BYTES // held)

    def _rows(self, role: str, rows: slice, steps: range) -> Registers:
        """Pack some rows of A, of its index or scales: [rows, steps, ...]."""
        depth = _tile(self.made.fragments[role])[1]
        along = slice(steps.start * depth, steps.stop * depth)
        return self._cut(role, self.factors[role][rows, along])

    def _columns(self, role: str, columns: slice, steps: range) -> Registers:
        """Pack some columns of B or of its scales: [steps, columns, ...]."""
        depth = _tile(self.made.fragments[role])[0]
        along = slice(steps.start * depth, steps.stop * depth)
        return self._cut(role, self.factors[role][along, columns])

    def _cut(self, role: str, codes: Array) -> Registers:
        fragment = self.made.fragments[role]
        return _packed(cut(codes, _tile(fragment), self.fills.get(role, 0)), fragment)


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
