"""Copies and fills, checked against the allocations that they touch."""

import ctypes
from functools import partial

from wavemma.hip.declarations import enumerators
from wavemma.hip.host import Host
from wavemma.hip.interface import answers, works


def copy(host: Host, target: int, source: int, size: int, kind: int) -> str | None:
    """Copy bytes; addresses that the kind calls the device's must be allocated there."""
    if size == 0:
        return None
    numbers = enumerators()
    to_device = kind in (numbers["hipMemcpyHostToDevice"], numbers["hipMemcpyDeviceToDevice"])
    from_device = kind in (numbers["hipMemcpyDeviceToHost"], numbers["hipMemcpyDeviceToDevice"])
    if kind not in range(numbers["hipMemcpyDefault"] + 1):
        return "hipErrorInvalidMemcpyDirection"
    target, source = host.registered.home(target), host.registered.home(source)
    if not _is_held(host, target, size, to_device) or not _is_held(host, source, size, from_device):
        return "hipErrorInvalidValue"
    ctypes.memmove(target, source, size)
    return None


def _is_held(host: Host, address: int, size: int, must_be_device: bool) -> bool:
    """Check that an address of the device, or one that must be, is allocated to its end."""
    plain = not must_be_device or host.registered.holds(address, size)
    if address and plain and not host.is_device_memory(address):
        return True
    found = host.memory.find(address) if address else None
    if found is not None and address + size <= found.address + found.size_bytes:
        return True
    where = host.memory.describe(address) if address else "it is a null pointer"
    host.complain(f"A copy or fill of {size:,} bytes at 0x{address:x} is refused: {where}.")
    return False


@answers("hipMemcpyWithStream")
def memcpy_with_stream(
    host: Host, target: int, source: int, size: int, kind: int, stream: int
) -> str | None:
    """Copy bytes behind the work of a stream, and wait for that."""
    work = partial(copy, host, target, source, size, kind)
    return host.put(stream, "Memcpy", work) or host.settle(stream)


@works("Memcpy", "hipMemcpy", "hipMemcpyAsync")
def memcpy(host: Host, target: int, source: int, size: int, kind: int, *_stream: int) -> str | None:
    """Copy bytes."""
    return copy(host, target, source, size, kind)


@works("Memcpy", "hipMemcpyHtoD", "hipMemcpyHtoDAsync")
def memcpy_to_device(host: Host, target: int, source: int, size: int, *_stream: int) -> str | None:
    """Copy bytes to the device."""
    return copy(host, target, source, size, enumerators()["hipMemcpyHostToDevice"])


@works("Memcpy", "hipMemcpyDtoH", "hipMemcpyDtoHAsync")
def memcpy_to_host(host: Host, target: int, source: int, size: int, *_stream: int) -> str | None:
    """Copy bytes from the device."""
    return copy(host, target, source, size, enumerators()["hipMemcpyDeviceToHost"])


@works("Memcpy", "hipMemcpyDtoD", "hipMemcpyDtoDAsync")
def memcpy_on_device(host: Host, target: int, source: int, size: int, *_stream: int) -> str | None:
    """Copy bytes on the device."""
    return copy(host, target, source, size, enumerators()["hipMemcpyDeviceToDevice"])


@works("Memcpy", "hipMemcpyPeer", "hipMemcpyPeerAsync")
def memcpy_peer(
    host: Host, target: int, _to: int, source: int, _of: int, size: int, *_stream: int
) -> str | None:
    """Copy bytes on the one device that there is."""
    if _to or _of:
        return "hipErrorInvalidDevice"
    return copy(host, target, source, size, enumerators()["hipMemcpyDeviceToDevice"])


@works("Memcpy", "hipMemcpy2D", "hipMemcpy2DAsync")
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
    target = host.registered.home(target)
    if not _is_held(host, target, size, True):
        return "hipErrorInvalidValue"
    if len(word) == 1:
        ctypes.memset(target, word[0], size)
    else:
        ctypes.memmove(target, word * count, size)
    return None


@works("Memset", "hipMemset", "hipMemsetAsync", "hipMemsetD8", "hipMemsetD8Async")
def memset(host: Host, target: int, value: int, count: int, *_stream: int) -> str | None:
    """Write one byte many times."""
    return fill(host, target, (value & 0xFF).to_bytes(1, "little"), count)


@works("Memset", "hipMemsetD16", "hipMemsetD16Async")
def memset_16(host: Host, target: int, value: int, count: int, *_stream: int) -> str | None:
    """Write two bytes many times."""
    return fill(host, target, (value & 0xFFFF).to_bytes(2, "little"), count)


@works("Memset", "hipMemsetD32", "hipMemsetD32Async")
def memset_32(host: Host, target: int, value: int, count: int, *_stream: int) -> str | None:
    """Write four bytes many times."""
    return fill(host, target, (value & 0xFFFFFFFF).to_bytes(4, "little"), count)


@works("Memset", "hipMemset2D", "hipMemset2DAsync")
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
