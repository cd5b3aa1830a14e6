"""Capture: what is put on a stream becomes a graph instead of being done."""

from wavemma.hip.calls.places import put_int, put_pointer
from wavemma.hip.calls.streams import stream_of
from wavemma.hip.declarations import enumerators
from wavemma.hip.graph import Capture
from wavemma.hip.host import Host
from wavemma.hip.interface import answers


@answers("hipStreamBeginCapture")
def begin(host: Host, stream: int, _mode: int) -> str | None:
    """Note what is put on a stream from now on."""
    if stream_of(host, stream) is None:
        return "hipErrorInvalidHandle"
    if not stream:
        return "hipErrorStreamCaptureUnsupported"
    if stream in host.captures:
        return "hipErrorIllegalState"
    host.captures[stream] = capture = Capture(stream)
    capture.join(stream, ())
    return None


@answers("hipStreamEndCapture")
def end(host: Host, stream: int, graph: int) -> str | None:
    """Give the graph of what was noted since the capture began."""
    capture = host.captures.get(stream)
    if capture is None:
        return "hipErrorIllegalState"
    if capture.origin != stream:
        return "hipErrorStreamCaptureUnmatched"
    for each in [each for each, own in host.captures.items() if own is capture]:
        del host.captures[each]
    if not capture.is_valid:
        put_pointer(graph, 0)
        return "hipErrorStreamCaptureInvalidated"
    put_pointer(graph, host.new_handle(capture.graph))
    return None


@answers("hipStreamIsCapturing")
def is_capturing(host: Host, stream: int, status: int) -> str | None:
    """Tell whether what is put on a stream is noted."""
    if not status:
        return "hipErrorInvalidValue"
    put_int(status, enumerators()[f"hipStreamCaptureStatus{_status(host, stream)}"])
    return None


@answers("hipStreamGetCaptureInfo")
def capture_info(host: Host, stream: int, status: int, number: int) -> str | None:
    """Tell the same, and the number of the capture."""
    if number and stream in host.captures:
        put_pointer(number, id(host.captures[stream]))
    return is_capturing(host, stream, status)


@answers("hipThreadExchangeStreamCaptureMode")
def exchange_mode(_host: Host, mode: int) -> str | None:
    """Accept a mode: what a capture forbids is the same in all of them here."""
    return None if mode else "hipErrorInvalidValue"


def _status(host: Host, stream: int) -> str:
    capture = host.captures.get(stream)
    if capture is None:
        return "None"
    return "Active" if capture.is_valid else "Invalidated"
