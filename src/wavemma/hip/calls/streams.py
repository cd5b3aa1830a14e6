"""Streams: their work is done, in order, when the call that gives it returns."""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass

from wavemma.hip.calls.copies import fill
from wavemma.hip.calls.events import Event
from wavemma.hip.calls.places import bytes_at, put_int, put_pointer
from wavemma.hip.host import Host
from wavemma.hip.interface import answers, works

# The null stream, the legacy stream and the stream of each thread need no making.
_BUILT_IN = (0, 1, 2)
_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


_WAITS: dict[int, Callable[[int, int, int], bool]] = {
    0: lambda held, value, mask: (held - value) & mask <= mask >> 1,
    1: lambda held, value, mask: held == value & mask,
    2: lambda held, value, mask: held & value != 0,
    3: lambda held, value, mask: ~(held | value) & mask != 0,
}
"""Whether a number is what is waited for, by the flag of a call: not below (in a circle), equal,
some bit of both, some bit of neither."""


@dataclass
class Stream:
    """A stream."""

    flags: int = 0
    priority: int = 0


@answers("hipStreamCreate")
def create(host: Host, stream: int) -> str | None:
    """Make a stream."""
    return _made(host, stream, Stream())


@answers("hipStreamCreateWithFlags")
def create_with_flags(host: Host, stream: int, flags: int) -> str | None:
    """Make a stream."""
    return _made(host, stream, Stream(flags))


@answers("hipStreamCreateWithPriority")
def create_with_priority(host: Host, stream: int, flags: int, priority: int) -> str | None:
    """Make a stream."""
    return _made(host, stream, Stream(flags, priority))


@answers("hipExtStreamCreateWithCUMask")
def create_with_mask(host: Host, stream: int, _words: int, _mask: int) -> str | None:
    """Make a stream; which units it may use changes no result."""
    return _made(host, stream, Stream())


@answers("hipStreamDestroy")
def destroy(host: Host, stream: int) -> str | None:
    """Forget a stream."""
    if not isinstance(host.handles.get(stream), Stream):
        return "hipErrorInvalidHandle"
    del host.handles[stream]
    return None


@answers("hipStreamQuery", "hipStreamSynchronize")
def synchronize(host: Host, stream: int) -> str | None:
    """Check the stream: its work is done, unless it is being captured."""
    if stream in host.captures:
        host.captures[stream].is_valid = False
        return "hipErrorStreamCaptureUnsupported"
    return None if stream_of(host, stream) else "hipErrorInvalidHandle"


@answers("hipStreamWaitEvent")
def wait_event(host: Host, stream: int, event: int, _flags: int) -> str | None:
    """Let a stream join the capture that recorded an event; else what it waits for is done."""
    found = host.handles.get(event)
    if stream_of(host, stream) is None or not isinstance(found, Event):
        return "hipErrorInvalidHandle"
    if found.captured is None:
        return None
    capture, nodes = found.captured
    if host.captures.setdefault(stream, capture) is not capture:
        return "hipErrorStreamCaptureMerge"
    capture.join(stream, nodes)
    return None


@answers("hipStreamGetFlags")
def get_flags(host: Host, stream: int, flags: int) -> str | None:
    """Tell the flags that a stream was made with."""
    found = stream_of(host, stream)
    if found is None:
        return "hipErrorInvalidHandle"
    put_int(flags, found.flags)
    return None


@answers("hipStreamGetPriority")
def get_priority(host: Host, stream: int, priority: int) -> str | None:
    """Tell the priority that a stream was made with."""
    found = stream_of(host, stream)
    if found is None:
        return "hipErrorInvalidHandle"
    put_int(priority, found.priority)
    return None


@answers("hipStreamGetDevice")
def get_device(host: Host, stream: int, device: int) -> str | None:
    """Tell the device of a stream."""
    if stream_of(host, stream) is None:
        return "hipErrorInvalidHandle"
    put_int(device, 0)
    return None


@answers("hipDeviceGetStreamPriorityRange")
def priority_range(_host: Host, least: int, greatest: int) -> None:
    """Tell the priorities that there are."""
    for place, value in ((least, 1), (greatest, -1)):
        if place:
            put_int(place, value)


@works("Host", "hipStreamAddCallback")
def add_callback(host: Host, stream: int, function: int, data: int, _flags: int) -> str | None:
    """Call back: what was put on the stream before is done."""
    if stream_of(host, stream) is None:
        return "hipErrorInvalidHandle"
    _CALLBACK(function)(stream, 0, data)
    return None


@works("Host", "hipLaunchHostFunc")
def launch_host_function(host: Host, stream: int, function: int, data: int) -> str | None:
    """Call a function: what was put on the stream before is done."""
    if stream_of(host, stream) is None:
        return "hipErrorInvalidHandle"
    _FUNCTION(function)(data)
    return None


@works("Memset", "hipStreamWriteValue32")
def write_value(host: Host, _stream: int, pointer: int, value: int, _flags: int) -> str | None:
    """Write a number of 32 bits."""
    return fill(host, pointer, value.to_bytes(4, "little"), 1)


@works("Memset", "hipStreamWriteValue64")
def write_wide_value(host: Host, _stream: int, pointer: int, value: int, _flags: int) -> str | None:
    """Write a number of 64 bits."""
    return fill(host, pointer, value.to_bytes(8, "little"), 1)


@works("Empty", "hipStreamWaitValue32")
def wait_value(
    host: Host, _stream: int, pointer: int, value: int, how: int, mask: int
) -> str | None:
    """Check that a number of 32 bits is what a stream waits for."""
    return _waited(host, bytes_at(pointer, 4), value, how, mask)


@works("Empty", "hipStreamWaitValue64")
def wait_wide_value(
    host: Host, _stream: int, pointer: int, value: int, how: int, mask: int
) -> str | None:
    """Check that a number of 64 bits is what a stream waits for."""
    return _waited(host, bytes_at(pointer, 8), value, how, mask)


def _waited(host: Host, data: bytes, value: int, how: int, mask: int) -> str | None:
    """Check a number: whatever would write it is done."""
    held = int.from_bytes(data, "little") & mask
    if how not in _WAITS:
        return "hipErrorInvalidValue"
    if _WAITS[how](held, value, mask):
        return None
    host.complain(
        f"A stream waits for a number that is 0x{held:x}: work is done when a call returns, so"
        " that it must have been written before."
    )
    return "hipErrorNotSupported"


def _made(host: Host, place: int, stream: Stream) -> str | None:
    if not place:
        return "hipErrorInvalidValue"
    put_pointer(place, host.new_handle(stream))
    return None


def stream_of(host: Host, handle: int) -> Stream | None:
    """Find a stream by its handle, the built-in ones too."""
    if handle in _BUILT_IN:
        return Stream()
    found = host.handles.get(handle)
    return found if isinstance(found, Stream) else None
