"""Events: points in the time of the device, or of the host if asked for."""

from dataclasses import dataclass, field

from wavemma.hip.calls.places import put_float, put_pointer
from wavemma.hip.graph import Capture, Node
from wavemma.hip.host import Host
from wavemma.hip.interface import answers

_NO_TIMING = 2


@dataclass(eq=False)
class Recording:
    """One time that an event was put on a stream."""

    stream: int
    is_done: bool = False

    def is_over(self) -> bool:
        """Whether the stream has come to it."""
        return self.is_done


@dataclass
class Event:
    """An event.

    Attributes:
        flags: That it was made with.
        seconds: When it was recorded; None until it is.
        last: Its last recording.
        captured: The capture that recorded it last, and what had been put on the stream.

    """

    flags: int
    seconds: float | None = None
    last: Recording = field(default_factory=lambda: Recording(0, True))
    captured: tuple[Capture, list[Node]] | None = None


@answers("hipEventCreate")
def create(host: Host, event: int) -> str | None:
    """Make an event."""
    return create_with_flags(host, event, 0)


@answers("hipEventCreateWithFlags")
def create_with_flags(host: Host, event: int, flags: int) -> str | None:
    """Make an event."""
    if not event:
        return "hipErrorInvalidValue"
    put_pointer(event, host.new_handle(Event(flags)))
    return None


@answers("hipEventRecord", "hipEventRecordWithFlags")
def record(host: Host, event: int, stream: int, *_others: int) -> str | None:
    """Note the time when the work so far is done; or the place in the graph of a capture."""
    found = host.handles.get(event)
    if not isinstance(found, Event):
        return "hipErrorInvalidHandle"
    capture = host.captures.get(stream)
    found.captured = (capture, list(capture.last[stream])) if capture else None
    if capture is not None:
        return None
    found.last = last = Recording(stream)

    def work() -> None:
        found.seconds = host.seconds()
        last.is_done = True

    return host.put(stream, "EventRecord", work)


@answers("hipEventSynchronize")
def synchronize(host: Host, event: int) -> str | None:
    """Wait until the event is recorded."""
    found = host.handles.get(event)
    if not isinstance(found, Event):
        return "hipErrorInvalidHandle"
    if found.captured:
        return "hipErrorCapturedEvent"
    return None if found.last.is_done else host.settle(found.last.stream)


@answers("hipEventQuery")
def query(host: Host, event: int) -> str | None:
    """Tell whether the event is recorded."""
    found = host.handles.get(event)
    if not isinstance(found, Event):
        return "hipErrorInvalidHandle"
    if found.captured:
        return "hipErrorCapturedEvent"
    if not found.last.is_done:
        host.is_busy(found.last.stream)
    return None if found.last.is_done else "hipErrorNotReady"


@answers("hipEventElapsedTime")
def elapsed_time(host: Host, milliseconds: int, start: int, stop: int) -> str | None:
    """Tell the time between two recorded events."""
    if not milliseconds:
        return "hipErrorInvalidValue"
    first, last = host.handles.get(start), host.handles.get(stop)
    if not isinstance(first, Event) or not isinstance(last, Event):
        return "hipErrorInvalidHandle"
    if not (first.last.is_done and last.last.is_done):
        return "hipErrorNotReady"
    if (first.flags | last.flags) & _NO_TIMING or first.seconds is None or last.seconds is None:
        return "hipErrorInvalidHandle"
    put_float(milliseconds, 1000 * (last.seconds - first.seconds))
    return None


@answers("hipEventDestroy")
def destroy(host: Host, event: int) -> str | None:
    """Forget an event."""
    if not isinstance(host.handles.get(event), Event):
        return "hipErrorInvalidHandle"
    del host.handles[event]
    return None
