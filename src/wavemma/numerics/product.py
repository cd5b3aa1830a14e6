"""Matrix products by compiled code: operands as panels, and the call of a kernel on them."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavemma.engines.array_engine import DTYPES, ArrayEngine
from wavemma.engines.jit import Function, Jit
from wavemma.formats.format import Format
from wavemma.numerics.kernel import ProductKernel, Tile
from wavemma.numerics.path import Path

Codes = NDArray[Any]
Floats = NDArray[np.float64]
Panels = tuple[Codes, ...]
"""Prepared elements as a kernel reads them: an array for each component,
[panel][k][place in panel]."""
_ENGINE = ArrayEngine()
_TABLE_BITS = 16


def tile_for(path: Path, jit: Jit) -> Tile:
    """Choose the tile that keeps the machine's vector units busy on a path."""
    lanes = path.vectors * jit.machine.vector_bits // path.operand[0].bits
    return Tile(path.rows, max(4, lanes))


def empty_panels(path: Path, count: int, depth: int, size: int) -> Panels:
    """Make panels to be filled.

    Args:
        path: The way to evaluate the model.
        count: Panels.
        depth: All of k.
        size: Rows of a row block, or columns of a panel.

    """
    return tuple(np.empty((count, depth, size), dtype=DTYPES[lane]) for lane in path.operand)


class Preparation:
    """Turns codes of A or B into panels.

    Args:
        path: The way to evaluate the model.
        form: Format of the codes.
        signed: How to read integers whose format leaves the sign open.
        size: Rows of a row block, or columns of a panel.
        across: Axis of the rows or columns: 0 for A [M, K], 1 for B [K, N].

    """

    def __init__(self, path: Path, form: Format, signed: bool, size: int, across: int) -> None:
        self.path = path
        self.form = form
        self.signed = signed
        self.size = size
        self.across = across
        self._table: Panels | None = None

    def __call__(self, codes: Codes, scales: Floats | None = None) -> Panels:
        """Prepare a matrix, filled up to whole panels with zeros.

        Args:
            codes: Unsigned integers.
            scales: The scale of each element, float64 in the same shape.

        """
        ordered = self._ordered(codes)
        if scales is None and self.form.bits <= _TABLE_BITS:
            return tuple(part.take(ordered) for part in self._looked_up())
        return self._made(ordered, scales)

    def fill(self, panels: Panels, codes: Codes, scales: Floats | None = None) -> None:
        """Prepare a matrix into panels of the right shape; as a call otherwise."""
        ordered = self._ordered(codes)
        if scales is None and self.form.bits <= _TABLE_BITS:
            index = ordered.astype(np.intp)
            for part, panel in zip(self._looked_up(), panels, strict=True):
                # Codes are below the table's size, so clipping only spares a buffer.
                part.take(index, out=panel, mode="clip")
            return
        for part, panel in zip(self._made(ordered, scales), panels, strict=True):
            panel[...] = part

    def _looked_up(self) -> Panels:
        if self._table is None:
            self._table = _table(self.path, self.form, self.signed)
        return self._table

    def _made(self, ordered: Codes, scales: Floats | None) -> Panels:
        spread = None if scales is None else self._ordered(scales)
        made = self.path.prepare(
            _ENGINE, self.form, _wide(ordered), signed=self.signed, scale=spread
        )
        return tuple(np.ascontiguousarray(np.broadcast_to(p, ordered.shape)) for p in made)

    def _ordered(self, codes: Codes) -> Codes:
        """Cut an array into panels, [panel][k][place]."""
        short = -codes.shape[self.across] % self.size
        if short:
            codes = np.pad(codes, [(0, short if axis == self.across else 0) for axis in (0, 1)])
        if self.across == 0:
            cut = codes.reshape(-1, self.size, codes.shape[1]).transpose(0, 2, 1)
        else:
            cut = codes.reshape(codes.shape[0], -1, self.size).transpose(1, 0, 2)
        return np.ascontiguousarray(cut)


def _wide(codes: Codes) -> Codes:
    return codes.astype(np.uint64).view(np.int64)


@lru_cache(maxsize=64)
def _table(path: Path, form: Format, signed: bool) -> Panels:
    codes = np.arange(form.codes, dtype=np.int64)
    made = path.prepare(_ENGINE, form, codes, signed=signed)
    wanted = [DTYPES[lane] for lane in path.operand]
    return tuple(
        np.ascontiguousarray(np.broadcast_to(part, codes.shape), dtype=dtype)
        for part, dtype in zip(made, wanted, strict=True)
    )


@dataclass(frozen=True)
class Compiled:
    """A kernel that is ready to run.

    Args:
        function: The compiled function.
        depth: k that it takes at a turn.

    """

    function: Function
    depth: int

    def run(self, a: Panels, b: Panels, result: Codes) -> None:
        """Multiply prepared panels into a block of results.

        Args:
            a: Row blocks of A.
            b: Column panels of B.
            result: [row blocks * rows, panels * columns], uint32 (uint64 for f64), rows apart
                by a fixed stride; codes of C on entry, of D on return.

        """
        self.function(*self.arguments(a, b, result))

    def arguments(self, a: Panels, b: Panels, result: Codes) -> tuple[int, ...]:
        """Give what the function takes for arrays that stay where they are."""
        blocks, whole, _ = a[0].shape
        stride = result.strides[0] // result.itemsize
        sizes = (stride, blocks, b[0].shape[0], whole // self.depth)
        return (_address(result), *sizes, *[_address(part) for part in (*a, *b)])


def compiled(path: Path, jit: Jit, whole: int, instruction: int, *, wide: bool) -> Compiled:
    """Make the kernel of a path ready, or find it.

    Args:
        path: The way to evaluate the model.
        jit: The compiler.
        whole: All of k, in panels.
        instruction: k of one instruction, in panels; a multiple of the path's step.
        wide: Results are 64-bit words.

    """
    depth = _run_together(path, whole) if path.seamless else instruction
    return _compiled(path, jit, depth, wide)


@lru_cache(maxsize=256)
def _compiled(path: Path, jit: Jit, depth: int, wide: bool) -> Compiled:
    kernel = ProductKernel(path, tile_for(path, jit), depth, wide=wide)
    return Compiled(kernel.compiled(jit), depth)


def _address(array: Codes) -> int:
    return int(array.__array_interface__["data"][0])


def _run_together(path: Path, depth: int) -> int:
    """Choose how much of k a compiled loop takes at a turn if instructions may run together."""
    steps = next(n for n in (16, 8, 4, 2, 1) if depth % (n * path.length) == 0)
    return steps * path.length
