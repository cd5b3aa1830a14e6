"""The tiles of an output that are looked at: what came, what was wanted, and what made it.

A tile is what one instruction computes: [blocks, M, N], here flattened to E elements with the
column counting fastest. Where an output is right, little is to be learnt, so that the sample
takes tiles that differ, evenly spread.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from wavemma.explain.claim import seen
from wavemma.explain.operand import Operand
from wavemma.formats import number_format
from wavemma.formats.decode import decode
from wavemma.layouts import Layout

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Given:
    """The arrays that a diagnosis starts from.

    Attributes:
        want: What D should be, [..., M, N] or, with blocks, [..., blocks, M, N].
        got: What came, the same shape.
        a: A, [..., M, K], if known.
        b: B, [..., K, N], if known.
        c: C, the shape of D, if known.
        scale_a: Scales of A, [..., M, K / block], codes or a type that has them.
        scale_b: Scales of B, [..., K / block, N].

    """

    want: Array
    got: Array
    a: Array | None = None
    b: Array | None = None
    c: Array | None = None
    scale_a: Array | None = None
    scale_b: Array | None = None


@dataclass(frozen=True)
class Strips:
    """What feeds the tiles of a sample, in the types that were given.

    Attributes:
        a: [tiles, blocks, M, K].
        b: [tiles, blocks, K, N].
        scale_a: [tiles, blocks, M, K / block], or None.
        scale_b: [tiles, blocks, K / block, N], or None.

    """

    a: Array
    b: Array
    scale_a: Array | None
    scale_b: Array | None


@dataclass(frozen=True)
class Factors:
    """A and B of a sample as numbers, and their scales spread along k.

    Attributes:
        a: [tiles, blocks, M, K].
        b: [tiles, blocks, K, N].
        scale_a: The shape of a, or 1.
        scale_b: The shape of b, or 1.

    """

    a: Floats
    b: Floats
    scale_a: Floats
    scale_b: Floats

    @cached_property
    def scaled_a(self) -> Floats:
        """A times its scales."""
        return self.a * self.scale_a

    @cached_property
    def scaled_b(self) -> Floats:
        """B times its scales."""
        return self.b * self.scale_b


@dataclass(frozen=True)
class Sample:
    """Tiles that differ, beside all that is known of them.

    Attributes:
        asked: D of the instruction.
        given: The whole arrays.
        tiles: Which tiles: batch, row and column of each, in tiles.
        grid: Batch, rows and columns of the whole, in tiles.
        differing: Tiles of the whole that differ.
        got: [tiles, E].
        want: [tiles, E].
        c: [tiles, E], or None.
        strips: Strips of A and B, or None.
        tolerance: Relative error that sums may have.

    """

    asked: Operand
    given: Given
    tiles: npt.NDArray[np.int64]
    grid: tuple[int, int, int]
    differing: int
    got: Floats
    want: Floats
    c: Floats | None
    strips: Strips | None
    tolerance: float

    @property
    def shape(self) -> tuple[int, int, int]:
        """Blocks, M and N of a tile."""
        m, n, _ = self.asked.instruction.shape
        return self.asked.instruction.blocks, m, n

    @property
    def depth(self) -> int:
        """K of one instruction."""
        return self.asked.instruction.shape[2]

    @cached_property
    def kept(self) -> dict[str, Any]:
        """What was found out about the sample, by name, so that it is found out once."""
        return {}

    @cached_property
    def layout(self) -> Layout:
        """The layout of D by row and col."""
        return seen(self.asked.layout)

    @cached_property
    def scale(self) -> float:
        """The usual size of what was wanted."""
        sizes = np.abs(self.want[np.isfinite(self.want)])
        return middle(sizes[sizes > 0])

    @cached_property
    def factors(self) -> Factors | None:
        """The numbers of A and B; None if they are not known."""
        strips, instruction = self.strips, self.asked.instruction
        if strips is None:
            return None
        formats, spread = instruction.formats, instruction.matrix.scale_block
        a, b = numbers(strips.a, formats["a"][0]), numbers(strips.b, formats["b"][0])
        scale_a = scale_b = np.ones((1, 1, 1, 1))
        if strips.scale_a is not None and spread:
            found = numbers(strips.scale_a, formats["scale_a"][0])
            scale_a = np.repeat(found, spread, axis=-1)[..., : a.shape[-1]]
        if strips.scale_b is not None and spread:
            found = numbers(strips.scale_b, formats["scale_b"][0])
            scale_b = np.repeat(found, spread, axis=-2)[..., : b.shape[-2], :]
        return Factors(a, b, scale_a, scale_b)

    def close(self, predicted: Floats, got: Floats) -> Truths:
        """Say which elements agree, NaN with NaN, within what sums may lose."""
        return agree(predicted, got, self.tolerance, self.scale)

    def closely(self, predicted: Floats, got: Floats) -> Truths:
        """Say which elements agree beside the usual size of what came too, if that is smaller.

        Beside what was wanted, all that is next to nothing looks alike.
        """
        usual = min(self.scale, middle(np.abs(got[np.isfinite(got)])))
        return agree(predicted, got, self.tolerance, usual)

    def with_factors(self, factors: Factors) -> "Sample":
        """Put other numbers in the place of A and B."""
        found = replace(self)
        # What a cached property holds is what it gives.
        found.__dict__["factors"] = factors
        return found

    def reduced(self, count: int) -> "Sample":
        """Keep the first tiles only; what is a usual size stays so."""
        take = slice(0, count)
        strips = self.strips
        if strips is not None:
            strips = Strips(
                strips.a[take],
                strips.b[take],
                None if strips.scale_a is None else strips.scale_a[take],
                None if strips.scale_b is None else strips.scale_b[take],
            )
        found = replace(
            self,
            tiles=self.tiles[take],
            got=self.got[take],
            want=self.want[take],
            c=None if self.c is None else self.c[take],
            strips=strips,
        )
        found.__dict__["scale"] = self.scale
        return found

    def positions(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Give row and column in the whole matrix of every element, [tiles, E] each."""
        _, m, n = self.shape
        rows, columns = np.divmod(np.arange(m * n), n)
        return self.tiles[:, 1:2] * m + rows, self.tiles[:, 2:3] * n + columns

    def take(
        self,
        array: Array,
        rows: npt.NDArray[np.int64],
        columns: npt.NDArray[np.int64],
    ) -> Floats:
        """Read elements of the whole by row and column; NaN outside of it."""
        whole = array.reshape(-1, *array.shape[-2:])
        inside = (rows >= 0) & (rows < whole.shape[1]) & (columns >= 0)
        inside &= columns < whole.shape[2]
        batch = np.broadcast_to(self.tiles[:, :1], rows.shape)
        found = np.full(rows.shape, np.nan)
        taken = whole[batch[inside], rows[inside], columns[inside]]
        found[inside] = numbers(taken, self.asked.format)
        return found


def numbers(array: Array, format: str = "") -> Floats:
    """Give the numbers of an array as float64; of codes, by the format named."""
    if format and array.dtype.kind == "u" and number_format(format).is_float:
        return np.asarray(decode(number_format(format), array), dtype=np.float64)
    return np.asarray(array, dtype=np.float64)


def agree(predicted: Floats, got: Floats, tolerance: float, usual: float) -> Truths:
    """Say which elements agree: infinities with those of their sign, NaN with NaN.

    Args:
        predicted: What should be there.
        got: What is.
        tolerance: Relative error that there may be, of the number and of the usual size.
        usual: That size.

    """
    with np.errstate(invalid="ignore"):
        near = np.abs(predicted - got) <= tolerance * (np.abs(predicted) + usual)
    # Everything is near an infinity, measured by itself.
    near &= np.isfinite(predicted)
    same = (predicted == got) | (np.isnan(predicted) & np.isnan(got))
    return np.asarray(near | same, dtype=np.bool_)


def middle(values: Floats) -> float:
    """Give the middle number of some, 0 of none; np.median would load masked arrays first."""
    ordered = np.sort(values, axis=None)
    return float(ordered[ordered.size // 2]) if ordered.size else 0.0
