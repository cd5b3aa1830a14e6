"""Arrays of other libraries through DLPack, with the types that NumPy does not take from it.

NumPy's own reader refuses bfloat16 and the 8-bit floats, which ml_dtypes has as NumPy types.
"""

from ctypes import (
    POINTER,
    Structure,
    c_char_p,
    c_int32,
    c_int64,
    c_uint8,
    c_uint16,
    c_uint64,
    c_void_p,
    cast,
    py_object,
    pythonapi,
)
from typing import Any, Protocol, runtime_checkable

import ml_dtypes
import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake

Array = npt.NDArray[Any]

# Type codes and bits of DLPack 1.1 (dlpack.h, DLDataTypeCode) that NumPy has no type for.
_EXTENSION_TYPES = {
    (4, 16): ml_dtypes.bfloat16,
    (7, 8): ml_dtypes.float8_e3m4,
    (8, 8): ml_dtypes.float8_e4m3,
    (9, 8): ml_dtypes.float8_e4m3b11fnuz,
    (10, 8): ml_dtypes.float8_e4m3fn,
    (11, 8): ml_dtypes.float8_e4m3fnuz,
    (12, 8): ml_dtypes.float8_e5m2,
    (13, 8): ml_dtypes.float8_e5m2fnuz,
    (14, 8): ml_dtypes.float8_e8m0fnu,
}
_KNOWN_TO_NUMPY = range(7)
_BFLOAT = 4
# Memory that this processor reads: its own, and that which CUDA or ROCm has pinned.
_HOST_DEVICES = (1, 3, 11)
_CAPSULE = b"dltensor"


@runtime_checkable
class SupportsDLPack(Protocol):
    """An array of another library that can hand its memory over."""

    def __dlpack__(self, *, stream: None = None) -> Any: ...  # noqa: ANN401 - a capsule has no public type

    def __dlpack_device__(self) -> tuple[int, int]: ...


class _Device(Structure):
    _fields_ = (("kind", c_int32), ("number", c_int32))


class _Type(Structure):
    _fields_ = (("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16))


class _Tensor(Structure):
    _fields_ = (
        ("data", c_void_p),
        ("device", _Device),
        ("axes", c_int32),
        ("type", _Type),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    )


class _Memory:
    """Keeps a capsule, and so the memory that it lends, for as long as an array looks at it."""

    def __init__(self, capsule: object, interface: dict[str, Any]) -> None:
        self.capsule = capsule
        self.__array_interface__ = interface


def as_array(given: npt.ArrayLike) -> Array:
    """Take an array of NumPy, of ml_dtypes' types, or of a library that speaks DLPack.

    Args:
        given: Numbers; memory is shared where it can be.

    Raises:
        ArrayMistake: The array lies in another device's memory, or has a type that NumPy and
            ml_dtypes have not, or lists are not of one length.

    """
    if isinstance(given, np.ndarray) or not isinstance(given, SupportsDLPack):
        return _listed(given)
    try:
        device = int(given.__dlpack_device__()[0])
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise _untaken(given, error) from None
    if device not in _HOST_DEVICES:
        raise ArrayMistake(
            f"An array must lie in this machine's memory; one on a device of DLPack kind {device}"
            " was given.",
            subject=device,
            hint="Copy it first, as with .cpu().",
        )
    try:
        capsule = given.__dlpack__()
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise _untaken(given, error) from None
    return _read(capsule, given)


def _untaken(given: object, error: Exception) -> ArrayMistake:
    reason = str(error).split("\n")[0].rstrip(".")
    return ArrayMistake(
        f"An array could not be taken through DLPack: {reason}.", subject=type(given).__name__
    )


def _listed(given: npt.ArrayLike) -> Array:
    try:
        return np.asarray(given)
    except ValueError:
        raise ArrayMistake(
            "Rows of an array must have one length; lists of different lengths were given.",
            subject=type(given).__name__,
        ) from None


def _read(capsule: object, given: SupportsDLPack) -> Array:
    tensor = cast(_pointer(capsule, _CAPSULE), POINTER(_Tensor)).contents
    code, bits, lanes = (int(getattr(tensor.type, name)) for name in ("code", "bits", "lanes"))
    kind = _EXTENSION_TYPES.get((code, bits)) if lanes == 1 else None
    if kind is None and code in _KNOWN_TO_NUMPY and code != _BFLOAT:
        return np.from_dlpack(given)
    if kind is None:
        raise ArrayMistake(
            f"An array must have a type of NumPy or ml_dtypes; one of DLPack's type code {code}"
            f" with {bits} bits and {lanes} numbers an element was given.",
            subject=code,
            hint="Give packed numbers as one code a byte.",
        )
    shape = tuple(tensor.shape[axis] for axis in range(tensor.axes))
    if not all(shape):
        return np.empty(shape, dtype=kind)
    width = bits // 8
    strides = None
    if tensor.strides:
        strides = tuple(tensor.strides[axis] * width for axis in range(tensor.axes))
    memory = _Memory(
        capsule,
        {
            "version": 3,
            "shape": shape,
            "typestr": np.dtype(f"u{width}").str,
            "data": (tensor.data + tensor.byte_offset, True),
            "strides": strides,
        },
    )
    return np.asarray(memory).view(kind)


_pointer = pythonapi.PyCapsule_GetPointer
_pointer.restype = c_void_p
_pointer.argtypes = (py_object, c_char_p)
