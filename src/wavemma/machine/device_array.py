"""Arrays in device memory, which kernels and NumPy both see."""

import weakref
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from wavemma.errors import MemoryMistake
from wavemma.formats.dlpack import as_array
from wavemma.formats.dtypes import Array
from wavemma.machine.memory.device_memory import DeviceMemory
from wavemma.machine.shared_device import shared_memory


class DeviceArray:
    """An array in device memory: an argument of kernels that is not copied at each launch.

    Device addresses are host addresses, so `numpy` is a view: what either side writes, the other
    sees at once. Its memory is given back by `free`, at the end of a `with` block, or with the
    last reference to it; views keep it.

    Args:
        values: What it holds at first.
        memory: Where it lies.
        writable: Whether kernels may write it.

    """

    def __init__(self, values: Array, memory: DeviceMemory, *, writable: bool = True) -> None:
        self.dtype, self.shape = values.dtype, values.shape
        self.nbytes = values.nbytes
        self._memory = memory
        # The table of allocations has none of 0 bytes.
        self.address = memory.allocate(max(values.nbytes, 1), "a device array", writable=writable)
        self._given_back = weakref.finalize(self, _free, memory, self.address)
        self.numpy()[...] = values

    def numpy(self) -> Array:
        """Give it as a NumPy array; no copy.

        Raises:
            MemoryMistake: It was freed.

        """
        if not self._given_back.alive:
            raise MemoryMistake(
                "A device array must be read before it is freed; this one was freed.",
                subject=self.address,
            )
        view: Array = self._memory.array(self.address, self.dtype, self.shape).view(_View)
        # A view outlives the name of its array: it holds what it looks at.
        view.held = self  # type: ignore[attr-defined]
        return view

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Array:
        """Let NumPy's functions take it."""
        found = np.asarray(self.numpy())
        if dtype is not None and np.dtype(dtype) != found.dtype:
            return found.astype(dtype)
        return found.copy() if copy else found

    def __repr__(self) -> str:
        where = f"at 0x{self.address:x}" if self._given_back.alive else "freed"
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype}, {where})"

    def free(self) -> None:
        """Give its memory back; kernels that still use it are told so."""
        self._given_back()

    def __enter__(self) -> Self:
        """Use it in a with statement, which frees it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Free it."""
        self.free()


class _View(np.ndarray[Any, np.dtype[Any]]):
    """A view that holds the device array that it looks at; what is computed of it holds nothing."""

    held: DeviceArray | None = None


def _free(memory: DeviceMemory, address: int) -> None:
    # Closed memory has been given back already.
    with suppress(MemoryMistake):
        memory.free(address)


def device_array(
    values: npt.ArrayLike,
    dtype: npt.DTypeLike | None = None,
    *,
    memory: DeviceMemory | None = None,
    writable: bool = True,
) -> DeviceArray:
    """Copy an array into device memory, where kernels of every target reach it.

    Args:
        values: Numbers of any shape: NumPy, ml_dtypes, lists, anything with DLPack.
        dtype: NumPy type of its elements; that of the values if None.
        memory: Where to put it: `Device.memory` of a device of one's own; None for the memory of
            the devices that `load` and `compile` use.
        writable: Whether kernels may write it.

    Raises:
        MemoryMistake: There is no room, or its elements are no numbers.
        ArrayMistake: It lies in another device's memory, or has a type that NumPy and ml_dtypes
            have not.

    """
    array = as_array(values)
    if dtype is not None:
        array = array.astype(dtype)
    return DeviceArray(array, memory or shared_memory(), writable=writable)
