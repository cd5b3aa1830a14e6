"""From whole matrices to the sample of tiles that a diagnosis looks at."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake
from wavemma.explain.operand import Operand
from wavemma.explain.shape_difference import factor_hint, shape_hint, start_hint
from wavemma.explain.tile_sample import Array, Floats, Given, Sample, Strips, agree, middle, numbers
from wavemma.formats import number_format

MOST_TILES = 24
# Numbers of A in one strip of tiles: each suspect of a load keeps as many.
_LARGEST_STRIP = 1 << 18
# What sums may lose against an exact product, in units of the last place of the coarsest type.
_SLACK_BITS = 2
_FINEST_BITS = 14


def sample(asked: Operand, given: Given, *, right: bool = False) -> Sample:
    """Cut the arrays into tiles and choose those to look at.

    Args:
        asked: D of the instruction.
        given: The arrays.
        right: Whether to look at tiles that are right; at those that differ otherwise.

    Raises:
        ArrayMistake: The shapes do not fit another or hold no whole tile.

    """
    blocks, m, n = asked.instruction.blocks, *asked.instruction.shape[:2]
    want = _tiled("want", given.want, blocks)
    if given.got.shape[-2:] != given.want.shape[-2:]:
        raise _unlike(asked, given)
    got = _tiled("got", given.got, blocks)
    if want.shape != got.shape:
        raise _unlike(asked, given)
    grid = (want.shape[0], want.shape[2] // m, want.shape[3] // n)
    if 0 in grid:
        raise ArrayMistake(
            f"want and got must hold a whole tile of {m} x {n} at least; they have shape"
            f" {list(given.want.shape)}.",
            subject=given.want.shape,
        )
    tolerance = _tolerance(asked, given)
    counts = _differing(asked, want, got, grid, tolerance)
    tiles = _chosen(counts == 0 if right else counts, _most_tiles(given, blocks * max(m, n)))
    maker = _Maker(asked, given, tiles, (blocks, m, n))
    return Sample(
        asked,
        given,
        tiles,
        grid,
        int(np.count_nonzero(counts)),
        numbers(maker.results(got), asked.format).reshape(len(tiles), -1),
        numbers(maker.results(want), asked.format).reshape(len(tiles), -1),
        maker.start(),
        maker.strips(),
        tolerance,
    )


def _unlike(asked: Operand, given: Given) -> ArrayMistake:
    return ArrayMistake(
        f"want and got must have one shape; they have {list(given.want.shape)} and"
        f" {list(given.got.shape)}.",
        subject=given.got.shape,
        hint=shape_hint(given.want, given.got, asked.format),
    )


def _tiled(name: str, value: Array, blocks: int) -> Array:
    """Bring an output to [batch, blocks, M, N]."""
    least = 3 if blocks > 1 else 2
    if value.ndim < least or (blocks > 1 and value.shape[-3] != blocks):
        wanted = f"[..., {blocks}, M, N]" if blocks > 1 else "[..., M, N]"
        raise ArrayMistake(
            f"{name} must have shape {wanted}; it has {list(value.shape)}.", subject=value.shape
        )
    return value.reshape(-1, blocks, *value.shape[-2:])


def _tolerance(asked: Operand, given: Given) -> float:
    """Take the coarsest type of what is compared; whole numbers must be equal."""
    form = number_format(asked.format)
    if not form.is_float:
        return 0.0
    bits = [form.precision, _FINEST_BITS + _SLACK_BITS]
    for array in (given.want, given.got):
        same = {2: 11, 1: 4}.get(array.dtype.itemsize)
        if str(array.dtype) == "bfloat16":
            same = 8
        bits += [same] if same else []
    return float(2.0 ** (_SLACK_BITS - min(bits)))


def _differing(
    asked: Operand, want: Array, got: Array, grid: tuple[int, int, int], tolerance: float
) -> npt.NDArray[np.int64]:
    """Count the differing elements of every tile, [batch, tile rows, tile columns]."""
    counts = np.zeros(grid, dtype=np.int64)
    m, n, _ = asked.instruction.shape
    first = np.abs(numbers(want[0, :, :m], asked.format))
    typical = middle(first[np.isfinite(first)])
    for batch in range(grid[0]):
        for row in range(grid[1]):
            cut = np.s_[batch, :, row * m : (row + 1) * m, : grid[2] * n]
            left, right = (numbers(each[cut], asked.format) for each in (want, got))
            near = agree(left, right, tolerance, typical)
            counts[batch, row] = (~near).reshape(-1, m, grid[2], n).sum(axis=(0, 1, 3))
    return counts


def _most_tiles(given: Given, lines: int) -> int:
    """Look at fewer tiles where K is large."""
    if given.a is None:
        return MOST_TILES
    depth = max(int(given.a.shape[-1]), 1)
    return max(min(MOST_TILES, _LARGEST_STRIP // (lines * depth)), 2)


def _chosen(counts: npt.NDArray[np.int64], most: int) -> npt.NDArray[np.int64]:
    """Choose tiles that differ, evenly spread; of equal arrays, any."""
    found = np.argwhere(counts > 0)
    if not len(found):
        found = np.argwhere(counts >= 0)
    picks = sorted(set(np.linspace(0, len(found) - 1, most).astype(int).tolist()))
    return found[picks]


@dataclass(frozen=True)
class _Maker:
    """Cuts the parts of the whole that belong to the chosen tiles."""

    asked: Operand
    given: Given
    tiles: npt.NDArray[np.int64]
    shape: tuple[int, int, int]

    def results(self, array: Array) -> Array:
        """Cut tiles of [batch, blocks, M, N]."""
        _, m, n = self.shape
        return np.stack(
            [
                array[batch, :, row * m : (row + 1) * m, column * n : (column + 1) * n]
                for batch, row, column in self.tiles
            ]
        )

    def start(self) -> Floats | None:
        """Cut C."""
        if self.given.c is None:
            return None
        if self.given.c.shape != self.given.want.shape:
            raise ArrayMistake(
                f"c must have the shape of want, {list(self.given.want.shape)}; it has"
                f" {list(self.given.c.shape)}.",
                subject=self.given.c.shape,
                hint=start_hint(self.given.want.shape, self.given.c),
            )
        cut = self.results(_tiled("c", self.given.c, self.shape[0]))
        return numbers(cut, self.asked.format).reshape(len(self.tiles), -1)

    def strips(self) -> Strips | None:
        """Cut rows of A and columns of B, and their scales, along k up to a whole step."""
        given, depth = self.given, self.asked.instruction.shape[2]
        if given.a is None or given.b is None:
            return None
        _check_factors(given.want, given.a, given.b)
        a, b = lengthened(given.a, -1, depth), lengthened(given.b, -2, depth)
        per_step = depth // (self.asked.instruction.matrix.scale_block or depth)
        scale_a, scale_b = given.scale_a, given.scale_b
        return Strips(
            self.rows(a),
            self.columns(b),
            None if scale_a is None else self.rows(lengthened(scale_a, -1, per_step)),
            None if scale_b is None else self.columns(lengthened(scale_b, -2, per_step)),
        )

    def rows(self, array: Array) -> Array:
        """Cut the rows of each tile, [tiles, blocks, M, ...]."""
        m = self.shape[1]
        return self._cut(array, lambda _, row, column: np.s_[:, row * m : (row + 1) * m])

    def columns(self, array: Array) -> Array:
        """Cut the columns of each tile, [tiles, blocks, ..., N]."""
        n = self.shape[2]
        return self._cut(array, lambda _, row, column: np.s_[:, :, column * n : (column + 1) * n])

    def _cut(self, array: Array, place: Callable[[int, int, int], Any]) -> Array:
        whole = array.reshape(-1, self.shape[0], *array.shape[-2:])
        batches = whole.shape[0]
        return np.stack([whole[tile[0] % batches][place(*tile)] for tile in self.tiles])


def lengthened(array: Array, axis: int, step: int) -> Array:
    """Add zeros at the end of an axis up to a whole number of steps, as kernels do along k."""
    shape = list(array.shape)
    shape[axis] = -shape[axis] % step
    if not shape[axis]:
        return array
    # Code 0 is no zero of a scale, but no NaN either: it scales zeros.
    return np.concatenate([array, np.zeros(shape, array.dtype)], axis=axis)


def _check_factors(want: Array, a: Array, b: Array) -> None:
    """Refuse A and B that do not make want."""
    m, n = want.shape[-2:]
    fits = a.ndim >= 2 and b.ndim >= 2 and a.shape[-2] == m and b.shape[-1] == n
    if not fits or a.shape[-1] != b.shape[-2] or a.shape[-1] == 0:
        raise ArrayMistake(
            f"a [..., {m}, K] and b [..., K, {n}] must fit want; they have shapes"
            f" {list(a.shape)} and {list(b.shape)}.",
            subject=a.shape,
            hint=factor_hint(want.shape, a, b),
        )
