"""Copies and fills, checked against the allocations that they touch."""

import ctypes

from wavemma.hip.calls.places import put_pointer
from wavemma.hip.declarations import enumerators
from wavemma.hip.host import Host, Image
from wavemma.hip.interface import answers
from wavemma.machine.load import Variable


def copy(host: Host, target: int, source: int, size: int, kind: int) -> str | None:
    """Copy bytes; addresses that the kind calls the device's must be allocated there."""
    if size == 0:
        return None
    numbers = enumerators()
    to_device = kind in (numbers["hipMemcpyHostToDevice"], numbers["hipMemcpyDeviceToDevice"])
    from_device = kind in (numbers["hipMemcpyDeviceToHost"], numbers["hipMemcpyDeviceToDevice"])
    if kind not in range(numbers["hipMemcpyDefault"] + 1):
        return "hipErrorInvalidMemcpyDirection"
    if not _is_held(host, target, size, to_device) or not _is_held(host, source, size, from_device):
        return "hipErrorInvalidValue"
    ctypes.memmove(target, source, size)
    return None


def _is_held(host: Host, address: int, size: int, must_be_device: bool) -> bool:
    """Check that an address of the device, or one that must be, is allocated to its end."""
    if address and not must_be_device and not host.is_device_memory(address):
        return True
    found = host.memory.find(address) if address else None
    if found is not None and address + size <= found.address + found.size_bytes:
        return True
    where = host.memory.describe(address) if address else "it is a null pointer"
    host.complain(f"A copy or fill of {size:,} bytes at 0x{address:x} is refused: {where}.")
    return False


@answers("hipMemcpy", "hipMemcpyAsync", "hipMemcpyWithStream")
def memcpy(host: Host, target: int, source: int, size: int, kind: int, *_stream: int) -> str | None:
    """Copy bytes."""
    return copy(host, target, source, size, kind)


@answers("hipMemcpyHtoD", "hipMemcpyHtoDAsync")
def memcpy_to_device(host: Host, target: int, source: int, size: int, *_stream: int) -> str | None:
    """Copy bytes to the device."""
    return copy(host, target, source, size, enumerators()["hipMemcpyHostToDevice"])


@answers("hipMemcpyDtoH", "hipMemcpyDtoHAsync")
def memcpy_to_host(host: Host, target: int, source: int, size: int, *_stream: int) -> str | None:
    """Copy bytes from the device."""
    return copy(host, target, source, size, enumerators()["hipMemcpyDeviceToHost"])


@answers("hipMemcpyDtoD", "hipMemcpyDtoDAsync")
def memcpy_on_device(host: Host, target: int, source: int, size: int, *_stream: int) -> str | None:
    """Copy bytes on the device."""
    return copy(host, target, source, size, enumerators()["hipMemcpyDeviceToDevice"])


@answers("hipMemcpyPeer", "hipMemcpyPeerAsync")
def memcpy_peer(
    host: Host, target: int, _to: int, source: int, _of: int, size: int, *_stream: int
) -> str | None:
    """Copy bytes on the one device that there is."""
    if _to or _of:
        return "hipErrorInvalidDevice"
    return copy(host, target, source, size, enumerators()["hipMemcpyDeviceToDevice"])


@answers("hipMemcpy2D", "hipMemcpy2DAsync")
def memcpy_2d(
    host: Host,
    target: int,
    target_pitch: int,
    source: int,
    source_pitch: int,
    width: int,
    height: int,
    kind: int,
    *_stream: int,
) -> str | None:
    """Copy rows."""
    if width > min(target_pitch, source_pitch):
        return "hipErrorInvalidPitchValue"
    for row in range(height):
        at = (target + row * target_pitch, source + row * source_pitch)
        error = copy(host, *at, width, kind)
        if error:
            return error
    return None


def fill(host: Host, target: int, word: bytes, count: int) -> str | None:
    """Write one number many times."""
    size = count * len(word)
    if size == 0:
        return None
    if not _is_held(host, target, size, True):
        return "hipErrorInvalidValue"
    if len(word) == 1:
        ctypes.memset(target, word[0], size)
    else:
        ctypes.memmove(target, word * count, size)
    return None


@answers("hipMemset", "hipMemsetAsync", "hipMemsetD8", "hipMemsetD8Async")
def memset(host: Host, target: int, value: int, count: int, *_stream: int) -> str | None:
    """Write one byte many times."""
    return fill(host, target, (value & 0xFF).to_bytes(1, "little"), count)


@answers("hipMemsetD16", "hipMemsetD16Async")
def memset_16(host: Host, target: int, value: int, count: int, *_stream: int) -> str | None:
    """Write two bytes many times."""
    return fill(host, target, (value & 0xFFFF).to_bytes(2, "little"), count)


@answers("hipMemsetD32", "hipMemsetD32Async")
def memset_32(host: Host, target: int, value: int, count: int, *_stream: int) -> str | None:
    """Write four bytes many times."""
    return fill(host, target, (value & 0xFFFFFFFF).to_bytes(4, "little"), count)


@answers("hipMemset2D", "hipMemset2DAsync")
def memset_2d(
    host: Host, target: int, pitch: int, value: int, width: int, height: int, *_stream: int
) -> str | None:
    """Write one byte many times, row by row."""
    if width > pitch:
        return "hipErrorInvalidPitchValue"
    for row in range(height):
        error = fill(host, target + row * pitch, (value & 0xFF).to_bytes(1, "little"), width)
        if error:
            return error
    return None


@answers("hipGetSymbolAddress")
def symbol_address(host: Host, pointer: int, symbol: int) -> str | None:
    """Tell where a device variable lies."""
    found = _variable(host, symbol)
    if found is None:
        return "hipErrorInvalidSymbol"
    put_pointer(pointer, found.address)
    return None


@answers("hipGetSymbolSize")
def symbol_size(host: Host, size: int, symbol: int) -> str | None:
    """Tell how large a device variable is."""
    found = _variable(host, symbol)
    if found is None:
        return "hipErrorInvalidSymbol"
    put_pointer(size, found.size_bytes)
    return None


@answers("hipMemcpyToSymbol", "hipMemcpyToSymbolAsync")
def memcpy_to_symbol(
    host: Host, symbol: int, source: int, size: int, offset: int, _kind: int, *_stream: int
) -> str | None:
    """Copy bytes into a device variable."""
    found = _variable(host, symbol)
    if found is None:
        return "hipErrorInvalidSymbol"
    if offset + size > found.size_bytes:
        return "hipErrorInvalidValue"
    kind = enumerators()["hipMemcpyDefault"]
    return copy(host, found.address + offset, source, size, kind)


@answers("hipMemcpyFromSymbol", "hipMemcpyFromSymbolAsync")
def memcpy_from_symbol(
    host: Host, target: int, symbol: int, size: int, offset: int, _kind: int, *_stream: int
) -> str | None:
    """Copy bytes out of a device variable."""
    found = _variable(host, symbol)
    if found is None:
        return "hipErrorInvalidSymbol"
    if offset + size > found.size_bytes:
        return "hipErrorInvalidValue"
    kind = enumerators()["hipMemcpyDefault"]
    return copy(host, target, found.address + offset, size, kind)


def _variable(host: Host, symbol: int) -> Variable | None:
    """Find the device variable of a host variable; of a managed one its memory."""
    found: tuple[Image, str] | None = host.variables.get(symbol)
    if found is None:
        return None
    image, name = found
    if name in image.managed:
        held = host.memory.find(image.managed[name])
        return Variable(held.address, held.size_bytes) if held else None
    return image.variable(name)
