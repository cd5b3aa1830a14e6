"""How far a product is from the exact one, in units in the last place of its own format."""

from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from wavemma.formats import Format
from wavemma.gemm.exact_error import doubtful, exact_errors
from wavemma.gemm.operands import Array

EXACT_SUMS = "exact sums"
_LEAST_SIZE = 1e-320


class Accuracy(msgspec.Struct, frozen=True):
    """Errors of a product against a reference of more precision.

    Attributes:
        reference: What it was compared with, in words.
        elements: Elements compared: those that are finite on both sides.
        not_finite: Elements that are infinite or NaN in the product or the reference.
        exact: Elements that are the reference rounded to nearest, or equal to it.
        max_ulp: Greatest error, in units in the last place of the product's format.
        mean_ulp: Mean error, in the same units.
        max_absolute: Greatest absolute error.
        worst: Index of the greatest error in units in the last place; empty without elements.
        max_bound: The greatest error that the model allows any element; None if not known.
        max_share: The greatest error as a share of its element's own bound, to which what the
            reference itself may err is added; None if not known.

    """

    reference: str
    elements: int
    not_finite: int
    exact: int
    max_ulp: float
    mean_ulp: float
    max_absolute: float
    worst: tuple[int, ...]
    max_bound: float | None = None
    max_share: float | None = None


def accuracy(
    d: Array,
    a: Array,
    b: Array,
    c: Array | None,
    form: Format,
    most: npt.NDArray[np.float64] | None = None,
) -> Accuracy:
    """Compare a product with one of more precision.

    Integers are compared with exact integers. Floats are compared with sums in float64, f64 with
    NumPy's long double, and with exact sums where those could be off by 1/64 of a unit in the
    last place or on the other side of half a unit; if that holds for too many elements, as in a
    large product in f64, the sums of more precision alone are the reference.

    Args:
        d: The product, [..., M, N].
        a: [..., M, K].
        b: [..., K, N].
        c: [..., M, N] or None.
        form: Number format of d.
        most: Bound of the error of every element under the model, [..., M, N], or None.

    """
    if not form.is_float:
        return _of_integers(d, a, b, c)
    kind: Any = np.longdouble if form.bits == np.dtype(np.float64).itemsize * 8 else np.float64
    with np.errstate(all="ignore"):
        exact = np.matmul(a.astype(kind), b.astype(kind))
        if c is not None:
            exact = exact + c.astype(kind)
        own = a.shape[-1] * float(np.finfo(kind).eps) * _sizes(a, b, c)
        errors = _errors(d, exact, form, own)
        summed = exact_errors(d, a, b, c, errors.doubtful, wide=kind is not np.float64)
        reference = str(np.dtype(kind))
        if summed is not None:
            reference = EXACT_SUMS
            errors.absolute[summed.at] = summed.errors
            errors.units[summed.at] = summed.errors / ulp(summed.values, form)
            own[summed.at] = 0
        found = _summary(errors, reference)
        return found if most is None else _with_bound(found, errors, most, own)


def _sizes(a: Array, b: Array, c: Array | None) -> npt.NDArray[np.float64]:
    """Give the sum of |a*b| and |c| of every element."""
    left, right = (np.abs(each.astype(np.float64)) for each in (a, b))
    start = 0.0 if c is None else np.abs(c.astype(np.float64))
    return np.asarray(np.matmul(left, right) + start)


class _Errors(NamedTuple):
    """Errors of every element, zero where one is not finite."""

    finite: npt.NDArray[np.bool_]
    absolute: npt.NDArray[Any]
    units: npt.NDArray[Any]
    doubtful: npt.NDArray[np.bool_]


def _errors(
    d: Array, exact: npt.NDArray[Any], form: Format, own: npt.NDArray[np.float64]
) -> _Errors:
    wide = d.astype(exact.dtype)
    finite = np.isfinite(wide) & np.isfinite(exact)
    error = np.where(finite, np.abs(wide - exact), 0.0)
    unit = ulp(exact, form)
    units = np.where(finite, error / unit, 0.0)
    return _Errors(finite, error, units, finite & doubtful(error, unit, own))


def _with_bound(
    found: Accuracy,
    errors: _Errors,
    most: npt.NDArray[np.float64],
    own: npt.NDArray[np.float64],
) -> Accuracy:
    """Add how far the model lets elements go, and how near they came to it."""
    counted = errors.finite & np.isfinite(most) & (most > 0)
    if not counted.any():
        return found
    share = errors.absolute[counted] / (most + own)[counted]
    return msgspec.structs.replace(
        found, max_bound=float(most[counted].max()), max_share=float(share.max())
    )


def ulp(values: npt.NDArray[Any], form: Format) -> npt.NDArray[Any]:
    """Give the distance between neighbouring numbers of a format around each value."""
    size = np.maximum(np.abs(values), _LEAST_SIZE)
    _, exponent = np.frexp(size)
    lowest = np.log2(form.min_normal)
    steps = np.maximum(exponent - 1, int(lowest)) - form.fraction
    return np.asarray(np.ldexp(np.ones_like(size), steps))


def _summary(errors: _Errors, reference: str) -> Accuracy:
    finite, absolute, units, _ = errors
    count = int(finite.sum())
    worst = (
        tuple(int(i) for i in np.unravel_index(int(np.argmax(units)), units.shape)) if count else ()
    )
    return Accuracy(
        reference=reference,
        elements=count,
        not_finite=int(finite.size - count),
        exact=int((finite & (units <= 0.5)).sum()),
        max_ulp=float(units.max()) if count else 0.0,
        mean_ulp=float(units.sum() / count) if count else 0.0,
        max_absolute=float(absolute.max()) if count else 0.0,
        worst=worst,
    )


def _of_integers(d: Array, a: Array, b: Array, c: Array | None) -> Accuracy:
    """Compare with the exact sum; what differs has wrapped or saturated."""
    exact = np.matmul(a.astype(np.float64), b.astype(np.float64))
    if c is not None:
        exact = exact + c.astype(np.float64)
    error = np.abs(d.astype(np.float64) - exact)
    worst = np.unravel_index(int(np.argmax(error)), error.shape) if error.size else ()
    return Accuracy(
        reference="exact integers",
        elements=error.size,
        not_finite=0,
        exact=int((error == 0).sum()),
        max_ulp=float(error.max()) if error.size else 0.0,
        mean_ulp=float(error.mean()) if error.size else 0.0,
        max_absolute=float(error.max()) if error.size else 0.0,
        worst=tuple(int(i) for i in worst),
    )
