"""Sums, products and parts of floats."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.formats.format import number_format
from wavemma.machine.meaning import action, meaning
from wavemma.machine.operands import Operands
from wavemma.machine.semantics.vector.functions import flushed
from wavemma.machine.subnormals import result, source
from wavemma.machine.value_type import ValueType, value_type
from wavemma.machine.wave import WaveState

V = TypeVar("V")
INTEGERS = {Lane.F32: Lane.I32, Lane.F64: Lane.I64}
"""The integers that hold the bits of floats."""


def is_negative(e: Engine[V], x: V) -> V:
    """Tell which floats have a set sign bit."""
    return e.lt(e.bitcast(x, INTEGERS[e.lane(x)]), 0)


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


@meaning("multiply_for_light", "a:f32 b:f32 c:f32", "d:f32")
def multiply_for_light(e: Engine[V], a: V, b: V, c: V) -> V:
    """Multiply, zero times anything being +0; the least number where no light comes from."""
    least = e.constant(Lane.F32, -((2.0 - 2.0**-23) * 2.0**127))
    # A NaN is neither more than the least number nor more than 0.
    usable = e.and_(e.lt(least, b), e.lt(e.constant(Lane.F32, 0.0), c))
    return e.select(usable, float_multiply_zero(e, a, b), least)


@meaning("fused", "a b c", typed=True)
def fused(e: Engine[V], a: V, b: V, c: V, kind: ValueType) -> V:
    """Multiply and add, rounded once."""
    # Products of two 16-bit floats are exact in f64.
    return e.add(e.mul(a, b), c) if kind.name == "f16" else e.fma(a, b, c)


@meaning("fused_zero", "a b c")
def fused_zero(e: Engine[V], a: V, b: V, c: V) -> V:
    """Multiply and add, rounded once; zero times anything is 0."""
    zero = e.or_(e.eq(a, 0.0), e.eq(b, 0.0))
    return e.select(zero, c, e.fma(a, b, c))


@meaning("fused_zero_flushed", "a b c")
def fused_zero_flushed(e: Engine[V], a: V, b: V, c: V) -> V:
    """Multiply and add, rounded once, without subnormals; zero times anything is +0."""
    a, b, c = (flushed(e, x) for x in (a, b, c))
    zero = e.or_(e.eq(a, 0.0), e.eq(b, 0.0))
    return flushed(e, e.select(zero, e.add(c, 0.0), e.fma(a, b, c)))


@meaning("fused_accumulate", "a b d", typed=True)
def fused_accumulate(e: Engine[V], a: V, b: V, d: V, kind: ValueType) -> V:
    """Multiply and add to what the result holds."""
    return fused(e, a, b, d, kind)


@meaning("fused_multiply_constant", "a k b", typed=True)
def fused_multiply_constant(e: Engine[V], a: V, k: V, b: V, kind: ValueType) -> V:
    """Multiply by a literal and add."""
    return fused(e, a, k, b, kind)


@meaning("fused_add_constant", "a b k", typed=True)
def fused_add_constant(e: Engine[V], a: V, b: V, k: V, kind: ValueType) -> V:
    """Multiply and add a literal."""
    return fused(e, a, b, k, kind)


@meaning("fused_zero_accumulate", "a b d")
def fused_zero_accumulate(e: Engine[V], a: V, b: V, d: V) -> V:
    """Multiply and add to what the result holds; zero times anything is 0."""
    return fused_zero(e, a, b, d)


@meaning("multiply_round_add", "a b c", typed=True, grade="D")
def multiply_round_add(e: Engine[V], a: V, b: V, c: V, kind: ValueType) -> V:
    """Multiply f16 and add, rounding both; subnormals are zeros wherever they come up.

    Compilers take these instructions for a rounded product and a rounded sum where subnormals are
    zeros, and for nothing else; nobody has compared hardware.
    """
    a, b, c = (_without_subnormals(e, x, kind) for x in (a, b, c))
    product = _without_subnormals(e, _rounded(e, e.mul(a, b), kind), kind)
    return _without_subnormals(e, _rounded(e, e.add(product, c), kind), kind)


def _rounded(e: Engine[V], x: V, kind: ValueType) -> V:
    return kind.value(e, kind.code(e, x))


def _without_subnormals(e: Engine[V], x: V, kind: ValueType) -> V:
    """Replace numbers below the normal ones of a type by zeros of their sign."""
    zero = e.mul(x, 0.0)
    tiny = e.lt(e.abs(x), number_format(kind.name).min_normal)
    return e.select(tiny, zero, x)


@meaning("multiply_round_accumulate", "a b d", typed=True, grade="D")
def multiply_round_accumulate(e: Engine[V], a: V, b: V, d: V, kind: ValueType) -> V:
    """Multiply and add to what the result holds, rounding both."""
    return multiply_round_add(e, a, b, d, kind)


@meaning("multiply_constant_round_add", "a k b", typed=True, grade="D")
def multiply_constant_round_add(e: Engine[V], a: V, k: V, b: V, kind: ValueType) -> V:
    """Multiply by a literal and add, rounding both."""
    return multiply_round_add(e, a, k, b, kind)


@meaning("multiply_round_add_constant", "a b k", typed=True, grade="D")
def multiply_round_add_constant(e: Engine[V], a: V, b: V, k: V, kind: ValueType) -> V:
    """Multiply and add a literal, rounding both."""
    return multiply_round_add(e, a, b, k, kind)


@action("fused_halves_accumulate", is_long=True)
def fused_halves_accumulate(wave: WaveState[V], operands: Operands[V]) -> None:
    """Multiply and add both f16 halves of words to those of the result."""
    e, half, word = operands.engine, value_type("f16"), value_type("b32")
    words = [operands.word("a", half), operands.word("b", half), operands.read("d", word)]
    results = []
    for shift in (0, 16):
        x, y, z = (source(operands, half, half.value(e, e.lshr(each, shift))) for each in words)
        total = result(operands, half, e.add(e.mul(x, y), z))
        found = half.code(e, total, keep_finite=wave.keep_finite)
        results.append(e.shl(found, shift) if shift else found)
    operands.write("d", word, e.or_(results[0], results[1]))


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


@meaning("fraction", "a", typed=True)
def fraction(e: Engine[V], a: V, kind: ValueType) -> V:
    """Give what is above the integer below, less than 1; NaN of infinities."""
    rest = e.sub(a, e.floor(a))
    most = 1.0 - 2.0 ** -number_format(kind.name).precision
    return e.select(e.lt(e.constant(e.lane(a), most), rest), e.like(a, most), rest)
