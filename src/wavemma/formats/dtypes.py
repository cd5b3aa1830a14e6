"""The bridge to NumPy and ml_dtypes: which formats an array can be, and its codes."""

from functools import cache
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import numpy.typing as npt

from wavemma.errors import UnknownFormat
from wavemma.formats.format import Format, number_formats
from wavemma.tables.format_aliases import common_word

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


def dtype_called(word: str) -> "np.dtype[Any]":
    """Find a type by the name of a format, by its own name, or by the word of instructions.

    Args:
        word: Such as "bf16", "float8_e4m3fn", "fp8_e4m3fn" or "fp4". A word that several formats
            have means the first of them.

    Raises:
        UnknownFormat: Offers the nearest names.

    """
    kinds = _dtypes_by_word()
    called = word if word in kinds else common_word(word)
    if called not in kinds:
        names = (form.name for form in number_formats() if form.name in kinds)
        raise UnknownFormat(
            f"'{word}' is not a type of an array.",
            subject=word,
            allowed=kinds,
            hint=f"All: {', '.join(names)}, or the name of a type of NumPy or ml_dtypes.",
        )
    return kinds[called]


@cache
def _dtypes_by_word() -> "dict[str, np.dtype[Any]]":
    kinds: dict[str, np.dtype[Any]] = {}
    for form in number_formats():
        kind = dtype_of(form)
        if kind is not None:
            short = form.dtype.replace("float8_", "fp8_")
            for word in (form.name, form.dtype, short, form.type):
                kinds.setdefault(word, kind)
    for (signed, bits), kind in _CHOSEN.items():
        kinds.setdefault(f"{'i' if signed else 'u'}{bits}", kind)
        kinds.setdefault(str(kind), kind)
    return kinds


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
