"""Streams: their work is done, in order, when the call that gives it returns."""

import ctypes
from dataclasses import dataclass

from wavemma.hip.calls.places import put_int, put_pointer
from wavemma.hip.host import Host
from wavemma.hip.interface import answers

# The null stream, the legacy stream and the stream of each thread need no making.
_BUILT_IN = (0, 1, 2)
_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


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


@answers("hipStreamQuery", "hipStreamSynchronize", "hipStreamWaitEvent")
def synchronize(host: Host, stream: int, *_others: int) -> str | None:
    """Check the stream: its work is done."""
    return None if _found(host, stream) else "hipErrorInvalidHandle"


@answers("hipStreamGetFlags")
def get_flags(host: Host, stream: int, flags: int) -> str | None:
    """Tell the flags that a stream was made with."""
    found = _found(host, stream)
    if found is None:
        return "hipErrorInvalidHandle"
    put_int(flags, found.flags)
    return None


@answers("hipStreamGetPriority")
def get_priority(host: Host, stream: int, priority: int) -> str | None:
    """Tell the priority that a stream was made with."""
    found = _found(host, stream)
    if found is None:
        return "hipErrorInvalidHandle"
    put_int(priority, found.priority)
    return None


@answers("hipStreamGetDevice")
def get_device(host: Host, stream: int, device: int) -> str | None:
    """Tell the device of a stream."""
    if _found(host, stream) is None:
        return "hipErrorInvalidHandle"
    put_int(device, 0)
    return None


@answers("hipDeviceGetStreamPriorityRange")
def priority_range(_host: Host, least: int, greatest: int) -> None:
    """Tell the priorities that there are."""
    for place, value in ((least, 1), (greatest, -1)):
        if place:
            put_int(place, value)


@answers("hipStreamAddCallback")
def add_callback(host: Host, stream: int, function: int, data: int, _flags: int) -> str | None:
    """Call back at once: the stream has no work left."""
    if _found(host, stream) is None:
        return "hipErrorInvalidHandle"
    _CALLBACK(function)(stream, 0, data)
    return None


@answers("hipLaunchHostFunc")
def launch_host_function(host: Host, stream: int, function: int, data: int) -> str | None:
    """Call a function at once: the stream has no work left."""
    if _found(host, stream) is None:
        return "hipErrorInvalidHandle"
    _FUNCTION(function)(data)
    return None


def _made(host: Host, place: int, stream: Stream) -> str | None:
    if not place:
        return "hipErrorInvalidValue"
    put_pointer(place, host.new_handle(stream))
    return None


def _found(host: Host, handle: int) -> Stream | None:
    if handle in _BUILT_IN:
        return Stream()
    found = host.handles.get(handle)
    return found if isinstance(found, Stream) else None
