"""Arrays of the host as arguments of kernels: copied to the device, and back after the launch."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np

from wavemma.errors import LaunchMistake
from wavemma.formats.dlpack import SupportsDLPack, as_array
from wavemma.formats.dtypes import Array
from wavemma.machine.arguments.values import HasAddress
from wavemma.machine.memory.device_memory import DeviceMemory

Elements: TypeAlias = Mapping[int, "np.dtype[Any] | None"]


@contextmanager
def on_device(
    memory: DeviceMemory, kernel: str, arguments: Sequence[object], pointers: Elements
) -> Iterator[tuple[list[object], Callable[[], None]]]:
    """Lend device memory to the arrays among a kernel's arguments.

    An array that comes twice lies in device memory once. One that may not be written is read-only
    for the kernel, too.

    Args:
        memory: Where copies lie; they are freed at the end.
        kernel: Its name, for messages.
        arguments: As a caller gives them.
        pointers: Which of them are pointers, with the numbers that they lead to: an array
            elsewhere is a structure's bytes.

    Yields:
        The arguments with addresses for arrays, and a function that copies back what may be
        written: to be called when the launch has ended well.

    Raises:
        LaunchMistake: Two arrays overlap and are not the same one, or one has wider numbers than
            the kernel reads.
        MemoryMistake: There is no room.

    """
    arrays = {
        place: as_array(each)  # type: ignore[arg-type]
        for place, each in enumerate(arguments)
        if place in pointers and _is_array(each)
    }
    for place, array in arrays.items():
        check_numbers(kernel, place, array, pointers[place])
    distinct = _distinct(kernel, arrays)
    addresses: dict[int, int] = {}
    try:
        for place in sorted(set(distinct.values())):
            addresses[place] = _copied(memory, arrays[place], f"argument {place} of {kernel}")
        values = [
            addresses[distinct[place]] if place in distinct else each
            for place, each in enumerate(arguments)
        ]
        yield values, lambda: _copy_back(memory, arrays, addresses)
    finally:
        for address in addresses.values():
            memory.free(address)


def check_numbers(kernel: str, place: int, array: Array, element: np.dtype[Any] | None) -> None:
    """Refuse numbers of the same kind that are wider: their bits would be read as others.

    Narrower ones may be packed, and those of another kind are bits.

    Args:
        kernel: Its name.
        place: Of the argument.
        array: What is given.
        element: What the kernel reads there; None where that is not known.

    Raises:
        LaunchMistake: They are.

    """
    if element is None or array.dtype.itemsize <= element.itemsize:
        return
    if _kind(array.dtype) == _kind(element):
        raise LaunchMistake(
            f"Argument {place} of {kernel} must be an array of {element} or of narrower numbers;"
            f" got {array.dtype}.",
            subject=str(array.dtype),
            hint=f"x.astype('{element}') converts it; x.view('{element}') gives its bits.",
        )


def _kind(number: np.dtype[Any]) -> str:
    return "i" if number.kind == "u" else number.kind


def _is_array(value: object) -> bool:
    if isinstance(value, HasAddress | np.generic):
        return False
    return isinstance(value, np.ndarray | SupportsDLPack)


def _distinct(kernel: str, arrays: dict[int, Array]) -> dict[int, int]:
    """Give for each array the place of the first argument that is the same one."""
    found: dict[int, int] = {}
    for place, array in arrays.items():
        for first in sorted(set(found.values())):
            if _is_same(arrays[first], array):
                found[place] = first
                break
            if np.may_share_memory(arrays[first], array) and np.shares_memory(arrays[first], array):
                raise LaunchMistake(
                    f"Arrays that {kernel} gets must be apart or the same one; arguments {first}"
                    f" and {place} overlap.",
                    subject=place,
                    hint="Put the whole into wavemma.device_array, and give addresses in it.",
                )
        found.setdefault(place, place)
    return found


def _is_same(one: Array, other: Array) -> bool:
    return one.__array_interface__ == other.__array_interface__


def _copied(memory: DeviceMemory, array: Array, name: str) -> int:
    writable = bool(array.flags.writeable)
    address = memory.allocate(max(array.nbytes, 1), name, writable=writable)
    memory.array(address, array.dtype, array.shape)[...] = array
    return address


def _copy_back(memory: DeviceMemory, arrays: dict[int, Array], addresses: dict[int, int]) -> None:
    for place, address in addresses.items():
        array = arrays[place]
        if array.flags.writeable:
            array[...] = memory.array(address, array.dtype, array.shape)
