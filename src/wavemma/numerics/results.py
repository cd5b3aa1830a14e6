"""From the exact result of a step to f32 bits of a number in D's format."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.formats.format import Format
from wavemma.formats.rounding import round_to_nearest
from wavemma.numerics.powers import with_sign

V = TypeVar("V")
F32_FRACTION = 23
_F32_EXPONENT_BITS = 8


def has_short_range(form: Format) -> bool:
    """Tell whether a result format has fewer exponents than f32."""
    return form.exponent < _F32_EXPONENT_BITS


def cut_bits(e: Engine[V], form: Format, bits: V) -> V:
    """Drop the fraction bits of f32 that a result format lacks; I32 lanes."""
    return e.and_(bits, -1 << (F32_FRACTION - form.fraction))


def round_short(e: Engine[V], form: Format, value: V, *, keep_finite: bool) -> V:
    """Round exact f64 to a format with a short range, once.

    Args:
        e: The engine.
        form: The result's format.
        value: Exact numbers, F64 lanes.
        keep_finite: A number too large becomes the largest finite one, not an infinity.

    Returns:
        f32 bits, I32 lanes; a result of zero is +0.

    """
    rounded = round_to_nearest(e, form, value)
    rounded = e.select(e.eq(rounded, 0.0), e.constant(Lane.F64, 0.0), rounded)
    limit = form.max_value if keep_finite else float("inf")
    over = with_sign(e, e.constant(Lane.F64, limit), rounded)
    fits = e.le(e.abs(rounded), form.max_value)
    return e.bitcast(e.convert(e.select(fits, rounded, over), Lane.F32), Lane.I32)


def round_f32(e: Engine[V], value: V) -> V:
    """Round exact f64 to f32, subnormals kept; a result of zero is +0; as f32 bits."""
    rounded = e.convert(value, Lane.F32)
    rounded = e.select(e.eq(rounded, 0.0), e.constant(Lane.F32, 0.0), rounded)
    return e.bitcast(rounded, Lane.I32)
