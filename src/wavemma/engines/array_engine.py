"""The engine on NumPy arrays: the reference that every other engine must equal."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavemma.engines.engine import Engine, Lane
from wavemma.engines.fused import fused_f32, fused_f64

Array = NDArray[Any]

DTYPES: dict[Lane, Any] = {
    Lane.BOOL: np.bool_,
    Lane.I8: np.int8,
    Lane.I16: np.int16,
    Lane.I32: np.int32,
    Lane.I64: np.int64,
    Lane.F32: np.float32,
    Lane.F64: np.float64,
}
_LANES = {np.dtype(dtype): lane for lane, dtype in DTYPES.items()}
_UNSIGNED = {Lane.I16: np.uint16, Lane.I32: np.uint32, Lane.I64: np.uint64}


class ArrayEngine(Engine[Array]):
    """Each value is an array of any shape; operands broadcast as in NumPy."""

    def lane(self, x: Array) -> Lane:
        """Tell the lane type of an array."""
        return _LANES[x.dtype]

    def constant(self, lane: Lane, number: float) -> Array:
        """Make a 0-dimensional array of the number."""
        if lane in _UNSIGNED:
            wrapped = int(number) & ((1 << lane.bits) - 1)
            return np.array(wrapped, dtype=_UNSIGNED[lane]).view(DTYPES[lane])
        return np.array(number, dtype=DTYPES[lane])

    def _binary(self, function: Callable[..., Any], x: Array, y: Array | float) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(function(x, self.like(x, y)))

    def add(self, x: Array, y: Array | float) -> Array:
        """Add."""
        return self._binary(np.add, x, y)

    def sub(self, x: Array, y: Array | float) -> Array:
        """Subtract `y` from `x`."""
        return self._binary(np.subtract, x, y)

    def mul(self, x: Array, y: Array | float) -> Array:
        """Multiply; of integers the low half of the product."""
        return self._binary(np.multiply, x, y)

    def div(self, x: Array, y: Array | float) -> Array:
        """Divide floats."""
        return self._binary(np.divide, x, y)

    def fma(self, x: Array, y: Array, z: Array) -> Array:
        """Give x*y + z, rounded once."""
        return fused_f32(self, x, y, z) if x.dtype == np.float32 else fused_f64(x, y, z)

    def sub_bytes(self, x: Array, y: Array) -> Array:
        """Subtract each of four unsigned bytes of i32, to no less than 0."""
        first, second = _bytes(x), _bytes(y)
        return _whole(np.where(first > second, first - second, np.uint8(0)))

    def max_bytes(self, x: Array, y: Array) -> Array:
        """Give the larger one of each of four unsigned bytes of i32."""
        return _whole(np.maximum(_bytes(x), _bytes(y)))

    def floor(self, x: Array) -> Array:
        """Round floats to an integer toward minus infinity."""
        with np.errstate(all="ignore"):
            return np.asarray(np.floor(x))

    def trunc(self, x: Array) -> Array:
        """Round floats to an integer toward zero."""
        with np.errstate(all="ignore"):
            return np.asarray(np.trunc(x))

    def and_(self, x: Array, y: Array | float) -> Array:
        """Combine the bits of integers, or truth values, by and."""
        return self._binary(np.bitwise_and, x, y)

    def or_(self, x: Array, y: Array | float) -> Array:
        """Combine the bits of integers, or truth values, by or."""
        return self._binary(np.bitwise_or, x, y)

    def xor(self, x: Array, y: Array | float) -> Array:
        """Combine the bits of integers, or truth values, by exclusive or."""
        return self._binary(np.bitwise_xor, x, y)

    def shl(self, x: Array, amount: Array | int) -> Array:
        """Shift integers left."""
        return self._binary(np.left_shift, x, amount)

    def ashr(self, x: Array, amount: Array | int) -> Array:
        """Shift integers right, sign in."""
        return self._binary(np.right_shift, x, amount)

    def lshr(self, x: Array, amount: Array | int) -> Array:
        """Shift integers right, zeros in."""
        unsigned = _UNSIGNED[self.lane(x)]
        count = self.like(x, amount).view(unsigned)
        return np.asarray(np.right_shift(x.view(unsigned), count)).view(x.dtype)

    def leading_zeros(self, x: Array) -> Array:
        """Count the zero bits above the highest set bit."""
        bits = self.lane(x).bits
        rest = x.view(_UNSIGNED[self.lane(x)])
        length = np.zeros(rest.shape, dtype=x.dtype)
        for step in (32, 16, 8, 4, 2, 1):
            if step >= bits:
                continue
            high = rest >> rest.dtype.type(step)
            length = np.where(high != 0, length + x.dtype.type(step), length)
            rest = np.where(high != 0, high, rest)
        return np.asarray(x.dtype.type(bits) - length - rest.astype(x.dtype))

    def popcount(self, x: Array) -> Array:
        """Count the one bits of integers."""
        return np.asarray(np.bitwise_count(x.view(_UNSIGNED[self.lane(x)])), dtype=x.dtype)

    def sqrt(self, x: Array) -> Array:
        """Take the square root of floats."""
        with np.errstate(all="ignore"):
            return np.asarray(np.sqrt(x))

    def nearest(self, x: Array) -> Array:
        """Round floats to an integer, ties to even."""
        with np.errstate(all="ignore"):
            return np.asarray(np.rint(x))

    def eq(self, x: Array, y: Array | float) -> Array:
        """Compare for equality."""
        return self._binary(np.equal, x, y)

    def lt(self, x: Array, y: Array | float) -> Array:
        """Compare x < y."""
        return self._binary(np.less, x, y)

    def le(self, x: Array, y: Array | float) -> Array:
        """Compare x <= y."""
        return self._binary(np.less_equal, x, y)

    def unsigned_lt(self, x: Array, y: Array | float) -> Array:
        """Compare x < y with integers read as unsigned."""
        unsigned = _UNSIGNED[self.lane(x)]
        return np.asarray(x.view(unsigned) < self.like(x, y).view(unsigned))

    def select(self, condition: Array, yes: Array, no: Array | float) -> Array:
        """Take `yes` where the condition holds, `no` elsewhere."""
        return np.asarray(np.where(condition, yes, self.like(yes, no)))

    def convert(self, x: Array, lane: Lane) -> Array:
        """Change the type, keeping the number."""
        with np.errstate(all="ignore"):
            return x.astype(DTYPES[lane])

    def zero_extend(self, x: Array, lane: Lane) -> Array:
        """Widen integers with zeros."""
        return x.view(_UNSIGNED[self.lane(x)]).astype(_UNSIGNED[lane]).view(DTYPES[lane])

    def bitcast(self, x: Array, lane: Lane) -> Array:
        """Keep the bits and change the type."""
        return x.view(DTYPES[lane])


def _bytes(x: Array) -> Array:
    """Give the bytes of each i32 along a new last axis."""
    return np.ascontiguousarray(x[..., None]).view(np.uint8)


def _whole(octets: Array) -> Array:
    """Put bytes together again."""
    return np.ascontiguousarray(octets).view(np.int32)[..., 0]
