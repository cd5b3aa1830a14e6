"""What rounds, in the direction that the mode register chooses (see `rounding_mode`).

Numbers of 32 bits and less are summed in f64, rounded to odd, and then once to their format; f64
has a way of its own (see `engines.directed`). Functions that hardware approximates, and sums that
follow the matrix instructions, are the same in all directions.
"""

from typing import TypeVar

from wavemma.engines.directed import (
    DOWN,
    NEAREST,
    UP,
    ZERO,
    directed_fused,
    directed_product,
    directed_scaled,
    is_inward,
    signed_zero,
)
from wavemma.engines.engine import Engine, Lane
from wavemma.engines.fused import add_to_odd
from wavemma.formats.format import Format, number_format
from wavemma.formats.rounding import Rounding, round_units
from wavemma.machine.meaning import by_mode
from wavemma.machine.semantics.vector.division import division_refine_f64 as to_nearest
from wavemma.machine.semantics.vector.functions import flushed
from wavemma.machine.semantics.vector.scaling import power_of_two, scaled
from wavemma.machine.value_type import ValueType, value_type

V = TypeVar("V")
_NAMES: dict[int, Rounding] = {NEAREST: "nearest_even", UP: "up", DOWN: "down", ZERO: "zero"}
_F32 = value_type("f32")


def narrowed(e: Engine[V], form: Format, value: V, direction: V) -> V:
    """Round f64 to a narrower format, as f64; what becomes infinite is beyond its largest number.

    Args:
        e: The engine.
        form: The format.
        value: F64 lanes: exact, or rounded to odd.
        direction: I32 lanes.

    """
    size, negative = e.abs(value), e.lt(e.bitcast(value, Lane.I64), 0)
    found = size
    for number, name in _NAMES.items():
        found = e.select(e.eq(direction, number), round_units(e, form, size, negative, name), found)
    largest = e.constant(Lane.F64, form.max_value)
    over = e.and_(e.lt(largest, found), e.lt(size, float("inf")))
    found = e.select(e.and_(over, is_inward(e, negative, direction)), largest, found)
    return e.select(negative, e.neg(found), found)


def _given(e: Engine[V], value: V, kind: ValueType, direction: V) -> V:
    """Round f64 to the type of a result, in the lanes that the type is computed in."""
    found = narrowed(e, number_format(kind.name), value, direction)
    return e.convert(found, kind.lane)


def _wide(e: Engine[V], x: V) -> V:
    return x if e.lane(x) is Lane.F64 else e.convert(x, Lane.F64)


def fused(e: Engine[V], x: V, y: V, z: V, direction: V, kind: ValueType) -> V:
    """Multiply and add, rounded once."""
    if kind.name == "f64":
        return directed_fused(e, x, y, z, direction)
    product, term = e.mul(_wide(e, x), _wide(e, y)), _wide(e, z)
    total = signed_zero(e, add_to_odd(e, product, term), product, term, direction)
    return _given(e, total, kind, direction)


def product(e: Engine[V], x: V, y: V, direction: V, kind: ValueType) -> V:
    """Multiply, rounded once."""
    if kind.name == "f64":
        return directed_product(e, x, y, direction)
    return _given(e, e.mul(_wide(e, x), _wide(e, y)), kind, direction)


def _sum(e: Engine[V], x: V, y: V, direction: V, kind: ValueType) -> V:
    return fused(e, x, e.constant(e.lane(x), 1.0), y, direction, kind)


@by_mode("float_add", "a b rounding")
def float_add(e: Engine[V], a: V, b: V, direction: V, kind: ValueType) -> V:
    """Add."""
    return _sum(e, a, b, direction, kind)


@by_mode("float_subtract", "a b rounding")
def float_subtract(e: Engine[V], a: V, b: V, direction: V, kind: ValueType) -> V:
    """Subtract."""
    return _sum(e, a, e.neg(b), direction, kind)


@by_mode("float_subtract_reversed", "a b rounding")
def float_subtract_reversed(e: Engine[V], a: V, b: V, direction: V, kind: ValueType) -> V:
    """Subtract the first source from the second."""
    return _sum(e, b, e.neg(a), direction, kind)


@by_mode("float_multiply", "a b rounding")
def float_multiply(e: Engine[V], a: V, b: V, direction: V, kind: ValueType) -> V:
    """Multiply."""
    return product(e, a, b, direction, kind)


def _is_zero(e: Engine[V], a: V, b: V) -> V:
    return e.or_(e.eq(a, 0.0), e.eq(b, 0.0))


@by_mode("float_multiply_zero", "a b rounding")
def float_multiply_zero(e: Engine[V], a: V, b: V, direction: V, kind: ValueType) -> V:
    """Multiply; zero times anything is +0."""
    zero = e.constant(e.lane(a), 0.0)
    return e.select(_is_zero(e, a, b), zero, product(e, a, b, direction, kind))


@by_mode("multiply_for_light", "a:f32 b:f32 c:f32 rounding", "d:f32")
def multiply_for_light(e: Engine[V], a: V, b: V, c: V, direction: V, kind: ValueType) -> V:
    """Multiply, zero times anything being +0; the least number where no light comes from."""
    least = e.constant(Lane.F32, -((2.0 - 2.0**-23) * 2.0**127))
    usable = e.and_(e.lt(least, b), e.lt(e.constant(Lane.F32, 0.0), c))
    return e.select(usable, float_multiply_zero(e, a, b, direction, kind), least)


by_mode("fused", "a b c rounding")(fused)
by_mode("fused_accumulate", "a b d rounding")(fused)
by_mode("fused_multiply_constant", "a k b rounding")(fused)
by_mode("fused_add_constant", "a b k rounding")(fused)


@by_mode("fused_zero", "a b c rounding")
def fused_zero(e: Engine[V], a: V, b: V, c: V, direction: V, kind: ValueType) -> V:
    """Multiply and add; zero times anything is 0."""
    return e.select(_is_zero(e, a, b), c, fused(e, a, b, c, direction, kind))


by_mode("fused_zero_accumulate", "a b d rounding")(fused_zero)


@by_mode("fused_zero_flushed", "a b c rounding")
def fused_zero_flushed(e: Engine[V], a: V, b: V, c: V, direction: V, kind: ValueType) -> V:
    """Multiply and add without subnormals; zero times anything is +0."""
    a, b, c = (flushed(e, x) for x in (a, b, c))
    total = fused(e, a, b, c, direction, kind)
    return flushed(e, e.select(_is_zero(e, a, b), e.add(c, 0.0), total))


@by_mode("multiply_round_add", "a b c rounding", grade="D")
def multiply_round_add(e: Engine[V], a: V, b: V, c: V, direction: V, kind: ValueType) -> V:
    """Multiply f16 and add, rounding both; subnormals are zeros wherever they come up."""
    a, b, c = (_without_subnormals(e, x, kind) for x in (a, b, c))
    first = _without_subnormals(e, product(e, a, b, direction, kind), kind)
    # What is beyond the largest number is infinite before the sum.
    over = e.lt(e.constant(Lane.F64, number_format(kind.name).max_value), e.abs(first))
    first = e.select(over, e.mul(first, float("inf")), first)
    return _without_subnormals(e, _sum(e, first, c, direction, kind), kind)


def _without_subnormals(e: Engine[V], x: V, kind: ValueType) -> V:
    tiny = e.lt(e.abs(x), number_format(kind.name).min_normal)
    return e.select(tiny, e.mul(x, 0.0), x)


by_mode("multiply_round_accumulate", "a b d rounding", grade="D")(multiply_round_add)
by_mode("multiply_constant_round_add", "a k b rounding", grade="D")(multiply_round_add)
by_mode("multiply_round_add_constant", "a b k rounding", grade="D")(multiply_round_add)


@by_mode("to_f32", "a rounding", "d:f32")
def to_f32(e: Engine[V], a: V, direction: V, kind: ValueType) -> V:
    """Turn a float or a signed integer into f32."""
    return _given(e, _wide(e, a), _F32, direction)


@by_mode("unsigned_to_f32", "a:u32 rounding", "d:f32")
def unsigned_to_f32(e: Engine[V], a: V, direction: V, kind: ValueType) -> V:
    """Turn an unsigned word into f32."""
    return _given(e, e.convert(e.zero_extend(a, Lane.I64), Lane.F64), _F32, direction)


@by_mode("to_wide_float", "a rounding", "d")
def to_wide_float(e: Engine[V], a: V, direction: V, kind: ValueType) -> V:
    """Turn an f32 or a signed word into a float that is computed as f64."""
    wide = _wide(e, a)
    return wide if kind.name == "f64" else _given(e, wide, kind, direction)


@by_mode("scale_f32", "a:f32 b:i32 rounding", "d:f32")
def scale_f32(e: Engine[V], a: V, b: V, direction: V, kind: ValueType) -> V:
    """Multiply by a power of two."""
    return _scaled_narrow(e, a, e.min(e.max(b, -400), 400), _F32, direction)


@by_mode("scale_f16", "a:f16 b:i16 rounding", "d:f16")
def scale_f16(e: Engine[V], a: V, b: V, direction: V, kind: ValueType) -> V:
    """Multiply by a power of two."""
    return _scaled_narrow(e, a, e.min(e.max(b, -100), 100), value_type("f16"), direction)


def _scaled_narrow(e: Engine[V], a: V, n: V, kind: ValueType, direction: V) -> V:
    exact = e.mul(_wide(e, a), power_of_two(e, e.convert(n, Lane.I64)))
    return _given(e, exact, kind, direction)


@by_mode("scale_f64", "a:f64 b:i32 rounding", "d:f64")
def scale_f64(e: Engine[V], a: V, b: V, direction: V, kind: ValueType) -> V:
    """Multiply by a power of two."""
    return directed_scaled(e, a, b, direction, scaled(e, a, b))


@by_mode("division_refine_f32", "a:f32 b:f32 c:f32 vcc:mask rounding", "d:f32", grade="D")
def division_refine_f32(e: Engine[V], a: V, b: V, c: V, vcc: V, direction: V, kind: ValueType) -> V:
    """Do the last step of a quotient and, where the mask says so, undo its scaling in the same."""
    product_, term = e.mul(_wide(e, a), _wide(e, b)), _wide(e, c)
    total = signed_zero(e, add_to_odd(e, product_, term), product_, term, direction)
    large = e.le(e.constant(Lane.F64, 2.0), e.abs(term))
    factor = e.select(large, e.constant(Lane.F64, 2.0**64), 2.0**-64)
    return _given(e, e.select(vcc, e.mul(total, factor), total), _F32, direction)


@by_mode("division_refine_f64", "a:f64 b:f64 c:f64 vcc:mask rounding", "d:f64", grade="D")
def division_refine_f64(e: Engine[V], a: V, b: V, c: V, vcc: V, direction: V, kind: ValueType) -> V:
    """Do the last step of a quotient and, where the mask says so, undo its scaling in the same."""
    found = directed_fused(e, a, b, c, direction)
    large = e.le(e.constant(Lane.F64, 2.0), e.abs(c))
    power = e.select(large, e.constant(Lane.I32, 128), -128)
    # Two roundings in one direction are one.
    back = directed_scaled(e, found, power, direction, scaled(e, found, power))
    nearest = to_nearest(e, a, b, c, vcc)
    return e.select(e.eq(direction, NEAREST), nearest, e.select(vcc, back, found))
