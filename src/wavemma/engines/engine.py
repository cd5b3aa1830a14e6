"""The primitive lane operations that every meaning is written in.

A meaning is one function that takes an engine first and engine values after it. Each value is
a vector of lanes of one `Lane` type. The same function runs on NumPy arrays
(`array_engine.ArrayEngine`, the reference) and as LLVM IR (`llvm_engine.LlvmEngine`), and must
give the same bits on both.

Contract that both engines keep: integers are two's complement and wrap; floating operations are
IEEE 754, round to nearest, ties to even, with subnormals; the payload of a NaN that an operation
makes is unspecified, so a meaning that cares selects explicit bits. A shift by an amount outside
0..bits-1 and a conversion that does not fit give an unspecified value without a fault: such
lanes must be dropped by `select`. No operation needs host memory, a mathematics library or
exceptions.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from typing import Generic, TypeVar

V = TypeVar("V")


class Lane(Enum):
    """The type of one lane; i8 is only for what lies in memory, i16 for few operations."""

    BOOL = "bool"
    I8 = "i8"
    I16 = "i16"
    I32 = "i32"
    I64 = "i64"
    F32 = "f32"
    F64 = "f64"

    @property
    def bits(self) -> int:
        """Width of the lane, in bits; a truth value has 1."""
        return {"bool": 1, "i8": 8, "i16": 16}.get(self.value) or int(self.value[1:])

    @property
    def is_float(self) -> bool:
        """True for f32 and f64."""
        return self in (Lane.F32, Lane.F64)


class Engine(ABC, Generic[V]):
    """Operations on lanes; a plain number as an operand stands for that constant in every lane."""

    @abstractmethod
    def lane(self, x: V) -> Lane:
        """Tell the lane type of a value."""

    @abstractmethod
    def constant(self, lane: Lane, number: float) -> V:
        """Put one number in every lane; integers may be given signed or unsigned."""

    def like(self, x: V, y: V | float) -> V:
        """Turn a plain number into a constant of the type of `x`; pass a value through."""
        return self.constant(self.lane(x), y) if isinstance(y, int | float) else y

    @abstractmethod
    def add(self, x: V, y: V | float) -> V:
        """Add."""

    @abstractmethod
    def sub(self, x: V, y: V | float) -> V:
        """Subtract `y` from `x`."""

    @abstractmethod
    def mul(self, x: V, y: V | float) -> V:
        """Multiply; of integers the low half of the product."""

    @abstractmethod
    def div(self, x: V, y: V | float) -> V:
        """Divide floats."""

    @abstractmethod
    def fma(self, x: V, y: V, z: V) -> V:
        """Give x*y + z, rounded once."""

    def two_sum(self, x: V, y: V) -> tuple[V, V]:
        """Give the rounded sum of finite floats and its exact error."""
        total = self.add(x, y)
        back = self.sub(total, x)
        return total, self.add(self.sub(x, self.sub(total, back)), self.sub(y, back))

    def add_down(self, x: V, y: V) -> V:
        """Add finite f64, rounded toward minus infinity; a zero may have either sign."""
        total, error = self.two_sum(x, y)
        bits = self.bitcast(total, Lane.I64)
        step = self.select(self.lt(bits, 0), self.constant(Lane.I64, 1), -1)
        below = self.bitcast(self.add(bits, step), Lane.F64)
        return self.select(self.lt(error, 0.0), below, total)

    def fma_down(self, x: V, y: V, z: V) -> V:
        """Give x*y + z as `add_down` does; x*y must be a number of f64."""
        return self.add_down(self.mul(x, y), z)

    def fma_to_zero(self, x: V, y: V, z: V) -> V:
        """Give x*y + z of finite f64, rounded toward zero; x*y must be a number of f64."""
        total, error = self.two_sum(self.mul(x, y), z)
        zero = self.constant(Lane.F64, 0.0)
        outward = self.select(self.lt(total, 0.0), self.lt(zero, error), self.lt(error, zero))
        inward = self.bitcast(self.sub(self.bitcast(total, Lane.I64), 1), Lane.F64)
        return self.select(outward, inward, total)

    def half_to_f32(self, code: V) -> V:
        """Read finite IEEE half precision in i32 whose upper halves are 0."""
        size = self.shl(self.and_(code, 0x7FFF), 13)
        value = self.bitcast(self.mul(self.bitcast(size, Lane.F32), 2.0**112), Lane.I32)
        return self.bitcast(self.or_(value, self.shl(self.and_(code, 0x8000), 16)), Lane.F32)

    def keep_and_set(self, x: V, kept: int, bits: int) -> V:
        """Clear the bits of i32 that are not kept, and set others."""
        return self.or_(self.and_(x, kept), bits)

    def twice(self, x: V) -> V:
        """Put i16 into both halves of i32."""
        low = self.zero_extend(x, Lane.I32)
        return self.or_(low, self.shl(low, Lane.I16.bits))

    def join_words(self, low: V, high: V) -> V:
        """Make f64 of the lower and the upper half of their bits, i32."""
        upper = self.shl(self.zero_extend(high, Lane.I64), Lane.I32.bits)
        return self.bitcast(self.or_(upper, self.zero_extend(low, Lane.I64)), Lane.F64)

    def low_word(self, x: V) -> V:
        """Give the lower half of the bits of f64, i32."""
        return self.convert(self.bitcast(x, Lane.I64), Lane.I32)

    @abstractmethod
    def sub_bytes(self, x: V, y: V) -> V:
        """Subtract each of four unsigned bytes of i32, to no less than 0."""

    @abstractmethod
    def max_bytes(self, x: V, y: V) -> V:
        """Give the larger one of each of four unsigned bytes of i32."""

    @abstractmethod
    def floor(self, x: V) -> V:
        """Round floats to an integer toward minus infinity."""

    @abstractmethod
    def trunc(self, x: V) -> V:
        """Round floats to an integer toward zero."""

    def floor_to_integer(self, x: V) -> V:
        """Round f32 to i32, or f64 to i64, toward minus infinity; the result must fit."""
        lane = Lane.I32 if self.lane(x) is Lane.F32 else Lane.I64
        return self.convert(self.floor(x), lane)

    def larger_size(self, x: V, y: V) -> V:
        """Give x with the larger magnitude of its own and y; both finite."""
        lane = self.lane(x)
        integer = Lane.I32 if lane is Lane.F32 else Lane.I64
        size = self.bitcast(self.max(self.abs(x), self.abs(y)), integer)
        sign = self.and_(self.bitcast(x, integer), 1 << (lane.bits - 1))
        return self.bitcast(self.or_(size, sign), lane)

    @abstractmethod
    def and_(self, x: V, y: V | float) -> V:
        """Combine the bits of integers, or truth values, by and."""

    @abstractmethod
    def or_(self, x: V, y: V | float) -> V:
        """Combine the bits of integers, or truth values, by or."""

    @abstractmethod
    def xor(self, x: V, y: V | float) -> V:
        """Combine the bits of integers, or truth values, by exclusive or."""

    @abstractmethod
    def shl(self, x: V, amount: V | int) -> V:
        """Shift integers left; each amount in 0..bits-1."""

    @abstractmethod
    def lshr(self, x: V, amount: V | int) -> V:
        """Shift integers right, zeros in; each amount in 0..bits-1."""

    @abstractmethod
    def ashr(self, x: V, amount: V | int) -> V:
        """Shift integers right, sign in; each amount in 0..bits-1."""

    def ashr_out(self, x: V, amount: V) -> V:
        """Shift i32 right, sign in, by 0 or more bits; 31 or more leave the sign alone."""
        return self.ashr(x, self.min(amount, self.lane(x).bits - 1))

    @abstractmethod
    def leading_zeros(self, x: V) -> V:
        """Count the zero bits above the highest set bit; all bits for 0."""

    @abstractmethod
    def popcount(self, x: V) -> V:
        """Count the one bits of integers."""

    @abstractmethod
    def sqrt(self, x: V) -> V:
        """Take the square root of floats, rounded once; NaN below zero."""

    @abstractmethod
    def nearest(self, x: V) -> V:
        """Round floats to an integer, ties to even; keeps the sign of zero."""

    @abstractmethod
    def eq(self, x: V, y: V | float) -> V:
        """Compare for equality; false for a NaN."""

    @abstractmethod
    def lt(self, x: V, y: V | float) -> V:
        """Compare x < y, signed for integers; false for a NaN."""

    @abstractmethod
    def le(self, x: V, y: V | float) -> V:
        """Compare x <= y, signed for integers; false for a NaN."""

    @abstractmethod
    def unsigned_lt(self, x: V, y: V | float) -> V:
        """Compare x < y with integers read as unsigned."""

    @abstractmethod
    def select(self, condition: V, yes: V, no: V | float) -> V:
        """Take `yes` where the condition holds, `no` elsewhere; the other one is dropped."""

    @abstractmethod
    def convert(self, x: V, lane: Lane) -> V:
        """Change the type, keeping the number.

        Integers are signed; wider to narrower integers drop high bits; to a narrower float
        rounds to nearest even; float to integer truncates and must fit; truth is 0 or 1.
        """

    @abstractmethod
    def zero_extend(self, x: V, lane: Lane) -> V:
        """Widen integers with zeros."""

    @abstractmethod
    def bitcast(self, x: V, lane: Lane) -> V:
        """Keep the bits and change the type to one of the same width."""

    def neg(self, x: V) -> V:
        """Negate; floats by the sign bit, also of a zero or a NaN."""
        lane = self.lane(x)
        if not lane.is_float:
            return self.sub(self.constant(lane, 0), x)
        return self._on_bits(x, self.xor, 1 << (lane.bits - 1))

    def abs(self, x: V) -> V:
        """Clear the sign bit of floats."""
        return self._on_bits(x, self.and_, (1 << (self.lane(x).bits - 1)) - 1)

    def _on_bits(self, x: V, operation: Callable[[V, V | float], V], mask: int) -> V:
        lane = self.lane(x)
        integer = Lane.I32 if lane is Lane.F32 else Lane.I64
        return self.bitcast(operation(self.bitcast(x, integer), mask), lane)

    def not_(self, x: V) -> V:
        """Flip all bits of integers, or truth values."""
        return self.xor(x, 1 if self.lane(x) is Lane.BOOL else -1)

    def max(self, x: V, y: V | float) -> V:
        """Give x where x > y, else y; signed for integers."""
        other = self.like(x, y)
        return self.select(self.lt(other, x), x, other)

    def min(self, x: V, y: V | float) -> V:
        """Give x where x < y, else y; signed for integers."""
        other = self.like(x, y)
        return self.select(self.lt(x, other), x, other)

    def is_nan(self, x: V) -> V:
        """Tell which floats are NaN."""
        return self.not_(self.eq(x, x))
