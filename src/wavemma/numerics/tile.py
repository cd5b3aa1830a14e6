"""One instruction's product by compiled code, made ready once and called often."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavemma.engines.jit import Jit
from wavemma.errors import ArrayMistake
from wavemma.formats.dtypes import code_dtype
from wavemma.numerics.dot import Scales, checked_codes, spread_scales
from wavemma.numerics.model import Model
from wavemma.numerics.path import Setting
from wavemma.numerics.product import Compiled, Preparation, compiled, tile_for

Codes = NDArray[Any]


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
        self._wide = setting.d.bits > np.dtype(np.uint32).itemsize * 8
        self._word = np.uint64 if self._wide else np.uint32
        self._result = code_dtype(setting.d)
        path, tile = self.path, self.tile
        self._rows = Preparation(path, setting.a, setting.signed_a, tile.rows, across=0)
        self._columns = Preparation(path, setting.b, setting.signed_b, tile.columns, across=1)
        self._kernels: dict[int, Compiled] = {}

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
        short = -a.shape[1] % path.length
        if short:
            a = np.pad(a, ((0, 0), (0, short)))
            b = np.pad(b, ((0, short), (0, 0)))
        scale_a = scale_b = None
        if scales is not None:
            scale_a = spread_scales("a", scales.a, setting, a.shape[1])
            scale_b = spread_scales(
                "b", np.swapaxes(np.asarray(scales.b), 0, 1), setting, b.shape[0]
            ).T
        words = self._start(c)
        left, right = self._rows(a, scale_a), self._columns(b, scale_b)
        self._kernel(a.shape[1]).run(left, right, words)
        return words[: c.shape[0], : c.shape[1]].astype(self._result)

    def _start(self, c: Codes) -> Codes:
        """Give C in words, filled up to whole tiles."""
        rows, columns = c.shape
        tile = self.tile
        if rows % tile.rows == 0 and columns % tile.columns == 0:
            return c.astype(self._word)
        words = np.zeros((rows + -rows % tile.rows, columns + -columns % tile.columns), self._word)
        words[:rows, :columns] = c
        return words

    def _kernel(self, depth: int) -> Compiled:
        found = self._kernels.get(depth)
        if found is None:
            found = compiled(self.path, self.jit, depth, depth, wide=self._wide)
            self._kernels[depth] = found
        return found


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
