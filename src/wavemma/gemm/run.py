"""A matrix product as the hardware does it, instruction by instruction along k."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product as pairs
from pathlib import Path as FilePath
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavemma.engines.jit import Jit, shared_jit
from wavemma.errors import ArrayMistake
from wavemma.formats.dtypes import code_dtype
from wavemma.formats.format import Format
from wavemma.gemm.blocks import BLOCK, Block, cut, passes
from wavemma.gemm.parallel import thread_count
from wavemma.numerics.dot import checked_codes
from wavemma.numerics.extent import EMPTY, extent
from wavemma.numerics.model import Model
from wavemma.numerics.path import Extent, Extents, Path, Setting
from wavemma.numerics.product import Panels, Preparation, compiled, tile_for

Codes = NDArray[Any]


@dataclass(frozen=True)
class Job:
    """What every block of a product shares.

    Args:
        model: How each sum is done.
        setting: Formats and options.
        depth: k of one instruction.
        order: For each place in an instruction's k, the k of the matrices that goes there.
        jit: The compiler.
        threads: How many threads work.

    """

    model: Model
    setting: Setting
    depth: int
    order: tuple[int, ...] | None
    jit: Jit
    threads: int


def product(
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike | None = None,
    *,
    model: Model,
    setting: Setting,
    k_step: int,
    k_permutation: Sequence[int] | None = None,
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
    job = Job(
        model,
        setting,
        k_step,
        _checked_order(k_permutation, k_step),
        jit or shared_jit(cache_folder),
        thread_count(threads),
    )
    short = -left.shape[1] % k_step
    if short:
        left = np.pad(left, ((0, 0), (0, short)))
        right = np.pad(right, ((0, short), (0, 0)))
    with ThreadPoolExecutor(job.threads) as pool:
        _run(job, pool, left, right, result)
    return result


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


def _run(job: Job, pool: ThreadPoolExecutor, a: Codes, b: Codes, result: Codes) -> None:
    rows, columns, depths = passes(a.shape[0], b.shape[1], a.shape[1], job.depth)
    for depth, column, row in pairs(depths, columns, rows):
        left = _Side(job, a[row.cut, depth.cut], job.setting.a, job.setting.signed_a, across=0)
        right = _Side(job, b[depth.cut, column.cut], job.setting.b, job.setting.signed_b, across=1)
        _Pass(job, left, right, result[row.cut, column.cut]).run(pool)


class _Side:
    """A or B of one pass: its codes in the instruction's order, and its panels by path."""

    def __init__(self, job: Job, codes: Codes, form: Format, signed: bool, across: int) -> None:
        self.job = job
        self.form = form
        self.signed = signed
        self.across = across
        self.codes = codes
        self.blocks = cut(codes.shape[across], BLOCK)
        self.panels: dict[tuple[Path, Block], Panels] = {}

    def part(self, block: Block) -> Codes:
        """Give the codes of a block of rows or columns."""
        return self.codes[block.cut] if self.across == 0 else self.codes[:, block.cut]

    def extent(self, block: Block) -> Extent:
        """Bound the numbers of a block."""
        return extent(self.form, self.part(block))

    def prepare(self, path: Path, block: Block) -> None:
        """Make the panels of a block for a path."""
        codes = _in_order(self.part(block), self.job, path.length, 1 - self.across)
        tile = tile_for(path, self.job.jit)
        size = tile.rows if self.across == 0 else tile.columns
        prepare = Preparation(path, self.form, self.signed, size, self.across)
        self.panels[path, block] = prepare(codes)


def _in_order(codes: Codes, job: Job, length: int, axis: int) -> Codes:
    """Put k into the instruction's order and fill each instruction up to whole steps."""
    short = -job.depth % length
    if job.order is None and not short:
        return codes
    moved = np.moveaxis(codes, axis, 0)
    cut_up = moved.reshape(-1, job.depth, moved.shape[1])
    if job.order is not None:
        cut_up = cut_up[:, list(job.order)]
    if short:
        cut_up = np.pad(cut_up, ((0, 0), (0, short), (0, 0)))
    return np.moveaxis(cut_up.reshape(-1, moved.shape[1]), 0, axis)


class _Pass:
    """One pass: every pair of blocks with the fastest path that is right for it."""

    def __init__(self, job: Job, left: _Side, right: _Side, result: Codes) -> None:
        self.job, self.left, self.right, self.result = job, left, right, result

    def run(self, pool: ThreadPoolExecutor) -> None:
        chosen = self._choose(pool)
        left = {(path, row) for (row, _), path in chosen.items()}
        right = {(path, column) for (_, column), path in chosen.items()}
        work = [(self.left, *key) for key in left] + [(self.right, *key) for key in right]
        list(pool.map(lambda item: item[0].prepare(item[1], item[2]), work))
        list(pool.map(self._block, chosen.items()))

    def _choose(self, pool: ThreadPoolExecutor) -> dict[tuple[Block, Block], Path]:
        left = dict(
            zip(self.left.blocks, pool.map(self.left.extent, self.left.blocks), strict=True)
        )
        right = dict(
            zip(self.right.blocks, pool.map(self.right.extent, self.right.blocks), strict=True)
        )
        chosen = {}
        for row, column in pairs(self.left.blocks, self.right.blocks):
            c = self._bounds(self.result[row.cut, column.cut])
            extents = Extents(left[row], right[column], c, self.left.codes.shape[1])
            chosen[row, column] = self.job.model.path_for(self.job.setting, extents)
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
        words = np.zeros(shape, dtype=word)
        target = self.result[row.cut, column.cut]
        words[: row.size, : column.size] = target
        depth = job.depth + -job.depth % path.length
        kernel = compiled(path, job.jit, a[0].shape[1], depth, wide=word is np.uint64)
        kernel.run(a, b, words)
        target[...] = words[: row.size, : column.size]
