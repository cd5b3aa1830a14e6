"""The engine as LLVM IR: each operation appends vector instructions to a builder."""

import llvmlite.ir as ir

from wavemma.engines import wide_x86
from wavemma.engines.engine import Engine, Lane
from wavemma.engines.fused import fused_f32
from wavemma.engines.llvm_lane_types import (
    LANE_OF_TYPE,
    Splat,
    Unread,
    constant,
    conversion,
    vector_type,
)
from wavemma.engines.machine import Machine
from wavemma.engines.wide_x86 import called, shuffled
from wavemma.errors import Unsupported

# Above this magnitude every float of the lane is an integer already.
_WHOLE = {Lane.F32: 2.0**23, Lane.F64: 2.0**52}


class LlvmEngine(Engine[ir.Value]):
    """Emits each operation at the builder's place, on vectors of `width` lanes.

    Args:
        builder: Where instructions go.
        width: Lanes of every value.
        machine: The processor.

    """

    def __init__(self, builder: ir.IRBuilder, width: int, machine: Machine) -> None:
        self.builder = builder
        self.width = width
        self.has_fma = machine.has_fma
        self.has_floor = machine.has_floor
        self.is_wide = machine.is_wide_x86 and wide_x86.fits(width)

    def vector_type(self, lane: Lane) -> ir.Type:
        """Give the LLVM type of a value."""
        return vector_type(lane, self.width)

    def lane(self, x: ir.Value) -> Lane:
        """Tell the lane type of a value."""
        return LANE_OF_TYPE[str(x.type.element)]

    def constant(self, lane: Lane, number: float) -> ir.Value:
        """Put one number in every lane."""
        return Splat(constant(lane, number), self.width)

    def splat(self, scalar: ir.Value) -> ir.Value:
        """Copy one LLVM scalar into every lane."""
        unread = Unread(vector_type(LANE_OF_TYPE[str(scalar.type)], self.width))
        one = self.builder.insert_element(unread, scalar, ir.Constant(ir.IntType(32), 0))
        mask = Splat(ir.Constant(ir.IntType(32), 0), self.width)
        return self.builder.shuffle_vector(one, unread, mask)

    def _arithmetic(self, name: str, x: ir.Value, y: ir.Value | float) -> ir.Value:
        prefix = "f" if self.lane(x).is_float else ""
        return getattr(self.builder, prefix + name)(x, self.like(x, y))

    def add(self, x: ir.Value, y: ir.Value | float) -> ir.Value:
        """Add."""
        # A number that is open would not tell.
        if type(y) is int and y == 0 and not self.lane(x).is_float:
            return x
        return self._arithmetic("add", x, y)

    def sub(self, x: ir.Value, y: ir.Value | float) -> ir.Value:
        """Subtract `y` from `x`."""
        return self._arithmetic("sub", x, y)

    def mul(self, x: ir.Value, y: ir.Value | float) -> ir.Value:
        """Multiply; of integers the low half of the product."""
        return self._arithmetic("mul", x, y)

    def div(self, x: ir.Value, y: ir.Value | float) -> ir.Value:
        """Divide floats."""
        return self.builder.fdiv(x, self.like(x, y))

    def fma(self, x: ir.Value, y: ir.Value, z: ir.Value) -> ir.Value:
        """Give x*y + z, rounded once."""
        if self.has_fma:
            return self._intrinsic("fma", x, y, z)
        if self.lane(x) is Lane.F64:
            raise Unsupported(
                "A machine without fused multiply-add cannot run f64 chains as compiled code.",
                hint="Use the array engine.",
            )
        return fused_f32(self, x, y, z)

    def _intrinsic(self, name: str, *values: ir.Value) -> ir.Value:
        kind = values[0].type
        return self._call(f"llvm.{name}.{self._suffix(values[0])}", kind, *values)

    def _suffix(self, value: ir.Value) -> str:
        """Name the type of a value as intrinsics do."""
        return f"v{self.width}{self.lane(value).value}"

    def _call(self, name: str, result: ir.Type, *values: ir.Value) -> ir.Value:
        return called(self.builder, name, result, *values)

    def add_down(self, x: ir.Value, y: ir.Value) -> ir.Value:
        """Add f64, rounded toward minus infinity."""
        if self.is_wide:
            return wide_x86.add_down(self.builder, x, y)
        return super().add_down(x, y)

    def fma_down(self, x: ir.Value, y: ir.Value, z: ir.Value) -> ir.Value:
        """Give x*y + z of f64, rounded toward minus infinity."""
        if self.is_wide:
            return wide_x86.fma_down(self.builder, x, y, z)
        return super().fma_down(x, y, z)

    def fma_to_zero(self, x: ir.Value, y: ir.Value, z: ir.Value) -> ir.Value:
        """Give x*y + z of f64, rounded toward zero."""
        if self.is_wide:
            return wide_x86.fma_to_zero(self.builder, x, y, z)
        return super().fma_to_zero(x, y, z)

    def half_to_f32(self, code: ir.Value) -> ir.Value:
        """Read finite half precision."""
        if self.is_wide:
            return wide_x86.half_to_f32(self.builder, code)
        return super().half_to_f32(code)

    def keep_and_set(self, x: ir.Value, kept: int, bits: int) -> ir.Value:
        """Clear the bits of i32 that are not kept, and set others."""
        if self.is_wide:
            return wide_x86.keep_and_set(self.builder, x, self.like(x, kept), self.like(x, bits))
        return super().keep_and_set(x, kept, bits)

    def twice(self, x: ir.Value) -> ir.Value:
        """Put i16 into both halves of i32."""
        halves = shuffled(self.builder, x, x, [lane // 2 for lane in range(2 * self.width)])
        return self.builder.bitcast(halves, self.vector_type(Lane.I32))

    def join_words(self, low: ir.Value, high: ir.Value) -> ir.Value:
        """Make f64 of the lower and the upper half of their bits."""
        order = [lane + half for lane in range(self.width) for half in (0, self.width)]
        words = shuffled(self.builder, low, high, order)
        return self.builder.bitcast(words, self.vector_type(Lane.F64))

    def low_word(self, x: ir.Value) -> ir.Value:
        """Give the lower half of the bits of f64."""
        words = self.builder.bitcast(x, vector_type(Lane.I32, 2 * self.width))
        return shuffled(self.builder, words, words, range(0, 2 * self.width, 2))

    def sub_bytes(self, x: ir.Value, y: ir.Value) -> ir.Value:
        """Subtract each of four unsigned bytes of i32, to no less than 0."""
        return self._on_bytes("usub.sat", x, y)

    def max_bytes(self, x: ir.Value, y: ir.Value) -> ir.Value:
        """Give the larger one of each of four unsigned bytes of i32."""
        return self._on_bytes("umax", x, y)

    def _on_bytes(self, name: str, *values: ir.Value) -> ir.Value:
        count = 4 * self.width
        kind = vector_type(Lane.I8, count)
        parts = [self.builder.bitcast(value, kind) for value in values]
        made = self._call(f"llvm.{name}.v{count}i8", kind, *parts)
        return self.builder.bitcast(made, values[0].type)

    def floor(self, x: ir.Value) -> ir.Value:
        """Round floats to an integer toward minus infinity."""
        if self.has_floor:
            return self._intrinsic("floor", x)
        near = self._nearest(x)
        return self.select(self.lt(x, near), self.sub(near, 1.0), near)

    def floor_to_integer(self, x: ir.Value) -> ir.Value:
        """Round f32 to i32, or f64 to i64, toward minus infinity."""
        if self.is_wide and self.lane(x) is Lane.F32:
            return wide_x86.floor_to_integer(self.builder, x)
        return super().floor_to_integer(x)

    def larger_size(self, x: ir.Value, y: ir.Value) -> ir.Value:
        """Give x with the larger magnitude of its own and y."""
        if self.is_wide and self.lane(x) is Lane.F32:
            return wide_x86.larger_size(self.builder, x, y)
        return super().larger_size(x, y)

    def trunc(self, x: ir.Value) -> ir.Value:
        """Round floats to an integer toward zero."""
        if self.has_floor:
            return self._intrinsic("trunc", x)
        size = self.abs(x)
        near = self._nearest(size)
        down = self.select(self.lt(size, near), self.sub(near, 1.0), near)
        return self._with_sign_of(down, x)

    def _nearest(self, x: ir.Value) -> ir.Value:
        whole = _WHOLE[self.lane(x)]
        size = self.abs(x)
        near = self._with_sign_of(self.sub(self.add(size, whole), whole), x)
        return self.select(self.lt(size, self.like(x, whole)), near, x)

    def _with_sign_of(self, size: ir.Value, x: ir.Value) -> ir.Value:
        lane = self.lane(x)
        integer = Lane.I32 if lane is Lane.F32 else Lane.I64
        sign = self.and_(self.bitcast(x, integer), 1 << (lane.bits - 1))
        return self.bitcast(self.or_(self.bitcast(size, integer), sign), lane)

    def and_(self, x: ir.Value, y: ir.Value | float) -> ir.Value:
        """Combine the bits of integers, or truth values, by and."""
        return self.builder.and_(x, self.like(x, y))

    def or_(self, x: ir.Value, y: ir.Value | float) -> ir.Value:
        """Combine the bits of integers, or truth values, by or."""
        return self.builder.or_(x, self.like(x, y))

    def xor(self, x: ir.Value, y: ir.Value | float) -> ir.Value:
        """Combine the bits of integers, or truth values, by exclusive or."""
        return self.builder.xor(x, self.like(x, y))

    def shl(self, x: ir.Value, amount: ir.Value | int) -> ir.Value:
        """Shift integers left."""
        return self.builder.shl(x, self.like(x, amount))

    def lshr(self, x: ir.Value, amount: ir.Value | int) -> ir.Value:
        """Shift integers right, zeros in."""
        return self.builder.lshr(x, self.like(x, amount))

    def ashr(self, x: ir.Value, amount: ir.Value | int) -> ir.Value:
        """Shift integers right, sign in."""
        return self.builder.ashr(x, self.like(x, amount))

    def ashr_out(self, x: ir.Value, amount: ir.Value) -> ir.Value:
        """Shift i32 right, sign in, by 0 or more bits."""
        if self.is_wide and self.lane(x) is Lane.I32:
            return wide_x86.ashr_out(self.builder, x, amount)
        return super().ashr_out(x, amount)

    def leading_zeros(self, x: ir.Value) -> ir.Value:
        """Count the zero bits above the highest set bit."""
        return self._call(f"llvm.ctlz.{self._suffix(x)}", x.type, x, ir.Constant(ir.IntType(1), 0))

    def popcount(self, x: ir.Value) -> ir.Value:
        """Count the one bits of integers."""
        return self._intrinsic("ctpop", x)

    def sqrt(self, x: ir.Value) -> ir.Value:
        """Take the square root of floats."""
        return self._intrinsic("sqrt", x)

    def nearest(self, x: ir.Value) -> ir.Value:
        """Round floats to an integer, ties to even."""
        return self._intrinsic("rint", x) if self.has_floor else self._nearest(x)

    def _compare(self, how: str, x: ir.Value, y: ir.Value | float) -> ir.Value:
        other = self.like(x, y)
        if self.lane(x).is_float:
            return self.builder.fcmp_ordered(how, x, other)
        return self.builder.icmp_signed(how, x, other)

    def eq(self, x: ir.Value, y: ir.Value | float) -> ir.Value:
        """Compare for equality."""
        return self._compare("==", x, y)

    def lt(self, x: ir.Value, y: ir.Value | float) -> ir.Value:
        """Compare x < y."""
        return self._compare("<", x, y)

    def le(self, x: ir.Value, y: ir.Value | float) -> ir.Value:
        """Compare x <= y."""
        return self._compare("<=", x, y)

    def unsigned_lt(self, x: ir.Value, y: ir.Value | float) -> ir.Value:
        """Compare x < y with integers read as unsigned."""
        return self.builder.icmp_unsigned("<", x, self.like(x, y))

    def select(self, condition: ir.Value, yes: ir.Value, no: ir.Value | float) -> ir.Value:
        """Take `yes` where the condition holds, `no` elsewhere."""
        return self.builder.select(condition, yes, self.like(yes, no))

    def convert(self, x: ir.Value, lane: Lane) -> ir.Value:
        """Change the type, keeping the number."""
        source = self.lane(x)
        if source is lane:
            return x
        made: ir.Value = getattr(self.builder, conversion(source, lane))(x, self.vector_type(lane))
        return made

    def zero_extend(self, x: ir.Value, lane: Lane) -> ir.Value:
        """Widen integers with zeros."""
        return self.builder.zext(x, self.vector_type(lane))

    def bitcast(self, x: ir.Value, lane: Lane) -> ir.Value:
        """Keep the bits and change the type."""
        return self.builder.bitcast(x, self.vector_type(lane))
