"""Work of streams that waits: for a number that something must write first, or for other work.

Work is done when a call puts it on its stream, unless the stream waits. Then it is kept, in order,
and done as soon as what it waits for is there: when later work, another thread or the program
itself has written the number.
"""

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from wavemma.errors import WatchdogExpired
from wavemma.hip.graph import Work

NULL_STREAMS = (0, 1)
"""The null stream, and the name that is the same with any setting of the compiler."""
_NOT_BLOCKING = 1
_TASKS = "/proc/self/task"
_PAUSE_SECONDS = 0.001


def _always() -> bool:
    return True


@dataclass
class Stream:
    """A stream."""

    flags: int = 0
    priority: int = 0

    @property
    def is_blocking(self) -> bool:
        """Whether it and the null stream wait for one another."""
        return not self.flags & _NOT_BLOCKING


@dataclass(eq=False)
class Waiting:
    """One piece of work that a stream has not done yet.

    Attributes:
        stream: Its handle; 0 for the null stream.
        is_blocking: Whether the stream and the null stream wait for one another.
        work: What to do.
        is_ready: Whether what it waits for is there, its turn on the stream aside.
        reason: Says what it waits for.

    """

    stream: int
    is_blocking: bool
    work: Work
    is_ready: Callable[[], bool] = _always
    reason: Callable[[], str] = str
    is_done: bool = False
    error: str | None = None


@dataclass
class WaitingWork:
    """All work that waits, in the order in which calls put it on streams.

    Attributes:
        seconds: How long a call may wait; None for as long as there is hope.

    """

    seconds: float | None
    _left: list[Waiting] = field(default_factory=list)
    _errors: dict[int, str] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _before: frozenset[int] = field(default_factory=lambda: _threads() - {os.getpid()})

    def __bool__(self) -> bool:
        return bool(self._left)

    @property
    def is_concerned(self) -> bool:
        """Whether a stream waits, or has an error that no call has told."""
        return bool(self._left or self._errors)

    def put(self, item: Waiting) -> str | None:
        """Keep work until its turn; give its error if that is now.

        Args:
            item: The work.

        """
        with self._lock:
            self._left.append(item)
            self._advance()
            return self._errors.pop(item.stream, None) if item.is_done else None

    def is_left(self, stream: int) -> bool:
        """Do what can be done, and tell whether a stream still waits."""
        with self._lock:
            self._advance()
            return any(_concerns(item, stream) for item in self._left)

    def settle(self, stream: int | None) -> str | None:
        """Wait until a stream, or every one for None, has done its work.

        Returns:
            The name of the first error of work that waited.

        Raises:
            WatchdogExpired: Nothing can do what it waits for, or it waited too long.

        """
        begun = time.monotonic()
        while True:
            # A thread that ends has written what it writes before it is looked for.
            is_hopeless = not self._others()
            with self._lock:
                self._advance()
                if not any(_concerns(item, stream) for item in self._left):
                    return self._first_error(stream)
                first = self._left[0]
            if is_hopeless:
                raise WatchdogExpired(
                    f"A stream waits for ever: {first.reason()}. No other stream and no other"
                    " thread of the program is left to change that."
                )
            if self.seconds is not None and time.monotonic() - begun > self.seconds:
                raise WatchdogExpired(
                    f"A stream waited for {self.seconds} s without an end: {first.reason()}."
                )
            time.sleep(_PAUSE_SECONDS)

    def _advance(self) -> None:
        """Do all work whose turn it is, and what that makes ready."""
        while self._pass():
            pass

    def _pass(self) -> bool:
        stopped: list[Waiting] = []
        done = False
        for item in list(self._left):
            if item.is_done:
                continue
            if any(_is_behind(item, other) for other in stopped) or not item.is_ready():
                if not any(item.stream == other.stream for other in stopped):
                    stopped.append(item)
                continue
            self._left.remove(item)
            item.is_done = done = True
            error = item.work()
            if error:
                self._errors.setdefault(item.stream, error)
        return done

    def _first_error(self, stream: int | None) -> str | None:
        if stream is not None:
            return self._errors.pop(stream, None)
        errors = list(self._errors.values())
        self._errors.clear()
        return errors[0] if errors else None

    def _others(self) -> frozenset[int]:
        """Find the program's other threads."""
        ours = {each.native_id or 0 for each in threading.enumerate() if _is_ours(each)}
        return _threads() - self._before - ours - {threading.get_native_id()}


def _threads() -> frozenset[int]:
    return frozenset(int(name) for name in os.listdir(_TASKS))


def _is_ours(thread: threading.Thread) -> bool:
    """Tell our own threads from those of the program, which Python gives a class of their own."""
    return type(thread) is threading.Thread


def _is_behind(item: Waiting, other: Waiting) -> bool:
    """Whether work must wait for other work that was put on a stream before."""
    if item.stream == other.stream:
        return True
    return 0 in (item.stream, other.stream) and item.is_blocking and other.is_blocking


def _concerns(item: Waiting, stream: int | None) -> bool:
    """Whether who waits for a stream, or for all of them, waits for some work."""
    if stream is None or item.stream == stream:
        return True
    return stream == 0 and item.is_blocking
