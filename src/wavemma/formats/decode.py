"""From codes to numbers."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavemma.engines.array_engine import ArrayEngine
from wavemma.engines.engine import Engine, Lane
from wavemma.formats.format import Format

V = TypeVar("V")
_F64_BIAS = 1023
_F64_FRACTION = 52
_F64_TOP = 0x7FF << _F64_FRACTION


def decode_lanes(e: Engine[V], form: Format, code: V) -> V:
    """Give the number of each code as f64, exactly.

    Args:
        e: The engine.
        form: A float format other than f64.
        code: I64 lanes; bits above the format's width must be zero.

    Returns:
        F64 lanes: infinities as such, NaN for each NaN code (of IEEE formats with its payload,
        so that signaling ones stay so), the sign of zeros kept.

    """
    field = e.and_(e.lshr(code, form.fraction), (1 << form.exponent) - 1)
    fraction = e.and_(code, ((1 << form.fraction) - 1) & ~((1 << form.ignored) - 1))
    moved = e.shl(fraction, _F64_FRACTION - form.fraction)
    normal = e.or_(e.shl(e.add(field, _F64_BIAS - form.bias), _F64_FRACTION), moved)
    size = e.bitcast(normal, Lane.F64)
    if form.lowest == "subnormal":
        unit = 2.0 ** (form.min_exponent - form.fraction)
        small = e.mul(e.convert(fraction, Lane.F64), unit)
        size = e.select(e.eq(field, 0), small, size)
    size = _mark_specials(e, form, field, fraction, size)
    if not form.has_sign:
        return size
    sign = e.shl(e.and_(e.lshr(code, form.bits - 1), 1), 63)
    value = e.bitcast(e.or_(e.bitcast(size, Lane.I64), sign), Lane.F64)
    if form.nan != "negative_zero":
        return value
    return e.select(e.eq(code, form.sign_bit), e.constant(Lane.F64, np.nan), value)


def _mark_specials(e: Engine[V], form: Format, field: V, fraction: V, size: V) -> V:
    top = e.eq(field, (1 << form.exponent) - 1)
    nan = e.constant(Lane.F64, np.nan)
    if form.nan == "ieee":
        # With the highest exponent the fraction says what it says in the format.
        special = e.or_(e.bitcast(size, Lane.I64), _F64_TOP)
        return e.select(top, e.bitcast(special, Lane.F64), size)
    if form.nan == "ones":
        ones = e.eq(fraction, (1 << form.fraction) - 1)
        return e.select(e.and_(top, ones), nan, size)
    return size


def decode(form: Format, codes: ArrayLike, *, signed: bool = True) -> NDArray[Any]:
    """Give the numbers that codes stand for.

    Args:
        form: The format.
        codes: Unsigned integers, each below `form.codes`.
        signed: How to read integers whose format leaves the sign to the instruction.

    Returns:
        float64 for floats, int64 for integers; the shape of `codes`.

    Example:
        >>> from wavemma.formats.format import number_format
        >>> decode(number_format("f16"), [0x3C00, 0xC000]).tolist()
        [1.0, -2.0]

    """
    wide = np.asarray(codes).astype(np.uint64).view(np.int64)
    if not form.is_float:
        negative = form.sign == "signed" or (form.sign == "chosen" and signed)
        shift = np.int64(64 - form.bits)
        return (wide << shift) >> shift if negative else wide
    if form.bits == Lane.F64.bits:
        return wide.view(np.float64)
    return decode_lanes(ArrayEngine(), form, wide)
