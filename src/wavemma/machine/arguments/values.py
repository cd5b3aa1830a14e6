"""One kernel argument as bytes."""

import operator
import sys
from typing import Any, Protocol, SupportsIndex, runtime_checkable

import numpy as np


@runtime_checkable
class HasAddress(Protocol):
    """Something in device memory."""

    @property
    def address(self) -> int:
        """Where it begins."""


def address_bytes(value: object, size: int) -> bytes | None:
    """Write an address: a whole number, something in device memory, or None for the null pointer.

    Args:
        value: What was given.
        size: Bytes of the pointer.

    Returns:
        Its bytes, or None if it is no address.

    """
    if value is None:
        return bytes(size)
    # A look for a protocol takes longer than all the rest.
    if type(value) is int:
        return _address_bytes(value, size)
    if isinstance(value, HasAddress):
        value = value.address
    if not isinstance(value, SupportsIndex) or isinstance(value, bool | np.bool_ | np.ndarray):
        return None
    return _address_bytes(operator.index(value), size)


def _address_bytes(number: int, size: int) -> bytes | None:
    return number.to_bytes(size, "little") if 0 <= number < 1 << 8 * size else None


def number_bytes(value: object, kind: "np.dtype[Any]") -> bytes | None:
    """Write a number of a known type.

    Args:
        value: A NumPy scalar of that type; or any other number that the type can hold: whole
            numbers exactly, others rounded.
        kind: The type.

    Returns:
        Its bytes, or None if it is no such number.

    """
    if isinstance(value, np.generic) and value.dtype == kind:
        return value.tobytes()
    number = value.item() if isinstance(value, np.generic) else value
    if kind.kind in "iub":
        return _whole_bytes(number, kind)
    if isinstance(number, int | float) and not isinstance(number, bool):
        return _rounded_bytes(number, kind)
    return None


def _whole_bytes(number: object, kind: "np.dtype[Any]") -> bytes | None:
    if not isinstance(number, int) or isinstance(number, bool) > (kind.kind == "b"):
        return None
    low, high = whole_range(kind)
    if not low <= number <= high:
        return None
    return number.to_bytes(kind.itemsize, sys.byteorder, signed=low < 0)


def whole_range(kind: "np.dtype[Any]") -> tuple[int, int]:
    """Give the least and the largest number of an integer type, or of truth values."""
    if kind.kind == "b":
        return 0, 1
    found = np.iinfo(kind)
    return int(found.min), int(found.max)


def _rounded_bytes(number: float, kind: "np.dtype[Any]") -> bytes | None:
    try:
        wide = float(number)
    except OverflowError:
        return None
    with np.errstate(over="ignore"):
        found = np.array([wide]).astype(kind)
    is_lost = np.isfinite(wide) and not np.isfinite(found.astype(np.float64))[0]
    return None if is_lost else found.tobytes()


def raw_bytes(value: object, size: int) -> bytes | None:
    """Take bytes, or a NumPy scalar or array, of exactly the size that is wanted."""
    if isinstance(value, bytes | bytearray | memoryview):
        found = bytes(value)
    elif isinstance(value, np.generic | np.ndarray) and not value.dtype.hasobject:
        found = value.tobytes()
    else:
        return None
    return found if len(found) == size else None
