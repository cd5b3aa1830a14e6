"""Streams: their work is done when the call that gives it returns, unless they wait."""

import ctypes
from collections.abc import Callable

import msgspec

from wavemma.hip.calls.copies import fill
from wavemma.hip.calls.events import Event
from wavemma.hip.calls.places import bytes_at, put_int, put_pointer
from wavemma.hip.graph import Wait
from wavemma.hip.host import Host
from wavemma.hip.interface import answers, works
from wavemma.hip.waiting import Stream

# The null stream, the legacy stream and the stream of each thread need no making.
_BUILT_IN = (0, 1, 2)
_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Way(msgspec.Struct, frozen=True):
    """A way to compare what is there with what is waited for, under a mask."""

    words: str
    holds: Callable[[int, int, int], bool]


_WAITS = {
    0: _Way("at least", lambda held, value, mask: (held - value) & mask <= mask >> 1),
    1: _Way("equal to", lambda held, value, mask: held == value & mask),
    2: _Way("one with a bit of", lambda held, value, mask: held & value != 0),
    3: _Way("one that lacks a bit with", lambda held, value, mask: ~(held | value) & mask != 0),
}
"""By the flag of a call; "at least" goes in a circle."""


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


@answers("hipStreamSynchronize")
def synchronize(host: Host, stream: int) -> str | None:
    """Wait until the work of a stream is done."""
    return _unasked(host, stream) or host.settle(stream)


@answers("hipStreamQuery")
def query(host: Host, stream: int) -> str | None:
    """Tell whether the work of a stream is done."""
    error = _unasked(host, stream)
    if error or not host.waiting:
        return error
    return "hipErrorNotReady" if host.is_busy(stream) else None


def _unasked(host: Host, stream: int) -> str | None:
    """Give the error of a stream that must not be asked about its work."""
    if stream in host.captures:
        host.captures[stream].is_valid = False
        return "hipErrorStreamCaptureUnsupported"
    return None if stream_of(host, stream) else "hipErrorInvalidHandle"


@answers("hipStreamWaitEvent")
def wait_event(host: Host, stream: int, event: int, _flags: int) -> str | None:
    """Let a stream join the capture that recorded an event, or wait for what is not done."""
    found = host.handles.get(event)
    if stream_of(host, stream) is None or not isinstance(found, Event):
        return "hipErrorInvalidHandle"
    if found.captured is None:
        reason = "an event must be recorded on its stream"
        host.hold(stream, Wait(found.last.is_over, lambda: reason))
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


@answers("hipStreamAttachMemAsync")
def attach_memory(host: Host, stream: int, pointer: int, _size: int, _flags: int) -> str | None:
    """Accept where managed memory is used: both sides reach all of it."""
    if stream_of(host, stream) is None:
        return "hipErrorInvalidHandle"
    return None if host.memory.find(pointer) else "hipErrorInvalidValue"


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


@answers("hipStreamWaitValue32")
def wait_value(
    host: Host, stream: int, pointer: int, value: int, how: int, mask: int
) -> str | None:
    """Let later work of a stream wait for a number of 32 bits."""
    return _waited(host, stream, _Awaited(pointer, 4, value, how, mask))


@answers("hipStreamWaitValue64")
def wait_wide_value(
    host: Host, stream: int, pointer: int, value: int, how: int, mask: int
) -> str | None:
    """Let later work of a stream wait for a number of 64 bits."""
    return _waited(host, stream, _Awaited(pointer, 8, value, how, mask))


class _Awaited(msgspec.Struct, frozen=True):
    """A number that a stream waits for: where, how many bytes, what, and which bits count."""

    address: int
    size_bytes: int
    value: int
    how: int
    mask: int

    @property
    def held(self) -> int:
        """What is there."""
        return int.from_bytes(bytes_at(self.address, self.size_bytes), "little") & self.mask

    def is_there(self) -> bool:
        """Whether what is there is what is waited for."""
        return _WAITS[self.how].holds(self.held, self.value, self.mask)


def _waited(host: Host, stream: int, awaited: _Awaited) -> str | None:
    if awaited.how not in _WAITS:
        return "hipErrorInvalidValue"
    if stream_of(host, stream) is None:
        return "hipErrorInvalidHandle"

    def reason() -> str:
        bits, where = 8 * awaited.size_bytes, host.memory.describe(awaited.address)
        return (
            f"the number of {bits} bits at 0x{awaited.address:x} must be"
            f" {_WAITS[awaited.how].words} 0x{awaited.value:x} and is 0x{awaited.held:x} ({where})"
        )

    def checked() -> str | None:
        if awaited.is_there():
            return None
        host.complain(f"A graph in a graph waits for what is not there: {reason()}.")
        return "hipErrorNotSupported"

    wait = Wait(awaited.is_there, reason)
    if stream in host.captures:
        host.captures[stream].add(stream, "Empty", checked, wait)
    else:
        host.hold(stream, wait)
    return None


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
