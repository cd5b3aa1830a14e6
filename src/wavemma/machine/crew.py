"""Threads that run the workgroups of a launch, and stay for the next one."""

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue

_Order = tuple[Callable[[], None], threading.Event]


class _Worker:
    """One thread; it does what it is ordered, and is idle then."""

    def __init__(self) -> None:
        self._orders: SimpleQueue[_Order] = SimpleQueue()
        threading.Thread(target=self._live, daemon=True).start()

    def order(self, work: Callable[[], None], is_over: threading.Event) -> None:
        self._orders.put((work, is_over))

    def _live(self) -> None:
        while True:
            self._obey(*self._orders.get())

    def _obey(self, work: Callable[[], None], is_over: threading.Event) -> None:
        """Do some work; a fault in it ends the thread."""
        try:
            work()
            _IDLE.append(self)
        finally:
            is_over.set()


_IDLE: list[_Worker] = []
# A child has none of these threads.
os.register_at_fork(after_in_child=_IDLE.clear)


def begin(work: Callable[[], None]) -> threading.Event:
    """Have a thread do some work; gives what is set when that is over."""
    is_over = threading.Event()
    try:
        worker = _IDLE.pop()
    except IndexError:
        worker = _Worker()
    worker.order(work, is_over)
    return is_over
