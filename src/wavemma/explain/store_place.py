"""One store of one lane: by which instruction, where, and the number that it puts there."""

import msgspec
import numpy as np

from wavemma.explain.codes import number_text
from wavemma.explain.kernel_call import KernelPlace
from wavemma.formats.dtypes import Array
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import text_any
from wavemma.machine.geometry import sizes
from wavemma.objects import Placed, SourceLine

_REST = np.dtype(np.uint8)


class StorePlace(msgspec.Struct, frozen=True, kw_only=True):
    """A store.

    Attributes:
        instruction: Its text.
        code_address: Of the instruction in the code object's image.
        function: Around it, "" if there is none.
        line: Of the source, if the compiler noted it (-g).
        group: Number of the workgroup along x, y and z.
        wave: Number in the workgroup.
        lane: That stores.
        address: Where it stores, in device memory.
        size_bytes: How many bytes.
        argument: Position of the array that it stores into; None if that is no argument.
        output: What that array is written to, if it is.
        index: Of the number in the array; none if it is no argument.
        type: Of the number; bytes where a store does not cover one of the array's.
        bits: The number as hexadecimal digits, the high one first.
        number: In words.

    """

    instruction: str
    code_address: int
    function: str
    line: SourceLine | None
    group: tuple[int, int, int]
    wave: int
    lane: int
    address: int
    size_bytes: int
    argument: int | None
    output: str | None
    index: tuple[int, ...]
    type: str
    bits: str
    number: str


def store_place(place: KernelPlace, store: np.void, byte: int) -> StorePlace:
    """Say everything about a store.

    Args:
        place: The device that it was done on.
        store: A record of `machine.instrument`.
        byte: Which byte of it the number must hold.

    """
    address, size = int(store["address"]), int(store["size_bytes"])
    argument = _argument(place, address + byte)
    view = place.views[argument] if argument is not None else None
    data = store["words"].tobytes()[:size]
    kind, element, content = _number(view, address, data, byte)
    shape = () if view is None else view.shape
    code_address = place.listing[0].address + int(store["offset"])
    placed = next(each for each in place.listing if each.address == code_address)
    x, y, _ = sizes(place.call.grid, "grid")
    group = int(store["group"])
    return StorePlace(
        instruction=_text(placed),
        code_address=code_address,
        function=placed.function,
        line=place.module.found.debug.line(code_address),
        group=(group % x, group // x % y, group // (x * y)),
        wave=int(store["wave"]),
        lane=int(store["lane"]),
        address=address,
        size_bytes=size,
        argument=argument,
        output=None if argument is None else place.call.given[argument].output,
        index=tuple(map(int, np.unravel_index(element, shape))) if shape else (),
        type=str(kind),
        bits=content[::-1].hex(),
        number=_words(content, kind),
    )


def _text(placed: Placed) -> str:
    found = placed.instruction
    return "" if isinstance(found, Undecoded) else text_any(found)


def _argument(place: KernelPlace, address: int) -> int | None:
    """Find the array that has an address."""
    for number, view in enumerate(place.views):
        if view is not None and 0 <= address - int(view.ctypes.data) < view.nbytes:
            return number
    return None


def _number(
    view: Array | None, address: int, data: bytes, byte: int
) -> tuple["np.dtype[np.generic]", int, bytes]:
    """Give type, flat index and bytes of the number around a byte of a store."""
    if view is None:
        return _REST, 0, data
    size = view.dtype.itemsize
    element, _ = divmod(address + byte - int(view.ctypes.data), size)
    first = int(view.ctypes.data) + element * size - address
    if first < 0 or first + size > len(data):
        return _REST, element, data
    return view.dtype, element, data[first : first + size]


def _words(content: bytes, kind: "np.dtype[np.generic]") -> str:
    """Write a number."""
    if kind == _REST:
        return ""
    (number,) = np.frombuffer(content, dtype=kind)
    if kind.kind in "iub":
        return str(int(number))
    return str(number) if kind.kind == "c" else number_text(float(number))
