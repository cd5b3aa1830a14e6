"""The table between the C runtime and the Python functions that answer its calls."""

import ctypes
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from wavemma.errors import FileMistake
from wavemma.hip.declarations import Call, CType, calls, ctype, enumerators
from wavemma.hip.forwarders import forwarded
from wavemma.hip.graph import Work
from wavemma.hip.host import Host

Answer = Callable[..., str | int | None]
"""Takes the host and the C arguments (addresses and numbers); returns None for success, or the name
of an error, or a number where the call returns no error."""
Plan = Callable[..., Work | str]
"""Takes what an answer takes and copies what must last; returns the work, or the name of an
error."""
_F = TypeVar("_F", bound=Answer)
_P = TypeVar("_P", bound=Plan)
_STREAM = "hipStream_t"
_answers: dict[str, Answer] = {}


def answers(*names: str) -> Callable[[_F], _F]:
    """Let a function answer calls of the interface."""

    def keep(function: _F) -> _F:
        for name in names:
            _enter(name, function)
        return function

    return keep


def plans(kind: str, *names: str) -> Callable[[_P], _P]:
    """Let a function plan the work that calls put on a stream, which does it or notes it.

    Args:
        kind: What the work is in a graph, such as "Kernel".
        names: Of the calls.

    """

    def keep(function: _P) -> _P:
        for name in names:
            _enter(name, _queued(function, kind, _stream_place(calls()[name])))
        return function

    return keep


def _enter(name: str, function: Answer) -> None:
    """Keep what answers a call; each call has one answer."""
    assert name not in _answers, name
    _answers[name] = function


def works(kind: str, *names: str) -> Callable[[_F], _F]:
    """Let a function be the work that calls put on a stream: all that it takes are numbers.

    Args:
        kind: What the work is in a graph, such as "Memcpy".
        names: Of the calls.

    """

    def keep(function: _F) -> _F:
        plans(kind, *names)(lambda *arguments: partial(_done, function, *arguments))
        return function

    return keep


def _done(function: Answer, *arguments: object) -> str | None:
    result = function(*arguments)
    assert not isinstance(result, int)
    return result


def _queued(plan: Plan, kind: str, place: int | None) -> Answer:
    """Make the answer that plans, and puts the work on the call's stream."""

    def answer(host: Host, *arguments: int) -> str | None:
        work = plan(host, *arguments)
        if isinstance(work, str):
            return work
        return host.finish(work) if place is None else host.put(arguments[place], kind, work)

    return answer


def _stream_place(call: Call) -> int | None:
    """Find the parameter that is the stream, if there is one."""
    types = [each.type for each in call.parameters]
    return types.index(_STREAM) if _STREAM in types else None


def answered() -> frozenset[str]:
    """Name the calls that have an answer in Python."""
    return frozenset(_answers)


class Interface:
    """The loaded runtime.

    Args:
        path: The runtime's shared library.

    """

    def __init__(self, path: Path) -> None:
        try:
            self.loaded = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            raise FileMistake(f"The HIP runtime cannot be loaded: {error}.", subject=path) from None
        self._callbacks: list[object] = []
        self._records = self._read_records()

    def connect(self, host: Host, stop: Callable[[BaseException], None]) -> None:
        """Fill the table of calls.

        Args:
            host: What answers work on.
            stop: Takes an error that no call returns; does not return itself.

        """
        found = forwarded()
        table = (ctypes.c_void_p * len(found)).in_dll(self.loaded, "wavemma_calls")
        for place, call in enumerate(found):
            if call.name in _answers:
                callback, address = _callback(call, _answers[call.name], host, stop)
                self._callbacks.append(callback)
                table[place] = address

    def record_of(self, record: str, name: str) -> tuple[int, int]:
        """Give offset and size of a field of a C record; of the whole record for no name."""
        return self._records[record, name]

    def write(self, text: bytes, is_error: bool) -> None:
        """Write to the program's stdout or stderr."""
        self.loaded.wavemma_print(text, ctypes.c_size_t(len(text)), int(is_error))

    def leave(self, code: int) -> None:
        """End the process at once, but for what the program has written."""
        self.loaded.wavemma_leave(code)

    def _read_records(self) -> dict[tuple[str, str], tuple[int, int]]:
        class Field(ctypes.Structure):
            _fields_ = (
                ("record", ctypes.c_char_p),
                ("name", ctypes.c_char_p),
                ("offset", ctypes.c_size_t),
                ("bytes", ctypes.c_size_t),
            )

        start = ctypes.addressof(ctypes.c_char.in_dll(self.loaded, "wavemma_fields"))
        found: dict[tuple[str, str], tuple[int, int]] = {}
        while True:
            row = Field.from_address(start + len(found) * ctypes.sizeof(Field))
            if not row.record:
                return found
            found[row.record.decode(), row.name.decode()] = (row.offset, row.bytes)


def _callback(
    call: Call, answer: Answer, host: Host, stop: Callable[[BaseException], None]
) -> tuple[object, int]:
    """Wrap an answer as a C function."""
    returns: CType | None = None
    if call.type != "void":
        returns = ctypes.c_void_p if "*" in call.type else ctypes.c_int
    kind = ctypes.CFUNCTYPE(returns, *(ctype(each.type) for each in call.parameters))
    numbers = enumerators()

    def called(*arguments: int | None) -> int | None:
        try:
            result = answer(host, *(0 if each is None else each for each in arguments))
        except BaseException as error:
            stop(error)
            raise
        if isinstance(result, str):
            return numbers[result]
        return None if returns is None else result or 0

    callback = kind(called)
    return callback, ctypes.cast(callback, ctypes.c_void_p).value or 0
