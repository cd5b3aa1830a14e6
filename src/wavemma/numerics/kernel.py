"""A matrix product of prepared operands as one compiled function."""

from collections.abc import Sequence
from ctypes import c_int64, c_void_p
from dataclasses import dataclass

import llvmlite.ir as ir

from wavemma.engines.engine import Lane
from wavemma.engines.float_mode import FloatMode
from wavemma.engines.jit import Function, Jit
from wavemma.engines.llvm_engine import LlvmEngine
from wavemma.engines.llvm_lane_types import element_type
from wavemma.engines.loops import INDEX, counted_loop
from wavemma.engines.machine import Machine
from wavemma.numerics.path import TOGETHER, Lanes, Path

_POINTER = ir.PointerType()
KERNEL = "product"


@dataclass(frozen=True)
class Tile:
    """How much of the result one pass of the inner loop computes.

    Args:
        rows: Rows, each with a state of its own.
        columns: Columns, the lanes of one vector value.

    """

    rows: int
    columns: int


class ProductKernel:
    """Writes the function that multiplies panels of prepared elements.

    Its arguments: pointer to results (codes of C on entry, of D on return; 32-bit words, 64 for
    f64), their row stride in words, the row blocks, the panels, the instructions along k, and
    for each component a pointer for A and one for B. A's elements lie as [row block][k][row in
    block], B's as [panel][k][column in panel].

    Args:
        path: How the sum is done.
        tile: Rows and columns of a block.
        depth: k of one instruction, a multiple of the path's step.
        wide: Results are 64-bit words.

    """

    def __init__(self, path: Path, tile: Tile, depth: int, *, wide: bool) -> None:
        self.path = path
        self.tile = tile
        self.depth = depth
        self.code = Lane.I64 if wide else Lane.I32

    def compiled(self, jit: Jit) -> Function:
        """Compile the function, or find it in the cache."""
        key = repr((self.path, self.tile, self.depth, self.code))
        count = len(self.path.left) + len(self.path.operand)
        arguments = [c_void_p, *[c_int64] * 4, *[c_void_p] * count]
        return jit.function(KERNEL, key, self.emit, arguments)

    def emit(self, module: ir.Module, machine: Machine) -> None:
        """Write the function into a module."""
        count = len(self.path.left) + len(self.path.operand)
        kinds = [_POINTER, *[INDEX] * 4, *[_POINTER] * count]
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), kinds), KERNEL)
        build = ir.IRBuilder(function.append_basic_block())
        mode = FloatMode(build, machine)
        engine = LlvmEngine(build, self.tile.columns, machine)
        _Emission(self, engine, function).loops()
        mode.restore()
        build.ret_void()


class _Emission:
    """The loops of one kernel: panels, row blocks, instructions, steps."""

    def __init__(self, kernel: ProductKernel, engine: LlvmEngine, function: ir.Function) -> None:
        self.kernel = kernel
        self.engine = engine
        self.build = engine.builder
        out, stride, blocks, panels, instructions, *pointers = function.args
        self.out, self.stride, self.blocks, self.panels = out, stride, blocks, panels
        self.instructions = instructions
        count = len(kernel.path.left)
        self.a_pointers, self.b_pointers = pointers[:count], pointers[count:]

    def loops(self) -> None:
        counted_loop(self.build, self.panels, [], lambda panel, _: self._panel(panel))

    def _panel(self, panel: ir.Value) -> list[ir.Value]:
        counted_loop(self.build, self.blocks, [], lambda block, _: self._block(panel, block))
        return []

    def _block(self, panel: ir.Value, block: ir.Value) -> list[ir.Value]:
        tile, build = self.kernel.tile, self.build
        row = build.mul(block, INDEX(tile.rows))
        column = build.mul(panel, INDEX(tile.columns))
        places = []
        for number in range(tile.rows):
            start = build.mul(build.add(row, INDEX(number)), self.stride)
            places.append(self._place(self.out, self.kernel.code, build.add(start, column)))
        kind = self.engine.vector_type(self.kernel.code)
        align = self.kernel.code.bits // 8
        codes = [build.load(place, align=align, typ=kind) for place in places]
        whole = build.mul(self.instructions, INDEX(self.kernel.depth))
        a_first = build.mul(build.mul(block, whole), INDEX(tile.rows))
        b_first = build.mul(build.mul(panel, whole), INDEX(tile.columns))
        results = counted_loop(
            build,
            self.instructions,
            codes,
            lambda number, values: self._instruction(number, values, a_first, b_first),
        )
        for place, result in zip(places, results, strict=True):
            build.store(result, place, align=align)
        return []

    def _instruction(
        self, number: ir.Value, codes: Sequence[ir.Value], a_first: ir.Value, b_first: ir.Value
    ) -> list[ir.Value]:
        path, build = self.kernel.path, self.build
        states = [path.begin(self.engine, code) for code in codes]
        width = len(path.state)
        k_first = build.mul(number, INDEX(self.kernel.depth))

        def body(index: ir.Value, flat: Sequence[ir.Value]) -> list[ir.Value]:
            k = build.add(k_first, build.mul(index, INDEX(path.length)))
            grouped = [tuple(flat[i : i + width]) for i in range(0, len(flat), width)]
            return self._step(k, grouped, a_first, b_first)

        flat = [value for state in states for value in state]
        count = self.kernel.depth // path.length
        if path.seamless:
            for number_of_step in range(count):
                flat = body(INDEX(number_of_step), flat)
        else:
            flat = counted_loop(build, INDEX(count), flat, body)
        grouped = [tuple(flat[i : i + width]) for i in range(0, len(flat), width)]
        return [path.finish(self.engine, state) for state in grouped]

    def _step(
        self, k: ir.Value, states: Sequence[Lanes[ir.Value]], a_first: ir.Value, b_first: ir.Value
    ) -> list[ir.Value]:
        path, tile, build = self.kernel.path, self.kernel.tile, self.build
        a_start = build.add(a_first, build.mul(k, INDEX(tile.rows)))
        b_start = build.add(b_first, build.mul(k, INDEX(tile.columns)))
        b = [self._b_element(b_start, offset) for offset in range(path.length)]
        results: list[ir.Value] = []
        for first in range(0, tile.rows, TOGETHER):
            together = range(first, min(first + TOGETHER, tile.rows))
            a = [self._a_elements(a_start, offset, together) for offset in range(path.length)]
            rows = [[each[row] for each in a] for row in range(len(together))]
            for state in path.steps(self.engine, rows, b, states[first : first + TOGETHER]):
                results.extend(state)
        return results

    def _a_elements(
        self, start: ir.Value, offset: int, rows: Sequence[int]
    ) -> list[Lanes[ir.Value]]:
        """Give one element of A of each row."""
        parts = []
        for pointer, lane in zip(self.a_pointers, self.kernel.path.left, strict=True):
            places = [
                self._place(pointer, lane, self.build.add(start, INDEX(number)))
                for number in (offset * self.kernel.tile.rows + row for row in rows)
            ]
            if lane is Lane.I8:
                word = self.build.load(places[0], align=1, typ=element_type(Lane.I32))
                parts.append([self.engine.splat(word)] * len(rows))
            else:
                kind = element_type(lane)
                loaded = [self.build.load(place, typ=kind) for place in places]
                parts.append([self.engine.splat(scalar) for scalar in loaded])
        return list(zip(*parts, strict=True))

    def _b_element(self, start: ir.Value, offset: int) -> Lanes[ir.Value]:
        place = self.build.add(start, INDEX(offset * self.kernel.tile.columns))
        values = []
        for pointer, lane in zip(self.b_pointers, self.kernel.path.operand, strict=True):
            kind = self.engine.vector_type(lane)
            where = self._place(pointer, lane, place)
            values.append(self.build.load(where, align=lane.bits // 8, typ=kind))
        return tuple(values)

    def _place(self, pointer: ir.Value, lane: Lane, index: ir.Value) -> ir.Value:
        return self.build.gep(pointer, [index], source_etype=element_type(lane))
