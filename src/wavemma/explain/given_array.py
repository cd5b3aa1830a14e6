"""The arrays that a diagnosis is given: taken if they are real numbers, refused by name if not."""

from typing import Any

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake
from wavemma.explain.tile_sample import Array, numbers
from wavemma.formats import number_format
from wavemma.formats.dtypes import code_dtype, dtype_of

_TOLERANCE = 2.0**-6
_MOST = 0.5
_OTHERS = {
    "c": ("real numbers", "Compare {0}.real first, and {0}.imag by itself."),
    "m": ("real numbers", "Convert it, such as {0}.astype(np.float32)."),
    "M": ("real numbers", "Convert it, such as {0}.astype(np.float32)."),
    "b": ("numbers", "If truth stands for 0 and 1, say so: {0}.astype(np.float32)."),
    "O": ("numbers of one known type", "Convert it: {0}.astype(np.float32)."),
    "U": ("numbers of one known type", "If the text is numbers, read them: {0}.astype(float)."),
    "S": ("numbers of one known type", "If the text is numbers, read them: {0}.astype(float)."),
}


def given_array(name: str, value: npt.ArrayLike | None, formats: tuple[str, ...]) -> Array | None:
    """Take an array; bytes that have lost their type get that of the operand.

    Args:
        name: What it is called: want, got, a, b, c, scale_a or scale_b.
        value: The array, or None.
        formats: Formats that the operand may have; none of a scale.

    Raises:
        ArrayMistake: It holds no real numbers, or codes of another width than the formats have.

    """
    if value is None:
        return None
    array = _array(name, value)
    if array.dtype.kind == "V" and array.dtype.names is None:
        for each in formats:
            kind = dtype_of(number_format(each), signed=True)
            if kind is not None and array.dtype in (kind, np.dtype(f"V{kind.itemsize}")):
                return array.view(kind)
    _check_type(name, array)
    _check_width(name, array, formats)
    return array


def _array(name: str, value: npt.ArrayLike) -> Array:
    """Make an array that has rows and columns."""
    if hasattr(value, "filled"):
        raise ArrayMistake(
            f"{name} must hold a number in every place; a masked array was given.",
            subject=name,
            hint=f"Fill it, such as with NaN: {name}.filled(np.nan).",
        )
    try:
        array = np.asarray(value)
    except ValueError:
        raise ArrayMistake(
            f"{name} must be one array, with as many numbers in each row; rows of several lengths"
            " were given.",
            subject=name,
        ) from None
    if array.ndim == 0:
        raise ArrayMistake(
            f"{name} must be a matrix, [..., rows, columns]; one value was given: {_short(array)}.",
            subject=array.shape,
            hint=f"If every element is this one, give np.full_like(want, ...) for {name}.",
        )
    if array.size == 0:
        raise ArrayMistake(
            f"Arrays must hold numbers; {name}, of shape {list(array.shape)}, has none.",
            subject=array.shape,
        )
    return array


def _short(array: Array) -> str:
    text = repr(array.item())
    return text if len(text) <= 40 else f"{text[:37]}..."


def _check_type(name: str, array: Array) -> None:
    """Refuse what are no real numbers, and say how they may be had."""
    dtype = array.dtype
    if dtype.names:
        raise ArrayMistake(
            f"{name} must hold one number in each place; given {len(dtype.names)} fields:"
            f" {', '.join(dtype.names)}.",
            subject=str(dtype),
            hint=f"Choose one: {name}[{dtype.names[0]!r}].",
        )
    if dtype.kind in _OTHERS:
        wanted, hint = _OTHERS[dtype.kind]
        raise ArrayMistake(
            f"{name} must hold {wanted}; given {dtype}.", subject=str(dtype), hint=hint.format(name)
        )
    try:
        numbers(array[:1])
    except (TypeError, ValueError, IndexError):
        raise ArrayMistake(
            f"{name} must hold numbers of a known type; given {dtype}.",
            subject=str(dtype),
            hint="Name the type: FILE:TYPE on the command line, .view(TYPE) in Python.",
        ) from None


def _check_width(name: str, array: Array, formats: tuple[str, ...]) -> None:
    """Refuse unsigned integers that are codes of no format of a float operand."""
    forms = [number_format(each) for each in formats]
    if array.dtype.kind != "u" or not any(form.is_float for form in forms):
        return
    widths = {code_dtype(form): form.name for form in forms}
    if array.dtype in widths:
        return
    kinds = " or ".join(f"{kind} (codes of {form})" for kind, form in widths.items())
    raise ArrayMistake(
        f"{name} must hold floats, or {kinds}; given {array.dtype}.",
        subject=str(array.dtype),
        hint=(
            "Name the type that the bits have: FILE:TYPE on the command line, .view(TYPE) in"
            f" Python. If they are whole numbers: {name}.astype(np.float32)."
        ),
    )


def check_outputs(want: Array, got: Array, form: str) -> None:
    """Refuse a want that nothing can be compared with, and a got that only has lost its type.

    Args:
        want: What should have come.
        got: What came.
        form: The format of D.

    Raises:
        ArrayMistake: Every element of want is NaN, or got holds the bits of want as integers.

    """
    kind = dtype_of(number_format(form))
    if kind is not None and _holds_bits(want, got, kind):
        raise ArrayMistake(
            f"got must hold numbers of {form}; given {got.dtype}, whose bits are those of want.",
            subject=str(got.dtype),
            hint=f"Name the type: got.npy:{form} on the command line, got.view({kind}) in Python.",
        )
    # Most wants have a number in their first row: the rest need not be looked at then.
    if not np.isnan(numbers(want[:1], form)).all():
        return
    found: Any = numbers(want, form)
    if np.isnan(found).all():
        raise ArrayMistake(
            f"want must hold numbers; all of its {want.size:,} elements are NaN, so that nothing"
            " can be compared with it.",
            subject=want.shape,
            hint="Look at how the reference is made: its inputs, and what it divides by.",
        )


def _holds_bits(want: Array, got: Array, kind: "np.dtype[Any]") -> bool:
    """Whether integers are the bits of numbers that are, most of them, those wanted."""
    is_integer = got.dtype.kind == "i" and kind.kind != "i" and want.shape == got.shape
    if not is_integer or got.dtype.itemsize != kind.itemsize:
        return False
    found = numbers(np.ascontiguousarray(got).view(kind))
    near = np.isclose(found, numbers(want), rtol=_TOLERANCE, atol=0)
    return bool(near.mean() >= _MOST)
