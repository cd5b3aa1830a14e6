"""From numbers to codes: by rounding mode, and by what happens to numbers that are too large."""

from fractions import Fraction
from typing import Any, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavemma.engines.array_engine import ArrayEngine
from wavemma.engines.engine import Engine, Lane
from wavemma.errors import ArrayMistake, UnknownName
from wavemma.formats.decode import decode
from wavemma.formats.dtypes import code_dtype
from wavemma.formats.exact import as_f64, nearest_odd
from wavemma.formats.format import Format
from wavemma.formats.integers import encode_integers
from wavemma.formats.refusals import refuse
from wavemma.formats.rounding import Rounding, round_units

V = TypeVar("V")

Overflow = Literal["special", "saturate", "saturate_finite", "wrap"]
"""What becomes of a number that rounds beyond the largest.

special: an infinity if the format has one, else NaN, else the largest number; as in IEEE 754,
rounding that does not lead away from zero stops at the largest number. saturate: the largest
number, infinities too. saturate_finite: the largest number, but infinities as under "special".
wrap: only for integers, the low bits; integers under "special" must fit.
"""

_F64_BIAS = 1023
_F64_FRACTION = 52
_NEAREST: tuple[Rounding, ...] = ("nearest_even", "nearest_away")


def encode_lanes(e: Engine[V], form: Format, value: V, rounding: Rounding, overflow: Overflow) -> V:
    """Give the codes of f64 lanes.

    A NaN becomes the format's positive quiet NaN. Where nothing lies below a number, as in
    formats without zero, it becomes the lowest. A tie between two powers of two, in a format
    without a fraction, goes up under "nearest_even".

    Args:
        e: The engine.
        form: A float format other than f64. NaN in a format that has none, and negative numbers
            in a format without a sign, give an unspecified code.
        value: F64 lanes.
        rounding: Where numbers between two of the format go.
        overflow: What becomes of numbers that are too large; not "wrap".

    Returns:
        I64 lanes, the codes with zeros above.

    """
    size = e.abs(value)
    negative = e.lt(e.bitcast(value, Lane.I64), 0)
    if form.lowest == "normal":
        size = e.max(size, form.min_normal)
    rounded = round_units(e, form, size, negative, rounding)
    code = _finite_code(e, form, rounded)
    over = e.lt(e.constant(Lane.F64, form.max_value), rounded)
    code = e.select(over, _beyond(e, form, size, negative, rounding, overflow), code)
    return _with_sign_and_nan(e, form, code, value, negative)


def _finite_code(e: Engine[V], form: Format, size: V) -> V:
    """Give the code of numbers of the format, without sign."""
    bits = e.lshr(e.bitcast(size, Lane.I64), _F64_FRACTION - form.fraction)
    normal = e.sub(bits, (_F64_BIAS - form.bias) << form.fraction)
    if form.lowest == "normal":
        return normal
    units = 2.0 ** (form.fraction - form.min_exponent)
    # The product is out of range for large numbers; those lanes are dropped.
    small = e.min(e.mul(size, units), 2.0**form.fraction)
    return e.select(e.lt(size, form.min_normal), e.convert(small, Lane.I64), normal)


def _beyond(
    e: Engine[V], form: Format, size: V, negative: V, rounding: Rounding, overflow: Overflow
) -> V:
    """Give the code, without sign, of numbers that round beyond the largest."""
    largest = e.constant(Lane.I64, form.max_code)
    special = form.infinity_code if form.infinity else form.nan_code
    if overflow == "saturate" or special is None:
        return largest
    beyond = e.constant(Lane.I64, special)
    infinite = e.eq(size, float("inf"))
    if overflow == "special" and rounding in _NEAREST:
        return beyond
    if overflow == "special" and rounding in ("up", "down"):
        outward = negative if rounding == "down" else e.not_(negative)
        infinite = e.or_(infinite, outward)
    return e.select(infinite, beyond, largest)


def _with_sign_and_nan(e: Engine[V], form: Format, code: V, value: V, negative: V) -> V:
    """Put the sign before the code, and NaN where the number is one."""
    if form.has_sign:
        if not form.has_negative_zero:
            negative = e.and_(negative, e.not_(e.eq(code, 0)))
        code = e.or_(code, e.select(negative, e.constant(Lane.I64, form.sign_bit), 0))
    nan = form.nan_code
    return code if nan is None else e.select(e.is_nan(value), e.constant(Lane.I64, nan), code)


def encode(
    form: Format,
    values: ArrayLike,
    *,
    rounding: Rounding = "nearest_even",
    overflow: Overflow = "special",
    signed: bool = True,
) -> NDArray[Any]:
    """Give the codes of numbers.

    Args:
        form: The format.
        values: Real numbers that f64 holds exactly, any shape.
        rounding: "nearest_even", "nearest_away", "zero", "up", "down" or "odd".
        overflow: What becomes of numbers that are too large: "special", "saturate",
            "saturate_finite" or, for integers, "wrap".
        signed: How codes are read whose format leaves the sign to the instruction.

    Returns:
        Codes in the smallest unsigned type, the shape of `values`. NaN gives the positive quiet
        NaN.

    Raises:
        ArrayMistake: A number that the format cannot hold: NaN where it has none, infinity where
            it has neither infinity nor NaN and `overflow` is not "saturate", a negative number
            where it has no sign, an integer out of range; or values that are no real numbers.
        UnknownName: The rounding or the overflow is none of those.

    Example:
        >>> from wavemma.formats.format import number_format
        >>> encode(number_format("fp8_fnuz"), [1.0, -2.0, 240.0]).tolist()
        [64, 200, 127]

    """
    _check_name("A rounding", rounding, get_args(Rounding))
    _check_name("What becomes of too large numbers", overflow, get_args(Overflow))
    numbers = as_f64(values)
    if not form.is_float:
        return encode_integers(
            form,
            numbers,
            rounding,
            saturate=overflow in ("saturate", "saturate_finite"),
            wrap=overflow == "wrap",
            signed=signed,
        )
    _refuse_lost(form, numbers, overflow)
    if form.bits == Lane.F64.bits:
        return numbers.view(np.uint64).copy()
    codes = encode_lanes(ArrayEngine(), form, numbers, rounding, overflow)
    return codes.view(np.uint64).astype(code_dtype(form))


def encode_exact(
    form: Format,
    value: Fraction,
    *,
    rounding: Rounding = "nearest_even",
    overflow: Overflow = "special",
    signed: bool = True,
) -> int:
    """Give the code of one exact number, rounded once.

    Args:
        form: The format. f64 rounds only to nearest even and overflows to infinity.
        value: The number.
        rounding: As for `encode`.
        overflow: As for `encode`.
        signed: As for `encode`.

    Raises:
        ArrayMistake: As for `encode`.

    """
    number = _nearest(value) if form.bits == Lane.F64.bits else nearest_odd(value)
    return int(encode(form, number, rounding=rounding, overflow=overflow, signed=signed))


def convert(
    source: Format,
    codes: ArrayLike,
    form: Format,
    *,
    rounding: Rounding = "nearest_even",
    overflow: Overflow = "special",
    signed: bool = True,
) -> NDArray[Any]:
    """Give the codes in one format of the numbers that codes of another one stand for.

    Args:
        source: The format of `codes`.
        codes: Unsigned integers.
        form: The format to go to.
        rounding: As for `encode`.
        overflow: As for `encode`.
        signed: As for `encode`, for both formats.

    Raises:
        ArrayMistake: As for `encode`.

    """
    numbers = decode(source, codes, signed=signed)
    return encode(form, numbers, rounding=rounding, overflow=overflow, signed=signed)


def _nearest(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _check_name(what: str, given: str, allowed: tuple[str, ...]) -> None:
    if given not in allowed:
        raise UnknownName(
            f"{what} must be a known name, got '{given}'.", subject=given, allowed=allowed
        )


def _refuse_lost(form: Format, numbers: NDArray[np.float64], overflow: Overflow) -> None:
    """Refuse numbers for which a float format has nothing."""
    if overflow == "wrap":
        raise ArrayMistake(f"Only integers wrap; {form.name} is a float format.", subject=overflow)
    if not form.has_nan:
        refuse(form, np.isnan(numbers), numbers, "has no NaN")
    if not form.has_nan and overflow != "saturate":
        # Every format with infinities has NaN too.
        refuse(form, np.isinf(numbers), numbers, "has neither infinity nor NaN")
    if not form.has_sign:
        refuse(form, numbers < 0, numbers, "has no negative numbers")
