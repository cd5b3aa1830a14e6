"""Errors against exact sums, of the few elements whose errors a sum in float64 does not tell."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavemma.gemm.operands import Array

_SHARE_OF_A_UNIT = 2.0**-6
_MOST_TERMS = {False: 1 << 20, True: 1 << 16}
"""Terms that are summed one after the other at most; fractions take longer than floats."""

Floats = npt.NDArray[Any]


class Exact(NamedTuple):
    """What elements are, and how far the product is from it.

    Attributes:
        at: Their indices, one array an axis.
        values: The exact sums, rounded to f64.
        errors: The absolute errors, rounded to f64 but not onto a number that they are not.

    """

    at: tuple[npt.NDArray[np.intp], ...]
    values: npt.NDArray[np.float64]
    errors: npt.NDArray[np.float64]


def doubtful(error: Floats, unit: Floats, own: Floats) -> npt.NDArray[np.bool_]:
    """Mark elements of which a reference cannot tell the error, or the side of half a unit.

    Args:
        error: Absolute errors against the reference.
        unit: Units in the last place.
        own: How far the reference itself may be off.

    """
    near_half: npt.NDArray[np.bool_] = np.abs(error - unit / 2) <= own
    return near_half & (error > 0) | (own > unit * _SHARE_OF_A_UNIT)


def exact_errors(
    d: Array,
    a: Array,
    b: Array,
    c: Array | None,
    where: npt.NDArray[np.bool_],
    *,
    wide: bool,
) -> Exact | None:
    """Sum elements exactly.

    Args:
        d: The product, [..., M, N].
        a: [..., M, K].
        b: [..., K, N].
        c: [..., M, N] or None.
        where: The elements, [..., M, N], finite ones.
        wide: Products of two factors do not fit f64.

    Returns:
        None if there are too many to sum.

    """
    at = np.nonzero(where)
    if len(at[0]) * a.shape[-1] > _MOST_TERMS[wide]:
        return None
    batch = d.shape[:-2]
    left = np.broadcast_to(a, (*batch, *a.shape[-2:]))
    right = np.swapaxes(np.broadcast_to(b, (*batch, *b.shape[-2:])), -1, -2)
    start = None if c is None else np.broadcast_to(c, d.shape)
    values, errors = np.empty(len(at[0])), np.empty(len(at[0]))
    for number, index in enumerate(zip(*at, strict=True)):
        row = left[index[:-1]].astype(np.float64).tolist()
        column = right[(*index[:-2], index[-1])].astype(np.float64).tolist()
        first = 0.0 if start is None else float(start[index])
        summed = _fractions if wide else _floats
        values[number], errors[number] = summed(row, column, first, float(d[index]))
    return Exact(at, values, errors)


def _floats(
    row: Sequence[float], column: Sequence[float], first: float, found: float
) -> tuple[float, float]:
    terms = [x * y for x, y in zip(row, column, strict=True)] + [first]
    error = math.fsum([*terms, -found])
    return math.fsum(terms), abs(_beside(error, math.fsum([*terms, -found, -error])))


def _fractions(
    row: Sequence[float], column: Sequence[float], first: float, found: float
) -> tuple[float, float]:
    total = Fraction(first)
    for x, y in zip(row, column, strict=True):
        total += Fraction(x) * Fraction(y)
    exact = total - Fraction(found)
    error = float(exact)
    rest = exact - Fraction(error)
    return float(total), abs(_beside(error, (rest > 0) - (rest < 0)))


def _beside(error: float, rest: float) -> float:
    """Move a rounded error past what it was rounded to, so that half a unit is half a unit."""
    return math.nextafter(error, math.copysign(math.inf, rest)) if rest else error
