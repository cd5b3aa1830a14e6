"""Dot products under a model, on codes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavemma.engines.array_engine import ArrayEngine
from wavemma.engines.engine import Lane
from wavemma.errors import ArrayMistake
from wavemma.formats.decode import decode
from wavemma.formats.dtypes import code_dtype
from wavemma.formats.format import Format
from wavemma.numerics.model import Model
from wavemma.numerics.path import Lanes, Path, Setting
from wavemma.numerics.prepared import prepared

Codes = NDArray[Any]
Floats = NDArray[np.float64]
_ENGINE = ArrayEngine()


@dataclass(frozen=True)
class Scales:
    """Block scales of A and B.

    Args:
        a: Codes [..., K / block] along A's k.
        b: Codes [..., K / block] along B's k.

    """

    a: ArrayLike
    b: ArrayLike


def checked_codes(name: str, form: Format, codes: ArrayLike) -> Codes:
    """Take codes as unsigned integers of the format's smallest type.

    Args:
        name: What the array is, for the message.
        form: The format of the codes.
        codes: Integers within 0..codes-1; arrays of the right width may be signed.

    Raises:
        ArrayMistake: If the array holds something else.

    """
    array = np.asarray(codes)
    wanted = code_dtype(form)
    if array.dtype == wanted and form.bits == 8 * wanted.itemsize:
        return array
    if array.dtype.kind not in "iu":
        raise ArrayMistake(
            f"{name} must be codes of {form.name} as integers, got {array.dtype}.", subject=name
        )
    if array.dtype.kind == "i" and array.dtype.itemsize == wanted.itemsize:
        array = array.view(wanted)
    if array.size and (int(array.min()) < 0 or int(array.max()) >= form.codes):
        raise ArrayMistake(
            f"{name} must be codes of {form.name}, 0 to {form.codes - 1}, got "
            f"{int(array.min())} to {int(array.max())}.",
            subject=name,
        )
    return array.astype(wanted)


def accumulate(
    model: Model,
    setting: Setting,
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike,
    scales: Scales | None = None,
    path: Path | None = None,
) -> Codes:
    """Add the products along the last axis to C, in ascending k, on the array engine.

    Args:
        model: How the sum is done.
        setting: Formats and options of the instruction.
        a: Codes [..., K].
        b: Codes [..., K]; the axes before K broadcast with those of `a` and with `c`.
        c: Codes [...].
        scales: Block scales, if the setting has them; they broadcast in the same way.
        path: The way to evaluate the model, if not the one that covers every input.

    Returns:
        Codes of D [...], unsigned. K is filled up with +0 to whole steps.

    Raises:
        ArrayMistake: If an array does not fit.

    """
    way = path or model.whole_path(setting)
    left = _prepared("a", way, setting, a, None if scales is None else scales.a)
    right = _prepared("b", way, setting, b, None if scales is None else scales.b)
    if len(left) != len(right):
        raise ArrayMistake(f"a and b must have the same K, got {len(left)} and {len(right)}.")
    code = _lanes(checked_codes("c", setting.c, c), _code_lane(setting.c))
    state = way.begin(_ENGINE, code)
    for first in range(0, len(left), way.length):
        last = first + way.length
        state = way.step(_ENGINE, left[first:last], right[first:last], state)
    bits = np.asarray(way.finish(_ENGINE, state))
    unsigned = bits.view(np.uint64 if bits.dtype == np.int64 else np.uint32)
    return unsigned.astype(code_dtype(setting.d))


def dot(
    model: Model,
    setting: Setting,
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike,
    scales: Scales | None = None,
    path: Path | None = None,
) -> Codes:
    """Multiply matrices under a model, on the array engine.

    Args:
        model: How each sum is done.
        setting: Formats and options of the instruction.
        a: Codes [..., M, K].
        b: Codes [..., K, N].
        c: Codes [..., M, N].
        scales: Block scales, A's [..., M, K / block] and B's [..., K / block, N].
        path: The way to evaluate the model, if not the one that covers every input.

    Returns:
        Codes of D [..., M, N], unsigned.

    Example:
        >>> from wavemma.formats import number_format
        >>> from wavemma.numerics.model import model
        >>> f16, f32 = number_format("f16"), number_format("f32")
        >>> one = [[0x3C00, 0x3C00]]
        >>> hex(dot(model("complement_2"), Setting(f16, f16, f32, f32),
        ...         one, [[0x3C00], [0x3C00]], [[0xC0000000]])[0, 0])
        '0x34000000'

    """
    left = np.asarray(a)[..., :, None, :]
    right = np.swapaxes(np.asarray(b), -1, -2)[..., None, :, :]
    spread = None
    if scales is not None:
        spread = Scales(
            np.asarray(scales.a)[..., :, None, :],
            np.swapaxes(np.asarray(scales.b), -1, -2)[..., None, :, :],
        )
    return accumulate(model, setting, left, right, c, spread, path)


def _code_lane(form: Format) -> Lane:
    return Lane.I64 if form.bits > Lane.I32.bits else Lane.I32


def _lanes(codes: Codes, lane: Lane) -> Codes:
    if lane is Lane.I64:
        return codes.astype(np.uint64).view(np.int64)
    return codes.astype(np.uint32).view(np.int32)


def _prepared(
    name: str, path: Path, setting: Setting, codes: ArrayLike, scale: ArrayLike | None
) -> Sequence[Lanes[Codes]]:
    """Prepare every element of "a" or "b"; one entry for each k."""
    form, signed = (setting.a, setting.signed_a) if name == "a" else (setting.b, setting.signed_b)
    array = checked_codes(name, form, codes)
    spread = None if scale is None else spread_scales(name, scale, setting, array.shape[-1])
    short = -array.shape[-1] % path.length
    if short:
        filling = [(0, 0)] * (array.ndim - 1) + [(0, short)]
        array = np.pad(array, filling)
        if spread is not None:
            spread = np.pad(spread, [*[(0, 0)] * (spread.ndim - 1), (0, short)], constant_values=1)
    wide = _lanes(array, Lane.I64)
    parts = prepared(path, form, wide, left=name == "a", signed=signed, scale=spread)
    return [tuple(part[..., k] for part in parts) for k in range(array.shape[-1])]


def spread_scales(name: str, scale: ArrayLike, setting: Setting, depth: int) -> Floats:
    """Repeat each block's scale for the products of the block.

    Args:
        name: Whose scales they are, "a" or "b".
        scale: Codes [..., K / block].
        setting: The setting that has the scales.
        depth: K.

    Returns:
        The scales' numbers [..., K].

    Raises:
        ArrayMistake: If there are too few scales.

    """
    values = scale_values(name, scale, setting, depth)
    return np.asarray(np.repeat(values, setting.scale_block, axis=-1)[..., :depth])


def scale_values(name: str, scale: ArrayLike, setting: Setting, depth: int) -> Floats:
    """Give the numbers of block scales.

    Args:
        name: Whose scales they are, "a" or "b".
        scale: Codes [..., K / block].
        setting: The setting that has the scales.
        depth: K.

    Returns:
        The scales' numbers [..., K / block].

    Raises:
        ArrayMistake: If there are too few scales.

    """
    form = setting.scale_a if name == "a" else setting.scale_b
    block = setting.scale_block
    codes = np.asarray(scale)
    if form is None or block == 0 or codes.shape[-1] * block < depth:
        raise ArrayMistake(
            f"The scales of {name} must have a format and be one for every {block} of {depth} "
            f"elements along k, got {codes.shape[-1]}.",
            subject=name,
        )
    return np.asarray(decode(form, checked_codes(f"scales of {name}", form, codes)))
