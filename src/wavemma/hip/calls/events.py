"""Events: points in the time of the device, or of the host if asked for."""

from dataclasses import dataclass

from wavemma.hip.calls.places import put_float, put_pointer
from wavemma.hip.host import Host
from wavemma.hip.interface import answers

_NO_TIMING = 2


@dataclass
class Event:
    """An event; its time is None until it is recorded."""

    flags: int
    seconds: float | None = None


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
def record(host: Host, event: int, *_others: int) -> str | None:
    """Note the time: all work so far is done."""
    found = host.handles.get(event)
    if not isinstance(found, Event):
        return "hipErrorInvalidHandle"
    found.seconds = host.seconds()
    return None


@answers("hipEventSynchronize", "hipEventQuery")
def synchronize(host: Host, event: int) -> str | None:
    """Check the event: all work is done when a call returns."""
    return None if isinstance(host.handles.get(event), Event) else "hipErrorInvalidHandle"


@answers("hipEventElapsedTime")
def elapsed_time(host: Host, milliseconds: int, start: int, stop: int) -> str | None:
    """Tell the time between two recorded events."""
    if not milliseconds:
        return "hipErrorInvalidValue"
    first, last = host.handles.get(start), host.handles.get(stop)
    if not isinstance(first, Event) or not isinstance(last, Event):
        return "hipErrorInvalidHandle"
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
