"""The preparing of many elements as one compiled function."""

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
from wavemma.formats.format import Format
from wavemma.numerics.path import Path

ELEMENTS = 32
"""Elements are prepared so many at a time."""
_POINTER = ir.PointerType()
_NAME = "prepare"


@dataclass(frozen=True)
class PanelKernel:
    """Writes the function; it takes a pointer to codes, how many ELEMENTS, and where parts go.

    Args:
        path: The way to evaluate the model.
        form: Format of the codes.
        signed: How to read integers whose format leaves the sign open.
        left: They are A's.
        bits: Of a code in memory.

    """

    path: Path
    form: Format
    signed: bool
    left: bool
    bits: int

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """Lane types of the components."""
        return self.path.left if self.left else self.path.operand

    def compiled(self, jit: Jit) -> Function:
        """Compile the function, or find it in the cache."""
        arguments = [c_void_p, c_int64, *[c_void_p] * len(self.lanes)]
        return jit.function(_NAME, repr(self), self.emit, arguments)

    def emit(self, module: ir.Module, machine: Machine) -> None:
        """Write the function into a module."""
        kinds = [_POINTER, INDEX, *[_POINTER] * len(self.lanes)]
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), kinds), _NAME)
        build = ir.IRBuilder(function.append_basic_block())
        mode = FloatMode(build, machine)
        codes, count, *places = function.args
        engine = LlvmEngine(build, ELEMENTS, machine)

        def turn(number: ir.Value, _: object) -> list[ir.Value]:
            first = build.mul(number, INDEX(ELEMENTS))
            self._turn(engine, codes, places, first)
            return []

        counted_loop(build, count, [], turn)
        mode.restore()
        build.ret_void()

    def _turn(
        self, e: LlvmEngine, codes: ir.Value, places: list[ir.Value], first: ir.Value
    ) -> None:
        build, kind = e.builder, ir.IntType(self.bits)
        place = build.gep(codes, [first], source_etype=kind)
        word = build.load(place, align=self.bits // 8, typ=ir.VectorType(kind, ELEMENTS))
        code = build.zext(word, e.vector_type(Lane.I64)) if self.bits < Lane.I64.bits else word
        prepare = self.path.prepare_left if self.left else self.path.prepare
        widen = self.path.widen_left if self.left else self.path.widen
        made = prepare(e, self.form, code, signed=self.signed)
        for lane, target, part in zip(self.lanes, places, made, strict=True):
            is_narrow = lane is Lane.F64 and e.lane(part) is Lane.F32
            value = widen(e, part) if is_narrow else e.convert(part, lane)
            where = build.gep(target, [first], source_etype=element_type(lane))
            build.store(value, where, align=lane.bits // 8)
