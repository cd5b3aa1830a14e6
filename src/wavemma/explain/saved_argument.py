"""Arguments of a kernel in a saved run: values as text, arrays as bytes."""

import re

import msgspec
import numpy as np

from wavemma.explain.kernel_call import Given
from wavemma.formats.dtypes import Array, dtype_called, known_dtypes

_NUMPY_TYPE = re.compile(r"[<|][biufc](1|2|4|8|16)")


class SavedArgument(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One argument.

    Attributes:
        type: Of an array or a NumPy scalar; "" for a bare number.
        shape: Of an array, whose elements are a file of the zip; None for a value.
        bits: Bytes of a NumPy scalar, low one first, as hexadecimal digits.
        number: A bare number; None for a null pointer.
        output: What the array was written to afterwards, if it was.

    """

    type: str = ""
    shape: tuple[int, ...] | None = None
    bits: str = ""
    number: int | float | None = None
    output: str | None = None


def bytes_of(array: Array) -> memoryview:
    """Give the bytes of an array, row by row."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def saved_argument(given: Given) -> SavedArgument:
    """Note an argument."""
    if given.array is not None:
        kind = _type_name(given.array.dtype)
        if not kind:
            # What has no name here keeps its bytes.
            return SavedArgument("|u1", (given.array.nbytes,), output=given.output)
        return SavedArgument(kind, given.array.shape, output=given.output)
    if isinstance(given.scalar, np.generic):
        return SavedArgument(_type_name(given.scalar.dtype), bits=given.scalar.tobytes().hex())
    return SavedArgument(number=given.scalar)


def _type_name(dtype: "np.dtype[np.generic]") -> str:
    if _NUMPY_TYPE.fullmatch(dtype.str):
        return dtype.str
    return str(dtype) if str(dtype) in known_dtypes() else ""


def type_called(name: str) -> "np.dtype[np.generic]":
    """Find a type by the name that a saved run has for it."""
    return np.dtype(name) if _NUMPY_TYPE.fullmatch(name) else dtype_called(name)


def given_argument(saved: SavedArgument, data: bytes) -> Given:
    """Make an argument again.

    Args:
        saved: What was noted of it.
        data: Elements of an array.

    """
    if saved.shape is not None:
        array = np.frombuffer(data, dtype=type_called(saved.type)).reshape(saved.shape)
        return Given(array=array, output=saved.output)
    if not saved.type:
        return Given(scalar=saved.number)
    (scalar,) = np.frombuffer(bytes.fromhex(saved.bits), dtype=type_called(saved.type))
    return Given(scalar=scalar)
