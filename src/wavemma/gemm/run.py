"""A matrix product as the hardware does it, instruction by instruction along k."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product as pairs
from pathlib import Path as FilePath
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavemma.engines.jit import Jit, shared_jit
from wavemma.errors import ArrayMistake
from wavemma.formats.dtypes import code_dtype
from wavemma.gemm.blocks import Block, block_size, passes
from wavemma.gemm.parallel import Workers, thread_count
from wavemma.gemm.side import Division, Factor, Side
from wavemma.numerics.dot import Scales, checked_codes, scale_values
from wavemma.numerics.extent import EMPTY, extent
from wavemma.numerics.model import Model
from wavemma.numerics.path import Extent, Extents, Path, Setting
from wavemma.numerics.product import compiled, tile_for

Codes = NDArray[Any]


@dataclass(frozen=True)
class Job:
    """What every block of a product shares.

    Args:
        model: How each sum is done.
        setting: Formats and options.
        division: How the product is divided.
        jit: The compiler.

    """

    model: Model
    setting: Setting
    division: Division
    jit: Jit


def product(
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike | None = None,
    *,
    model: Model,
    setting: Setting,
    k_step: int,
    k_permutation: Sequence[int] | None = None,
    scales: Scales | None = None,
    threads: int | None = None,
    cache_folder: FilePath | None = None,
    jit: Jit | None = None,
) -> Codes:
    """Multiply matrices of codes, exactly as a loop over one instruction does.

    The accumulator begins as C and stays in D's format between instructions; k ascends by
    instruction; K is filled up to whole instructions with +0.

    Args:
        a: Codes [M, K].
        b: Codes [K, N].
        c: Codes [M, N]; zeros if left out.
        model: How each sum is done.
        setting: Formats and options of the instruction.
        k_step: K of one instruction.
        k_permutation: Entry i is the k, inside each instruction's K, whose elements stand at
            the instruction's place i; ascending if left out.
        scales: Block scales, A's [M, K / block] and B's [K / block, N].
        threads: How many threads work; one for each processor by default.
        cache_folder: Where compiled code is kept; a folder of the user's by default.
        jit: The compiler to use instead of this process's own.

    Returns:
        Codes of D [M, N], unsigned.

    Raises:
        ArrayMistake: If an array or the permutation does not fit.

    """
    left = checked_codes("a", setting.a, a)
    right = checked_codes("b", setting.b, b)
    _check_shapes(left, right)
    result = _start(setting, c, (left.shape[0], right.shape[1]))
    if not result.size or not left.shape[1]:
        return result
    order = _checked_order(k_permutation, k_step)
    division = Division(k_step, order, setting.scale_block, block_size(*result.shape))
    job = Job(model, setting, division, jit or shared_jit(cache_folder))
    scale_a, scale_b = _scales(setting, scales, left.shape[1])
    a_side = Factor(setting.a, setting.signed_a, 0, left, scale_a)
    b_side = Factor(setting.b, setting.signed_b, 1, right, scale_b)
    with Workers(thread_count(threads)) as workers:
        _run(job, workers, a_side, b_side, result)
    return result


def _scales(
    setting: Setting, scales: Scales | None, depth: int
) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]:
    """Give the numbers of A's and B's scales."""
    if scales is None:
        return None, None
    left = scale_values("a", scales.a, setting, depth)
    right = scale_values("b", np.swapaxes(np.asarray(scales.b), 0, 1), setting, depth)
    return left, right.T


def _check_shapes(a: Codes, b: Codes) -> None:
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0]:
        raise ArrayMistake(
            f"a [M, K] and b [K, N] must share K, got shapes {a.shape} and {b.shape}."
        )


def _start(setting: Setting, c: ArrayLike | None, shape: tuple[int, int]) -> Codes:
    """Give the array of results, C in it."""
    if setting.c != setting.d:
        raise ArrayMistake(
            f"A loop over an instruction needs C and D in one format, got {setting.c.name} and "
            f"{setting.d.name}.",
            hint="Use numerics.dot for one instruction.",
        )
    if c is None:
        return np.zeros(shape, dtype=code_dtype(setting.d))
    codes = checked_codes("c", setting.c, c)
    if codes.shape != shape:
        raise ArrayMistake(f"c must have shape {shape}, got {codes.shape}.", subject="c")
    return codes.copy()


def _checked_order(order: Sequence[int] | None, depth: int) -> tuple[int, ...] | None:
    if order is None:
        return None
    places = tuple(int(place) for place in order)
    if sorted(places) != list(range(depth)):
        raise ArrayMistake(
            f"k_permutation must hold each of 0 to {depth - 1} once, got {list(places)[:8]}...",
            subject="k_permutation",
        )
    return None if places == tuple(range(depth)) else places


def _run(job: Job, workers: Workers, a: Factor, b: Factor, result: Codes) -> None:
    step = job.division.instruction
    whole = a.codes.shape[1] + -a.codes.shape[1] % step
    rows, columns, depths = passes(a.codes.shape[0], b.codes.shape[1], whole, step)
    for depth, column, row in pairs(depths, columns, rows):
        left = Side(a, job.division, job.jit, row, depth)
        right = Side(b, job.division, job.jit, column, depth)
        _Pass(job, left, right, result[row.cut, column.cut]).run(workers)


class _Pass:
    """One pass: every pair of blocks with the fastest path that is right for it."""

    def __init__(self, job: Job, left: Side, right: Side, result: Codes) -> None:
        self.job, self.left, self.right, self.result = job, left, right, result

    def run(self, workers: Workers) -> None:
        chosen = self._choose(workers)
        left = {(path, row) for (row, _), path in chosen.items()}
        right = {(path, column) for (_, column), path in chosen.items()}
        work = [(self.left, *key) for key in left] + [(self.right, *key) for key in right]
        workers.map(lambda item: item[0].prepare(item[1], item[2]), work)
        workers.map(self._block, chosen.items())

    def _choose(self, workers: Workers) -> dict[tuple[Block, Block], Path]:
        """Choose the fastest way for each pair of blocks; the bounds do not know of scales."""
        job = self.job
        blocks = list(pairs(self.left.blocks, self.right.blocks))
        whole = job.model.whole_path(job.setting)
        if self.left.scales is not None or job.model.paths(job.setting) == (whole,):
            return dict.fromkeys(blocks, whole)
        left, right = (
            dict(zip(side.blocks, workers.map(side.extent, side.blocks), strict=True))
            for side in (self.left, self.right)
        )
        chosen = {}
        for row, column in blocks:
            c = self._bounds(self.result[row.cut, column.cut])
            extents = Extents(left[row], right[column], c, self.left.along.size)
            chosen[row, column] = job.model.path_for(job.setting, extents, job.jit.machine)
        return chosen

    def _bounds(self, codes: Codes) -> Extent:
        return extent(self.job.setting.c, codes) if codes.any() else EMPTY

    def _block(self, item: tuple[tuple[Block, Block], Path]) -> None:
        (row, column), path = item
        job = self.job
        a, b = self.left.panels[path, row], self.right.panels[path, column]
        tile = tile_for(path, job.jit)
        word = np.uint64 if job.setting.d.bits > np.uint32(0).itemsize * 8 else np.uint32
        shape = (a[0].shape[0] * tile.rows, b[0].shape[0] * tile.columns)
        target = words = self.result[row.cut, column.cut]
        if target.dtype != word or target.shape != shape:
            words = np.zeros(shape, dtype=word)
            words[: row.size, : column.size] = target
        depth = job.division.instruction + -job.division.instruction % path.length
        kernel = compiled(path, job.jit, a[0].shape[1], depth, wide=word is np.uint64)
        kernel.run(a, b, words)
        if words is not target:
            target[...] = words[: row.size, : column.size]
