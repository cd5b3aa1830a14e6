"""Sums, products, order and parts of floats."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import meaning

V = TypeVar("V")
_QUIET = {Lane.F32: 1 << 22, Lane.F64: 1 << 51}
_INTEGERS = {Lane.F32: Lane.I32, Lane.F64: Lane.I64}


def is_signaling(e: Engine[V], x: V) -> V:
    """Tell which floats are signaling NaNs."""
    lane = e.lane(x)
    quiet = e.and_(e.bitcast(x, _INTEGERS[lane]), _QUIET[lane])
    return e.and_(e.is_nan(x), e.eq(quiet, 0))


def is_negative(e: Engine[V], x: V) -> V:
    """Tell which floats have a set sign bit."""
    return e.lt(e.bitcast(x, _INTEGERS[e.lane(x)]), 0)


@meaning("float_add")
def float_add(e: Engine[V], a: V, b: V) -> V:
    """Add, rounded once."""
    return e.add(a, b)


@meaning("float_subtract")
def float_subtract(e: Engine[V], a: V, b: V) -> V:
    """Subtract, rounded once."""
    return e.sub(a, b)


@meaning("float_subtract_reversed")
def float_subtract_reversed(e: Engine[V], a: V, b: V) -> V:
    """Subtract the first source from the second."""
    return e.sub(b, a)


@meaning("float_multiply")
def float_multiply(e: Engine[V], a: V, b: V) -> V:
    """Multiply, rounded once."""
    return e.mul(a, b)


@meaning("float_multiply_zero")
def float_multiply_zero(e: Engine[V], a: V, b: V) -> V:
    """Multiply; zero times anything is +0."""
    zero = e.or_(e.eq(a, 0.0), e.eq(b, 0.0))
    return e.select(zero, e.constant(e.lane(a), 0.0), e.mul(a, b))


@meaning("fused", "a b c")
def fused(e: Engine[V], a: V, b: V, c: V) -> V:
    """Multiply and add, rounded once."""
    return e.fma(a, b, c)


@meaning("fused_zero", "a b c")
def fused_zero(e: Engine[V], a: V, b: V, c: V) -> V:
    """Multiply and add, rounded once; zero times anything is 0."""
    zero = e.or_(e.eq(a, 0.0), e.eq(b, 0.0))
    return e.select(zero, e.add(c, 0.0), e.fma(a, b, c))


@meaning("fused_accumulate", "a b d")
def fused_accumulate(e: Engine[V], a: V, b: V, d: V) -> V:
    """Multiply and add to what the result holds."""
    return e.fma(a, b, d)


@meaning("fused_multiply_constant", "a k b")
def fused_multiply_constant(e: Engine[V], a: V, k: V, b: V) -> V:
    """Multiply by a literal and add."""
    return e.fma(a, k, b)


@meaning("fused_add_constant", "a b k")
def fused_add_constant(e: Engine[V], a: V, b: V, k: V) -> V:
    """Multiply and add a literal."""
    return e.fma(a, b, k)


@meaning("min_number")
def min_number(e: Engine[V], a: V, b: V) -> V:
    """Give the smaller number; -0 is below +0, and a NaN only if both are."""
    lower = e.or_(e.lt(a, b), e.and_(e.eq(a, b), is_negative(e, a)))
    chosen = e.select(lower, a, b)
    return e.select(e.is_nan(a), b, e.select(e.is_nan(b), a, chosen))


@meaning("max_number")
def max_number(e: Engine[V], a: V, b: V) -> V:
    """Give the larger number; -0 is below +0, and a NaN only if both are."""
    higher = e.or_(e.lt(b, a), e.and_(e.eq(a, b), e.not_(is_negative(e, a))))
    chosen = e.select(higher, a, b)
    return e.select(e.is_nan(a), b, e.select(e.is_nan(b), a, chosen))


def _unless_signaling(e: Engine[V], a: V, b: V, chosen: V) -> V:
    """Give NaN where a source is a signaling NaN, as the IEEE mode of launches has it."""
    either = e.or_(is_signaling(e, a), is_signaling(e, b))
    return e.select(either, e.constant(e.lane(a), float("nan")), chosen)


@meaning("min_ieee")
def min_ieee(e: Engine[V], a: V, b: V) -> V:
    """Give the smaller number; NaN if a source is signaling or both are NaN."""
    return _unless_signaling(e, a, b, min_number(e, a, b))


@meaning("max_ieee")
def max_ieee(e: Engine[V], a: V, b: V) -> V:
    """Give the larger number; NaN if a source is signaling or both are NaN."""
    return _unless_signaling(e, a, b, max_number(e, a, b))


@meaning("min3_number", "a b c")
def min3_number(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the smallest of three."""
    return min_number(e, min_number(e, a, b), c)


@meaning("max3_number", "a b c")
def max3_number(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the largest of three."""
    return max_number(e, max_number(e, a, b), c)


@meaning("median_number", "a b c")
def median_number(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the middle one of three; with a NaN the smallest number."""
    high = max3_number(e, a, b, c)
    last = e.select(e.eq(high, b), max_number(e, a, c), max_number(e, a, b))
    middle = e.select(e.eq(high, a), max_number(e, b, c), last)
    nan = e.or_(e.is_nan(a), e.or_(e.is_nan(b), e.is_nan(c)))
    return e.select(nan, min3_number(e, a, b, c), middle)


@meaning("max_min_number", "a b c")
def max_min_number(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the smaller of the third and the larger of the others."""
    return min_number(e, max_number(e, a, b), c)


@meaning("min_max_number", "a b c")
def min_max_number(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the larger of the third and the smaller of the others."""
    return max_number(e, min_number(e, a, b), c)


@meaning("minimum")
def minimum(e: Engine[V], a: V, b: V) -> V:
    """Give the smaller number, NaN if either is."""
    nan = e.or_(e.is_nan(a), e.is_nan(b))
    return e.select(nan, e.constant(e.lane(a), float("nan")), min_number(e, a, b))


@meaning("maximum")
def maximum(e: Engine[V], a: V, b: V) -> V:
    """Give the larger number, NaN if either is."""
    nan = e.or_(e.is_nan(a), e.is_nan(b))
    return e.select(nan, e.constant(e.lane(a), float("nan")), max_number(e, a, b))


@meaning("minimum3", "a b c")
def minimum3(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the smallest of three, NaN if one is."""
    return minimum(e, minimum(e, a, b), c)


@meaning("maximum3", "a b c")
def maximum3(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the largest of three, NaN if one is."""
    return maximum(e, maximum(e, a, b), c)


@meaning("round_down", "a")
def round_down(e: Engine[V], a: V) -> V:
    """Round to an integer toward minus infinity."""
    return e.floor(a)


@meaning("round_up", "a")
def round_up(e: Engine[V], a: V) -> V:
    """Round to an integer toward infinity."""
    return e.neg(e.floor(e.neg(a)))


@meaning("round_to_zero", "a")
def round_to_zero(e: Engine[V], a: V) -> V:
    """Round to an integer toward zero."""
    return e.trunc(a)


@meaning("round_nearest", "a")
def round_nearest(e: Engine[V], a: V) -> V:
    """Round to the nearest integer, ties to even."""
    return e.nearest(a)


@meaning("fraction_f32", "a:f32", "d:f32")
def fraction_f32(e: Engine[V], a: V) -> V:
    """Give what is above the integer below, less than 1."""
    return _below_one(e, a, 0x3F7FFFFF, Lane.I32)


@meaning("fraction_f64", "a:f64", "d:f64")
def fraction_f64(e: Engine[V], a: V) -> V:
    """Give what is above the integer below, less than 1."""
    return _below_one(e, a, 0x3FEFFFFFFFFFFFFF, Lane.I64)


def _below_one(e: Engine[V], a: V, largest: int, integer: Lane) -> V:
    rest = e.sub(a, e.floor(a))
    most = e.bitcast(e.constant(integer, largest), e.lane(a))
    return e.select(e.lt(most, rest), most, rest)
