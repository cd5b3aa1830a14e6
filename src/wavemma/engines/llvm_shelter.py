"""Calls of LLVM that may not end the process.

What LLVM cannot compile makes it write a sentence and abort. Each call runs in a thread of its own;
one that aborts is left behind for ever, and who asked for it gets an error.
"""

import ctypes
import signal
import threading
from collections.abc import Callable
from functools import cache
from typing import Any, Generic, TypeVar

from llvmlite.binding import ffi

from wavemma.errors import Unsupported

T = TypeVar("T")
_HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_int)


class _Call(Generic[T]):
    """One call, and what became of it."""

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._result: list[T] = []
        self._error: BaseException | None = None
        self._is_over = threading.Event()

    def run(self) -> None:
        _RUNNING[threading.get_ident()] = self
        try:
            self._result.append(self._call())
        except BaseException as error:
            self._error = error
        finally:
            del _RUNNING[threading.get_ident()]
            self._is_over.set()

    def leave(self) -> None:
        """Go on without the thread that runs it, which is this one; does not return."""
        # llvmlite lets one thread in at a time, and this one will never come out.
        ffi.lib._lock.__exit__()
        self._is_over.set()
        threading.Event().wait()

    def wait(self) -> T:
        """Wait until it is over, whatever comes in between: others must not enter LLVM."""
        interrupt: BaseException | None = None
        while not self._is_over.is_set():
            try:
                self._is_over.wait()
            except BaseException as error:
                interrupt = error
        if interrupt or self._error:
            raise interrupt or self._error  # type: ignore[misc]
        if not self._result:
            raise Unsupported(
                "LLVM cannot compile this code, and says above why.",
                hint="Please report it with the code object: it is a fault of wavemma.",
            )
        return self._result[0]


_RUNNING: dict[int, _Call[Any]] = {}


def begun(call: Callable[[], T]) -> Callable[[], T]:
    """Begin to call what calls LLVM; gives what waits for its result.

    Callers hold `inside_llvm` and wait before they let go of it. What waits raises `Unsupported` if
    LLVM aborted.
    """
    _watch_aborts()
    found = _Call(call)
    threading.Thread(target=found.run, daemon=True).start()
    return found.wait


@cache
def _watch_aborts() -> tuple[object, ...]:
    """Let aborts inside LLVM be told; gives what must live as long as the process."""
    process = ctypes.CDLL(None)
    set_handler = process.signal
    set_handler.restype, set_handler.argtypes = ctypes.c_void_p, [ctypes.c_int, ctypes.c_void_p]
    before: list[object] = []

    def on_abort(number: int) -> None:
        call = _RUNNING.get(threading.get_ident())
        if call is not None:
            call.leave()
        # It is none of ours: as if nothing were here.
        set_handler(number, before[0])
        process["raise"](number)

    handler = _HANDLER(on_abort)
    before.append(set_handler(signal.SIGABRT, ctypes.cast(handler, ctypes.c_void_p)))
    return handler, process
