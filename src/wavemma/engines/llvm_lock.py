"""One thread at a time is inside LLVM, and a fork waits until none is.

LLVM's bindings take a lock of their own. A child that is forked while another thread holds it
would wait for ever, since that thread does not exist in the child.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Held:
    """The lock of this process; a child gets a new one."""

    def __init__(self) -> None:
        self.lock = threading.RLock()

    def renew(self) -> None:
        self.lock = threading.RLock()


_HELD = _Held()

os.register_at_fork(
    before=lambda: _HELD.lock.acquire(),
    after_in_parent=lambda: _HELD.lock.release(),
    after_in_child=_HELD.renew,
)


@contextmanager
def inside_llvm() -> Iterator[None]:
    """Hold the lock while LLVM is called."""
    with _HELD.lock:
        yield


def enter_for_good() -> None:
    """Hold the lock until the process ends: no other thread enters LLVM any more."""
    _HELD.lock.acquire()
