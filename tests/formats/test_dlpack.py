"""Arrays through DLPack: a producer made from NumPy's own capsules, other types written in."""

import gc
from ctypes import c_char_p, c_uint8, c_uint16, c_void_p, py_object, pythonapi
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from wavemma.errors import ArrayMistake
from wavemma.formats.dlpack import as_array

# Bytes before the type in DLTensor: the pointer, the device's two words, the axes.
TYPE = 8 + 2 * 4 + 4
pythonapi.PyCapsule_GetPointer.restype = c_void_p
pythonapi.PyCapsule_GetPointer.argtypes = (py_object, c_char_p)


class Producer:
    """Lends the memory of an array under another type code, or another device."""

    def __init__(self, array: Any, code: int | None = None, lanes: int = 1, kind: int = 1) -> None:
        self.array, self.code, self.lanes, self.kind = array, code, lanes, kind
        self.lent = 0

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.kind, 0

    def __dlpack__(self, **options: Any) -> Any:
        self.lent += 1
        capsule = self.array.__dlpack__()
        place = pythonapi.PyCapsule_GetPointer(capsule, b"dltensor") + TYPE
        if self.code is not None:
            c_uint8.from_address(place).value = self.code
            c_uint16.from_address(place + 2).value = self.lanes
        return capsule


# The codes of dlpack.h 1.1.
CODES = [
    (4, np.uint16, ml_dtypes.bfloat16),
    (10, np.uint8, ml_dtypes.float8_e4m3fn),
    (11, np.uint8, ml_dtypes.float8_e4m3fnuz),
    (12, np.uint8, ml_dtypes.float8_e5m2),
    (13, np.uint8, ml_dtypes.float8_e5m2fnuz),
    (14, np.uint8, ml_dtypes.float8_e8m0fnu),
]


@pytest.mark.parametrize(("code", "raw", "kind"), CODES)
def test_types_that_numpy_has_not(code: int, raw: Any, kind: Any) -> None:
    bits = np.arange(24, dtype=raw).reshape(4, 6)
    for view in (bits, bits.T, bits[1::2, ::3], bits[:0], bits[2]):
        got = as_array(Producer(view, code))
        assert got.dtype == kind
        assert np.array_equal(got.view(raw), view)
        assert not got.size or np.shares_memory(got.view(raw), bits)


def test_the_memory_outlives_its_owner() -> None:
    got = as_array(Producer(np.full(1 << 20, 0x3F80, np.uint16), 4))
    gc.collect()
    others = [np.zeros(1 << 20, np.uint16) for _ in range(4)]
    assert (got == 1).all()
    assert len(others) == 4


def test_numpys_own_types_go_its_own_way() -> None:
    numbers = np.arange(6, dtype=np.float16)
    got = as_array(Producer(numbers))
    assert got.dtype == np.float16
    assert np.array_equal(got, numbers)
    assert as_array([1, 2]).tolist() == [1, 2]


def test_what_cannot_be_taken_is_told() -> None:
    bits = np.zeros((2, 2), np.uint8)
    with pytest.raises(ArrayMistake, match=r"lie in this machine's memory.*kind 2 was given"):
        as_array(Producer(bits, kind=2))
    with pytest.raises(ArrayMistake, match="type code 17 with 8 bits and 2 numbers an element"):
        as_array(Producer(bits, 17, lanes=2))
    with pytest.raises(ArrayMistake, match="type code 200 with 8 bits"):
        as_array(Producer(bits, 200))
    fixed = np.zeros(2, np.dtype("i2,i2"))
    with pytest.raises(ArrayMistake, match=r"could not be taken through DLPack: .*"):
        as_array(Producer(fixed))


def test_lists_of_different_lengths_are_refused() -> None:
    assert as_array([[1, 2], [3, 4]]).shape == (2, 2)
    with pytest.raises(ArrayMistake, match="Rows of an array must have one length"):
        as_array([[1, 2], [3]])


def test_an_array_without_memory_is_refused() -> None:
    class Nowhere:
        def __dlpack__(self, *, stream: None = None) -> Any:
            raise AssertionError("it has said that it lies nowhere")

        def __dlpack_device__(self) -> tuple[int, int]:
            raise ValueError("Unknown device type meta for Dlpack")

    with pytest.raises(ArrayMistake, match="through DLPack: Unknown device type meta"):
        as_array(Nowhere())  # type: ignore[arg-type]
