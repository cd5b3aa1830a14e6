"""The bridge to NumPy and ml_dtypes: which formats an array can be, and its codes."""

from collections.abc import Collection
from functools import cache
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import numpy.typing as npt

from wavemma.errors import UnknownFormat
from wavemma.formats.format import Format, number_format, number_formats
from wavemma.tables.format_names import meaning

Array = npt.NDArray[Any]

# Integer types whose sign tells how a format with a chosen sign is to be read.
_CHOSEN: dict[tuple[bool, int], np.dtype[Any]] = {
    (True, 8): np.dtype(np.int8),
    (False, 8): np.dtype(np.uint8),
    (True, 4): np.dtype(ml_dtypes.int4),
    (False, 4): np.dtype(ml_dtypes.uint4),
}


class Readings(NamedTuple):
    """What an array's type can be.

    Attributes:
        formats: Names of the formats with its codes, the closest first.
        signed: Whether integers are read as signed.

    """

    formats: tuple[str, ...]
    signed: bool


def dtype_of(form: Format, *, signed: bool | None = None) -> "np.dtype[Any] | None":
    """Give the NumPy or ml_dtypes type that has a format's codes; None if there is none.

    Args:
        form: The format.
        signed: How a format is read that leaves the sign to the instruction; None: it has no
            type.

    Example:
        >>> from wavemma.formats.format import number_format
        >>> dtype_of(number_format("bf16"))
        dtype(bfloat16)

    """
    if form.sign == "chosen" and signed is not None:
        return _CHOSEN.get((signed, form.bits))
    if not form.dtype:
        return None
    return np.dtype(getattr(ml_dtypes, form.dtype, form.dtype))


def code_dtype(form: Format) -> "np.dtype[Any]":
    """Give the smallest unsigned NumPy type that holds a format's codes."""
    return np.dtype(np.min_scalar_type(form.codes - 1))


@cache
def formats_of(dtype: "np.dtype[Any]") -> Readings:
    """List the formats that a type can be, and whether its integers are signed."""
    forms = number_formats()
    # NumPy reads None as float64 in a comparison, so formats without a type are left out first.
    same = [form for form in forms if form.dtype and dtype_of(form) == dtype]
    # f32 containers whose low bits hardware drops have no type of their own.
    widths = {form.bits for form in same if form.is_float}
    same += [form for form in forms if form.ignored and form.bits in widths]
    for (signed, bits), chosen in _CHOSEN.items():
        if dtype == chosen:
            same += [form for form in forms if form.sign == "chosen" and form.bits == bits]
            return Readings(tuple(form.name for form in same), signed)
    return Readings(tuple(form.name for form in same), True)


@cache
def known_dtypes() -> tuple[str, ...]:
    """List the types that some format has, by name."""
    found = {str(dtype_of(form)) for form in number_formats() if form.dtype}
    return tuple(sorted(found | {str(dtype) for dtype in _CHOSEN.values()}))


def dtype_called(word: str, among: Collection[str] = ()) -> "np.dtype[Any]":
    """Find the type of arrays that a name for a format means.

    Args:
        word: Such as "bf16", "float8_e4m3fn", "u8" or "fp4".
        among: Names of formats that can be, where a name may mean several; all if empty.

    Raises:
        UnknownFormat: Offers the nearest names, or the several types that it may mean.

    """
    meant = meaning(word)
    forms = [number_format(name) for name in meant.formats]
    fitting = [form for form in forms if form.name in among] or forms
    kinds: dict[np.dtype[Any], str] = {}
    for form in fitting:
        kind = dtype_of(form, signed=meant.signed)
        if kind is not None:
            kinds.setdefault(kind, form.name)
    if len(kinds) == 1:
        return next(iter(kinds))
    if kinds:
        known = " or ".join(f"{kind} ({name})" for kind, name in kinds.items())
        raise UnknownFormat(f"{word!r} may be {known}: name one.", subject=word)
    names = (form.name for form in number_formats() if form.dtype)
    raise UnknownFormat(
        f"'{word}' is not a type of an array.",
        subject=word,
        hint=f"All: {', '.join(names)}, or the name of a type of NumPy or ml_dtypes.",
    )


def codes_of(array: Array, form: Format) -> Array:
    """Give the bits of every element as unsigned integers, one element each.

    Args:
        array: Elements of a type that has the format's codes, or the codes as unsigned integers.
        form: The format; of wider elements the low bits are taken.

    Returns:
        Contiguous, in the smallest unsigned type; the memory of `array` where it can be.

    """
    wanted = code_dtype(form)
    whole = np.ascontiguousarray(array).reshape(array.shape)
    if whole.dtype.itemsize == wanted.itemsize and whole.dtype.kind != "u":
        whole = whole.view(wanted)
    codes: Array = whole.astype(wanted, copy=False)
    # Sub-byte types keep a code a byte; what stands above the code is not part of it.
    return codes if form.bits == 8 * wanted.itemsize else codes & wanted.type(form.codes - 1)


def typed(codes: Array, form: Format, *, signed: bool | None = None) -> Array:
    """Give codes the NumPy or ml_dtypes type of their format, or leave them if it has none.

    Args:
        codes: Unsigned integers of the smallest type that holds a code.
        form: The format.
        signed: As for `dtype_of`.

    """
    kind = dtype_of(form, signed=signed)
    return codes if kind is None else codes.view(kind)
