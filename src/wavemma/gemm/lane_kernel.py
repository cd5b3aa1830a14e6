"""The tiled kernel, lane by lane on NumPy: for policies of a user's own, wrong ones included."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake
from wavemma.gemm.policies import Array, ComputePolicy, TilePolicy, check_policies

Index = npt.NDArray[np.int64]


class _Grid(NamedTuple):
    """Thread tiles of a whole product, edges filled up to whole blocks."""

    rows: int
    columns: int
    steps: int


def run_lanes(
    a: Array, b: Array, c: Array | None, tile: TilePolicy, compute: ComputePolicy
) -> Array:
    """Multiply as a kernel with these policies does.

    C enters first: each accumulator begins with what its own `store_c` would overwrite. Edges
    are filled up with zeros to whole blocks and whole tiles along k.

    Args:
        a: Elements [M, K], handed to the policy as they are.
        b: Elements [K, N].
        c: Elements [M, N] of the accumulator's type, or None for zeros.
        tile: How blocks are staged.
        compute: What lanes do.

    Returns:
        [M, N] of the accumulator's type.

    Raises:
        OutOfRange: Tiles are no multiples of what waves and steps take.
        ArrayMistake: A part of the policy gives arrays that do not fit together.

    """
    check_policies(tile, compute)
    (m, k), n = a.shape, b.shape[1]
    grid = _Grid(
        -(-m // tile.block_tile_m) * tile.block_tile_m // compute.thread_tile_m,
        -(-n // tile.block_tile_n) * tile.block_tile_n // compute.thread_tile_n,
        -(-k // tile.k_tile_size) * tile.k_tile_size // compute.k_step,
    )
    left = _tiles(a, grid.rows, compute.thread_tile_m, grid.steps, compute.k_step)
    right = _tiles(b.T, grid.columns, compute.thread_tile_n, grid.steps, compute.k_step)
    state = _start(compute, grid, c)
    for step in range(grid.steps):
        held_a = _held("load_a", compute, left[..., step])
        held_b = _held("load_b", compute, right[..., step])
        state = _checked(compute.mma(state, held_a[:, None], held_b[None]), state)
    return _stored(compute, grid, state)[:m, :n]


def _tiles(matrix: Array, count: int, size: int, steps: int, k_step: int) -> Array:
    """See a matrix [rows, k] as [size, k_step, tiles, steps]."""
    whole = np.zeros((count * size, steps * k_step), dtype=matrix.dtype)
    whole[: matrix.shape[0], : matrix.shape[1]] = matrix
    return whole.reshape(count, size, steps, k_step).transpose(1, 3, 0, 2)


def _held(name: str, compute: ComputePolicy, tiles: Array) -> Array:
    """Load a tile in every lane of every wave, [tiles, lanes, elements]."""
    load = getattr(compute, name)
    lanes = [np.asarray(load(tiles, lane)) for lane in range(compute.effective_lanes)]
    shapes = {each.shape for each in lanes}
    if len(shapes) != 1 or lanes[0].ndim != 2 or lanes[0].shape[1] != tiles.shape[2]:
        raise ArrayMistake(
            f"{name} must give [elements, ...] of one size in every lane, the last axes of the"
            f" tile kept; it gave {', '.join(map(str, map(list, sorted(shapes))))}.",
            subject=name,
        )
    return np.moveaxis(np.stack(lanes), 2, 0)


def _checked(made: Array, before: Array) -> Array:
    made = np.asarray(made)
    if made.shape != before.shape or made.dtype != before.dtype:
        raise ArrayMistake(
            f"mma must give an accumulator as it got it, {before.dtype} {list(before.shape)}; it"
            f" gave {made.dtype} {list(made.shape)}.",
            subject="mma",
        )
    return made


def _start(compute: ComputePolicy, grid: _Grid, c: Array | None) -> Array:
    """Give every wave its first accumulator, [rows, columns, lanes, elements]."""
    first = np.stack([np.asarray(compute.zero(lane)) for lane in range(compute.effective_lanes)])
    state = np.array(np.broadcast_to(first, (grid.rows, grid.columns, *first.shape)))
    if c is None:
        return state
    height, width = compute.thread_tile_m, compute.thread_tile_n
    whole = np.zeros((grid.rows * height, grid.columns * width), dtype=state.dtype)
    whole[: c.shape[0], : c.shape[1]] = c
    tiles = whole.reshape(grid.rows, height, grid.columns, width).transpose(0, 2, 1, 3)
    lanes, slots, row, column = _places(compute, first.shape)
    state[:, :, lanes, slots] = tiles[:, :, row, column]
    return state


def _places(compute: ComputePolicy, shape: tuple[int, ...]) -> tuple[Index, ...]:
    """Find by one store where each element of an accumulator goes: lane, slot, row, column."""
    numbers = np.arange(1, shape[0] * shape[1] + 1, dtype=np.int64).reshape(*shape, 1)
    tile = np.zeros((compute.thread_tile_m, compute.thread_tile_n, 1), dtype=np.int64)
    for lane in range(shape[0]):
        compute.store_c(tile, numbers[lane], lane)
    row, column = np.nonzero(tile[..., 0])
    lanes, slots = np.divmod(tile[row, column, 0] - 1, shape[1])
    return lanes, slots, row, column


def _stored(compute: ComputePolicy, grid: _Grid, state: Array) -> Array:
    """Let every lane write its part, [rows, columns]; what none writes stays zero."""
    height, width = compute.thread_tile_m, compute.thread_tile_n
    waves: Any = state.reshape(-1, *state.shape[2:])
    tiles = np.zeros((height, width, len(waves)), dtype=state.dtype)
    for lane in range(compute.effective_lanes):
        compute.store_c(tiles, waves[:, lane].T, lane)
    whole = tiles.reshape(height, width, grid.rows, grid.columns).transpose(2, 0, 3, 1)
    return whole.reshape(grid.rows * height, grid.columns * width)
