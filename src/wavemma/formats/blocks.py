"""Groups of numbers that share a scale: from real numbers to codes and scales, and the error."""

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake, OutOfRange
from wavemma.formats.decode import decode
from wavemma.formats.encode import encode
from wavemma.formats.exact import as_f64
from wavemma.formats.format import Format
from wavemma.formats.rounding import Rounding

Floats = npt.NDArray[np.float64]

ScaleRule = Literal["power", "nearest", "fit"]
"""How the scale of a block follows from its largest magnitude.

power: the power of two that brings its exponent to the largest of the element format, as the OCP
MX specification has it; the largest numbers of a block may saturate. nearest: what brings it to
the largest number of the element format, rounded to nearest. fit: the same, rounded up, so that
nothing saturates.
"""


class Quantised(NamedTuple):
    """A matrix in blocks along one axis.

    Attributes:
        codes: Codes of the elements, the shape of the matrix.
        scales: Codes of the scales; along the axis one a block.

    """

    codes: npt.NDArray[Any]
    scales: npt.NDArray[Any]


class BlockError(NamedTuple):
    """How far a quantised matrix is from what it was made of.

    Attributes:
        largest: The largest absolute error.
        mean: The mean absolute error.
        root_mean_square: The square root of the mean squared error.
        signal_to_noise_db: 10*log10 of the sum of squares over that of the errors; infinite if
            there is no error.
        saturated: Elements cut down to the largest number of their block.
        vanished: Elements that were not 0 and are now.

    """

    largest: float
    mean: float
    root_mean_square: float
    signal_to_noise_db: float
    saturated: int
    vanished: int


def quantise(
    matrix: npt.ArrayLike,
    form: Format,
    scale_form: Format,
    block: int,
    *,
    axis: int = -1,
    rule: ScaleRule | None = None,
) -> Quantised:
    """Turn real numbers into codes that share scales by blocks.

    Each element is divided by its scale, rounded to f64, then to nearest even, and saturated.
    A block of zeros has the scale 1. A scale is never 0 or NaN.

    Args:
        matrix: Finite real numbers; its length along the axis is a multiple of the block.
        form: A float format for the elements.
        scale_form: The format of the scales.
        block: Numbers of a block.
        axis: The axis of k: the last for A [..., M, K], -2 for B [..., K, N].
        rule: How scales are chosen; None: "power" where scales are powers of two, else "nearest".

    Raises:
        ArrayMistake: A number is NaN or infinite, or the length is no multiple of the block.
        OutOfRange: The block is not positive, or the axis is not there.

    Example:
        >>> from wavemma.formats.format import number_format
        >>> made = quantise([[1.0, 3.0]], number_format("fp4"), number_format("e8m0"), 2)
        >>> made.codes.tolist(), made.scales.tolist()
        ([[4, 7]], [[126]])

    """
    rule = rule or ("nearest" if scale_form.fraction else "power")
    whole = as_f64(matrix)
    if not np.isfinite(whole).all():
        first = [int(each) for each in np.argwhere(~np.isfinite(whole))[0]]
        raise ArrayMistake(
            f"Numbers that share a scale must be finite; at {first} stands {whole[tuple(first)]}.",
            subject=float(whole[tuple(first)]),
        )
    numbers = _blocked(whole, block, axis)
    largest = np.abs(numbers).max(axis=-1, initial=0.0)
    scales = encode(
        scale_form, _RULES[rule](largest, form), overflow="saturate", rounding=_ROUNDINGS[rule]
    )
    scales = np.maximum(scales, _lowest_code(scale_form))
    factor = decode(scale_form, scales)[..., None]
    codes = encode(form, numbers / factor, overflow="saturate")
    return Quantised(_back(codes, axis), np.moveaxis(scales, -1, axis))


def dequantise(
    made: Quantised, form: Format, scale_form: Format, block: int, *, axis: int = -1
) -> Floats:
    """Give the numbers that codes and scales stand for, exactly.

    Args:
        made: Codes and scales.
        form: The format of the elements.
        scale_form: The format of the scales.
        block: Numbers of a block.
        axis: The axis of k.

    Raises:
        ArrayMistake: Codes and scales do not fit together.

    """
    codes = _blocked(np.asarray(made.codes), block, axis)
    scales = np.moveaxis(np.asarray(made.scales), axis, -1)
    if scales.shape != codes.shape[:-1]:
        raise ArrayMistake(
            f"There must be one scale for each block of {block}: {list(codes.shape[:-1])} with the"
            f" axis of k last; given {list(scales.shape)}.",
            subject=scales.shape,
        )
    return _back(decode(form, codes) * decode(scale_form, scales)[..., None], axis)


def block_error(
    matrix: npt.ArrayLike,
    made: Quantised,
    form: Format,
    scale_form: Format,
    block: int,
    *,
    axis: int = -1,
) -> BlockError:
    """Compare a quantised matrix with the numbers that it was made of.

    Args:
        matrix: The numbers.
        made: Codes and scales.
        form: The format of the elements.
        scale_form: The format of the scales.
        block: Numbers of a block.
        axis: The axis of k.

    Raises:
        ArrayMistake: The shapes do not fit together.

    """
    numbers = as_f64(matrix)
    found = dequantise(made, form, scale_form, block, axis=axis)
    if numbers.shape != found.shape:
        raise ArrayMistake(
            f"The matrix must have the shape of the codes, {list(found.shape)}; it has"
            f" {list(numbers.shape)}.",
            subject=numbers.shape,
        )
    if not numbers.size:
        return BlockError(0.0, 0.0, 0.0, math.inf, 0, 0)
    error = np.abs(numbers - found)
    (mean, noise), (_, signal) = _averages(error), _averages(np.abs(numbers))
    size = np.abs(decode(form, made.codes))
    saturated = (size == form.max_value) & (np.abs(numbers) > np.abs(found))
    return BlockError(
        largest=float(error.max()),
        mean=mean,
        root_mean_square=noise,
        signal_to_noise_db=_decibels(signal, noise),
        saturated=int(saturated.sum()),
        vanished=int(((found == 0) & (numbers != 0)).sum()),
    )


def _averages(sizes: Floats) -> tuple[float, float]:
    """Give the mean and the root of the mean square, though sums and squares may leave f64."""
    exponent = int(np.frexp(sizes.max())[1])
    within = np.ldexp(sizes, -exponent)
    means = float(within.mean()), math.sqrt(float((within**2).mean()))
    return math.ldexp(means[0], exponent), math.ldexp(means[1], exponent)


def _decibels(signal: float, noise: float) -> float:
    if not (signal and noise):
        return math.inf
    return 20 * (math.log10(signal) - math.log10(noise))


def _power(largest: Floats, form: Format) -> Floats:
    exponents = np.frexp(largest)[1] - math.frexp(form.max_value)[1]
    return np.where(largest > 0, np.ldexp(1.0, exponents), 1.0)


def _ratio(largest: Floats, form: Format) -> Floats:
    return np.where(largest > 0, largest / form.max_value, 1.0)


_RULES: dict[ScaleRule, Callable[[Floats, Format], Floats]] = {
    "power": _power,
    "nearest": _ratio,
    "fit": _ratio,
}
_ROUNDINGS: dict[ScaleRule, Rounding] = {
    "power": "nearest_even",
    "nearest": "nearest_even",
    "fit": "up",
}


def _lowest_code(form: Format) -> int:
    """Give the code of the lowest positive number."""
    return 0 if form.lowest == "normal" else 1


def _blocked(array: npt.NDArray[Any], block: int, axis: int) -> npt.NDArray[Any]:
    """See an array as [..., blocks, block] with the axis last."""
    if block < 1 or not -array.ndim <= axis < array.ndim:
        raise OutOfRange(
            f"The block must be positive and the axis one of {array.ndim}; given {block} and"
            f" {axis}.",
            subject=axis,
        )
    last = np.moveaxis(array, axis, -1)
    if last.shape[-1] % block:
        raise ArrayMistake(
            f"The length along k must be a multiple of the block {block}; it is {last.shape[-1]}.",
            subject=last.shape[-1],
        )
    return last.reshape(*last.shape[:-1], last.shape[-1] // block, block)


def _back(array: npt.NDArray[Any], axis: int) -> npt.NDArray[Any]:
    """Undo `_blocked`."""
    whole = array.reshape(*array.shape[:-2], array.shape[-2] * array.shape[-1])
    return np.ascontiguousarray(np.moveaxis(whole, -1, axis))
