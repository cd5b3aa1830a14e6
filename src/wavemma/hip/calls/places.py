"""Numbers and text at addresses that the program passes."""

import ctypes

WORD = 8


def put_pointer(address: int, value: int) -> None:
    """Write a pointer or a size."""
    ctypes.c_uint64.from_address(address).value = value


def put_int(address: int, value: int) -> None:
    """Write an int."""
    ctypes.c_int32.from_address(address).value = value


def put_float(address: int, value: float) -> None:
    """Write a float."""
    ctypes.c_float.from_address(address).value = value


def put_text(address: int, text: str, room: int) -> None:
    """Write text and its end, cut to the room that there is."""
    data = text.encode()[: max(room - 1, 0)] + b"\0"
    if room > 0:
        ctypes.memmove(address, data, len(data))


def pointer_at(address: int) -> int:
    """Read a pointer or a size."""
    return ctypes.c_uint64.from_address(address).value


def int_at(address: int) -> int:
    """Read an int."""
    return ctypes.c_int32.from_address(address).value


def text_at(address: int) -> str:
    """Read text."""
    return ctypes.string_at(address).decode(errors="surrogateescape")


def sizes_at(address: int) -> tuple[int, int, int]:
    """Read the three sizes of a grid or a block."""
    x, y, z = (ctypes.c_uint32 * 3).from_address(address)
    return x, y, z


def bytes_at(address: int, size: int) -> bytes:
    """Copy bytes."""
    return ctypes.string_at(address, size)
