"""One instruction's product by compiled code, made ready once and called often."""

import threading
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavemma.engines.jit import Jit
from wavemma.errors import ArrayMistake
from wavemma.formats.dtypes import code_dtype
from wavemma.numerics.dot import Scales, checked_codes, spread_scales
from wavemma.numerics.model import Model
from wavemma.numerics.path import Setting
from wavemma.numerics.product import Preparation, compiled, empty_panels, tile_for

Codes = NDArray[Any]
Filled = TypeVar("Filled", NDArray[Any], NDArray[Any] | None)


class TileProduct:
    """Multiplies [M, K] by [K, N] under a model, every input covered.

    Args:
        model: How each sum is done.
        setting: Formats and options of the instruction.
        jit: The compiler.

    """

    def __init__(self, model: Model, setting: Setting, jit: Jit) -> None:
        self.setting = setting
        self.jit = jit
        self.path = model.whole_path(setting)
        self.tile = tile_for(self.path, jit)
        self._result = code_dtype(setting.d)
        path, tile = self.path, self.tile
        self._rows = Preparation(path, setting.a, setting.signed_a, tile.rows, across=0)
        self._columns = Preparation(path, setting.b, setting.signed_b, tile.columns, across=1)
        self._local = threading.local()

    def __call__(
        self, a: ArrayLike, b: ArrayLike, c: ArrayLike, scales: Scales | None = None
    ) -> Codes:
        """Run the instruction.

        Args:
            a: Codes [..., M, K].
            b: Codes [..., K, N], the same axes before.
            c: Codes [..., M, N], the same axes before.
            scales: Block scales as in `dot`.

        Returns:
            Codes of D [..., M, N], unsigned.

        Raises:
            ArrayMistake: If an array does not fit.

        """
        left = checked_codes("a", self.setting.a, a)
        right = checked_codes("b", self.setting.b, b)
        start = checked_codes("c", self.setting.c, c)
        _check_shapes(left, right, start)
        if left.ndim == 2:
            return self._one(left, right, start, scales)
        result = np.empty(start.shape, dtype=self._result)
        for place in np.ndindex(start.shape[:-2]):
            own = scales and Scales(np.asarray(scales.a)[place], np.asarray(scales.b)[place])
            result[place] = self._one(left[place], right[place], start[place], own)
        return result

    def _one(self, a: Codes, b: Codes, c: Codes, scales: Scales | None) -> Codes:
        setting, path = self.setting, self.path
        scale_a = scale_b = None
        if scales is not None:
            scale_a = spread_scales("a", scales.a, setting, a.shape[1])
            columns = np.swapaxes(np.asarray(scales.b), 0, 1)
            scale_b = spread_scales("b", columns, setting, b.shape[0]).T
        short = -a.shape[1] % path.length
        if short:
            a, scale_a = _filled(a, 1, short, 0), _filled(scale_a, 1, short, 1)
            b, scale_b = _filled(b, 0, short, 0), _filled(scale_b, 0, short, 1)
        space = self._space(c.shape[0], a.shape[1], c.shape[1])
        self._rows.fill(space.left, a, scale_a)
        self._columns.fill(space.right, b, scale_b)
        target = space.words[: c.shape[0], : c.shape[1]]
        target[...] = c
        space.function(*space.arguments)
        return target.astype(self._result)

    def _space(self, rows: int, depth: int, columns: int) -> "_Space":
        """Give this thread's arrays for a shape."""
        spaces: dict[tuple[int, int, int], _Space] = self._local.__dict__.setdefault("spaces", {})
        found = spaces.get((rows, depth, columns))
        if found is None:
            found = _Space(self, rows, depth, columns)
            spaces[rows, depth, columns] = found
        return found


class _Space:
    """Arrays that a product of one shape reuses, and the call that works on them."""

    def __init__(self, owner: TileProduct, rows: int, depth: int, columns: int) -> None:
        path, tile = owner.path, owner.tile
        blocks, panels = -(-rows // tile.rows), -(-columns // tile.columns)
        self.left = empty_panels(path, blocks, depth, tile.rows)
        self.right = empty_panels(path, panels, depth, tile.columns)
        wide = owner.setting.d.bits > np.dtype(np.uint32).itemsize * 8
        word = np.uint64 if wide else np.uint32
        self.words = np.zeros((blocks * tile.rows, panels * tile.columns), dtype=word)
        kernel = compiled(path, owner.jit, depth, depth, wide=wide)
        self.function = kernel.function
        self.arguments = kernel.arguments(self.left, self.right, self.words)


def _filled(array: Filled, axis: int, count: int, value: int) -> Filled:
    """Add `count` places of a value along an axis; nothing stays nothing."""
    if array is None:
        return array
    widths = [(0, count if each == axis else 0) for each in (0, 1)]
    return np.pad(array, widths, constant_values=value)


def _check_shapes(a: Codes, b: Codes, c: Codes) -> None:
    fits = a.ndim >= 2 and a.shape[:-1] == c.shape[:-1] and b.shape[-1:] == c.shape[-1:]
    if not fits or (*a.shape[:-2], a.shape[-1]) != b.shape[:-1]:
        raise ArrayMistake(
            "a [..., M, K], b [..., K, N] and c [..., M, N] must fit each other, got shapes "
            f"{a.shape}, {b.shape} and {c.shape}."
        )


@lru_cache(maxsize=512)
def tile_product(model: Model, setting: Setting, jit: Jit) -> TileProduct:
    """Make one instruction's product ready; keep the result to call it often.

    Args:
        model: How each sum is done.
        setting: Formats and options of the instruction.
        jit: The compiler, as `engines.jit.shared_jit()`.

    """
    return TileProduct(model, setting, jit)
