"""Matrix products by compiled code: operands as panels, and the call of a kernel on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavemma.engines.array_engine import DTYPES
from wavemma.engines.engine import Lane
from wavemma.engines.jit import Function, Jit
from wavemma.formats.format import Format
from wavemma.numerics.kernel import ProductKernel, Tile
from wavemma.numerics.panel_kernel import ELEMENTS, PanelKernel
from wavemma.numerics.path import Path
from wavemma.numerics.prepared import prepared

Codes = NDArray[Any]
Floats = NDArray[np.float64]
Panels = tuple[Codes, ...]
"""Prepared elements as a kernel reads them: an array for each component,
[panel][k][place in panel]."""
_TABLE_BITS = 16
# As many elements as to compile for takes less time than to look them up.
_LARGE = 1 << 18


def tile_for(path: Path, jit: Jit) -> Tile:
    """Choose the tile that keeps the machine's vector units busy on a path."""
    lanes = path.vectors * jit.machine.vector_bits // path.operand[0].bits
    return Tile(path.rows, max(4, lanes))


class Preparation:
    """Turns codes of A or B into panels.

    Args:
        path: The way to evaluate the model.
        form: Format of the codes.
        signed: How to read integers whose format leaves the sign open.
        size: Rows of a row block, or columns of a panel.
        across: Axis of the rows or columns: 0 for A [M, K], 1 for B [K, N].
        jit: The compiler that large matrices are prepared by; None for none.

    """

    def __init__(
        self,
        path: Path,
        form: Format,
        signed: bool,
        size: int,
        across: int,
        jit: Jit | None = None,
    ) -> None:
        self.jit = jit
        self.path = path
        self.form = form
        self.signed = signed
        self.size = size
        self.across = across

    def memory(self, panels: int, depth: int) -> Panels:
        """Make arrays for so many panels: for large ones the system gives large pages."""
        shape = (panels, depth, self.size)
        return tuple(np.empty(shape, dtype=DTYPES[lane]) for lane in _lanes(self.path, self.across))

    def __call__(
        self, codes: Codes, scales: Floats | None = None, into: Panels | None = None
    ) -> Panels:
        """Prepare a matrix, filled up to whole panels with zeros.

        Args:
            codes: Unsigned integers.
            scales: The scale of each element, float64 in the same shape.
            into: Where the panels go, arrays of their own if left out.

        """
        ordered = self._ordered(codes)
        found = into or self.memory(ordered.shape[0], ordered.shape[1])
        if scales is not None:
            self._by_arrays(ordered, self._ordered(scales), found)
        elif self.jit and ordered.size >= _LARGE and ordered.size % ELEMENTS == 0:
            self._compiled(self.jit, ordered, found)
        elif self.form.bits <= _TABLE_BITS:
            self._by_table(ordered, found)
        else:
            self._by_arrays(ordered, None, found)
        return found

    def _compiled(self, jit: Jit, codes: Codes, found: Panels) -> None:
        bits = codes.itemsize * 8
        kernel = PanelKernel(self.path, self.form, self.signed, self.across == 0, bits)
        count = codes.size // ELEMENTS
        kernel.compiled(jit)(_address(codes), count, *map(_address, found))

    def _by_table(self, codes: Codes, found: Panels) -> None:
        table = _table(self.path, self.form, self.signed, self.across)
        places = codes.astype(np.intp)
        for part, place in zip(table, found, strict=True):
            # No place lies outside, and clipping spares the test for that.
            part.take(places, mode="clip", out=place)

    def _by_arrays(self, codes: Codes, scales: Floats | None, found: Panels) -> None:
        left, wide = self.across == 0, _wide(codes)
        made = prepared(self.path, self.form, wide, left=left, signed=self.signed, scale=scales)
        for part, place in zip(made, found, strict=True):
            np.copyto(place, part, casting="unsafe")

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


def _lanes(path: Path, across: int) -> tuple[Lane, ...]:
    """Give the lanes of the components of elements of A, or of B."""
    return path.operand if across else path.left


def _stored(made: Panels, lanes: Sequence[Lane], shape: tuple[int, ...]) -> Panels:
    """Put components of every element into arrays of their types."""
    # What a NaN becomes raises flags, though it stays one.
    with np.errstate(invalid="ignore"):
        return tuple(
            np.ascontiguousarray(np.broadcast_to(part, shape).astype(DTYPES[lane], copy=False))
            for part, lane in zip(made, lanes, strict=True)
        )


@lru_cache(maxsize=64)
def _table(path: Path, form: Format, signed: bool, across: int) -> Panels:
    codes = np.arange(form.codes, dtype=np.int64)
    made = prepared(path, form, codes, left=across == 0, signed=signed)
    return _stored(made, _lanes(path, across), codes.shape)


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
        blocks, whole, _ = a[0].shape
        stride = result.strides[0] // result.itemsize
        addresses = [_address(part) for part in (*a, *b)]
        steps = whole // self.depth
        self.function(_address(result), stride, blocks, b[0].shape[0], steps, *addresses)


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
