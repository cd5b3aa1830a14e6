"""From exact numbers to the numbers of a format, on engine lanes."""

from typing import Literal, TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.formats.format import Format

V = TypeVar("V")
Rounding = Literal["nearest_even", "nearest_away", "zero", "up", "down", "odd"]
_F64_EXPONENT = 0x7FF << 52
_F32_INFINITY = 0x7F800000
_F32_QUIET_NAN = 0x7FC00000
_F32_FRACTION = 23
_F32_BIAS = 127


def round_to_nearest(e: Engine[V], form: Format, value: V) -> V:
    """Round f64 to a float format's precision, ties to even, as f64.

    Subnormals of the format are made; numbers too large for it are rounded as if its exponents
    went on. The format has at most 24 bits of precision and exponents well inside f64's.
    """
    size = e.abs(value)
    leading = e.bitcast(e.and_(e.bitcast(size, Lane.I64), _F64_EXPONENT), Lane.F64)
    unit = 2.0 ** (1 - form.precision)
    grid = e.max(e.mul(leading, unit), e.constant(Lane.F64, form.min_subnormal))
    shift = e.mul(grid, 1.5 * 2.0**52)
    return e.sub(e.add(value, shift), shift)


def round_units(e: Engine[V], form: Format, size: V, negative: V, rounding: Rounding) -> V:
    """Round non-negative f64 to a format's precision, as f64, with no upper bound.

    Args:
        e: The engine.
        form: A float format other than f64.
        size: F64 lanes without sign; infinities stay, NaN give NaN.
        negative: Truth lanes: the sign of the numbers, which directed rounding needs.
        rounding: Where numbers between two of the format go.

    """
    leading = e.bitcast(e.and_(e.bitcast(size, Lane.I64), _F64_EXPONENT), Lane.F64)
    grid = e.max(e.mul(leading, 2.0 ** (1 - form.precision)), form.min_subnormal)
    units = e.div(size, grid)
    lower = e.floor(units)
    more = _goes_up(e, lower, e.sub(units, lower), negative, rounding)
    rounded = e.mul(e.add(lower, e.convert(more, Lane.F64)), grid)
    return e.select(e.eq(size, float("inf")), size, rounded)


def _goes_up(e: Engine[V], lower: V, rest: V, negative: V, rounding: Rounding) -> V:
    """Tell which sizes, `rest` of a unit above `lower` units, go to the unit above."""
    odd = e.not_(e.eq(e.mul(e.floor(e.mul(lower, 0.5)), 2.0), lower))
    between = e.lt(e.constant(Lane.F64, 0.0), rest)
    above = e.lt(e.constant(Lane.F64, 0.5), rest)
    half = e.eq(rest, 0.5)
    choices = {
        "nearest_even": lambda: e.or_(above, e.and_(half, odd)),
        "nearest_away": lambda: e.or_(above, half),
        "zero": lambda: e.and_(between, e.constant(Lane.BOOL, 0)),
        "up": lambda: e.and_(between, e.not_(negative)),
        "down": lambda: e.and_(between, negative),
        "odd": lambda: e.and_(between, e.not_(odd)),
    }
    return choices[rounding]()


def widen_bits(e: Engine[V], form: Format, code: V) -> V:
    """Turn codes of a format with at most 16 bits, or in f32's container, into f32 bits.

    Payloads of NaN are kept; a NaN without one becomes the quiet NaN.

    Args:
        e: The engine.
        form: A signed float format whose values f32 has; bits that it ignores become zero.
        code: I32 lanes.

    """
    if form.bits == 2 * 16:
        return e.and_(code, -(1 << form.ignored)) if form.ignored else code
    if form.exponent == 8:
        return e.shl(code, 2 * 16 - form.bits)
    size = e.and_(code, form.sign_bit - 1)
    moved = e.shl(size, _F32_FRACTION - form.fraction)
    bits = e.add(moved, (_F32_BIAS - form.bias) << _F32_FRACTION)
    if form.lowest == "subnormal":
        above = e.bitcast(e.add(bits, 1 << _F32_FRACTION), Lane.F32)
        small = e.bitcast(e.sub(above, form.min_normal), Lane.I32)
        bits = e.select(e.lt(size, 1 << form.fraction), small, bits)
    if form.nan in ("ieee", "ones"):
        finite = e.lt(size, form.infinity_code or form.sign_bit - 1)
        bits = e.select(finite, bits, e.or_(moved, _F32_INFINITY))
    bits = e.or_(bits, e.shl(e.and_(code, form.sign_bit), 32 - form.bits))
    if form.nan == "negative_zero":
        return e.select(e.eq(code, form.sign_bit), e.constant(Lane.I32, _F32_QUIET_NAN), bits)
    return bits


def narrow_bits(e: Engine[V], form: Format, bits: V) -> V:
    """Turn f32 bits into codes of a format with at most 16 bits, dropping what does not fit.

    The number must be one of the format, or an infinity or a NaN, whose payload loses its low
    bits; for a format with f32's exponents this is truncation.

    Args:
        e: The engine.
        form: f32, or a format with IEEE infinities and NaNs.
        bits: I32 lanes.

    """
    if form.bits == 2 * 16:
        return bits
    if form.exponent == 8:
        return e.lshr(bits, 2 * 16 - form.bits)
    sign = e.and_(e.lshr(bits, 32 - form.bits), form.sign_bit)
    return e.or_(sign, _narrow_size(e, form, e.and_(bits, 0x7FFFFFFF)))


def _narrow_size(e: Engine[V], form: Format, size: V) -> V:
    drop = _F32_FRACTION - form.fraction
    special = e.or_(
        e.constant(Lane.I32, form.infinity_code or 0),
        e.and_(e.lshr(size, drop), (1 << form.fraction) - 1),
    )
    normal = e.lshr(e.sub(size, (_F32_BIAS - form.bias) << _F32_FRACTION), drop)
    value = e.bitcast(size, Lane.F32)
    small = e.convert(e.mul(value, 1.0 / form.min_subnormal), Lane.I32)
    finite = e.select(e.lt(value, form.min_normal), small, normal)
    return e.select(e.lt(size, _F32_INFINITY), finite, special)
