"""Threads that share out the blocks of a product."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TypeVar

from wavemma.errors import OutOfRange

Item = TypeVar("Item")
Result = TypeVar("Result")


def thread_count(wanted: int | None) -> int:
    """Give the number of threads: what is wanted, or one for each usable processor.

    Raises:
        OutOfRange: If fewer than one thread is wanted.

    """
    if wanted is None:
        usable = getattr(os, "sched_getaffinity", None)
        return len(usable(0)) if usable else os.cpu_count() or 1
    if wanted < 1 or wanted != int(wanted):
        raise OutOfRange(
            f"threads must be a whole number, 1 or more, got {wanted}.", subject=wanted
        )
    return int(wanted)


class Workers:
    """Threads that are started when there is more than one thing to do.

    Args:
        threads: How many.

    """

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
        """Apply a function to each item, in any order; give the results in theirs."""
        work = list(items)
        if self._threads == 1 or len(work) < 2:
            return [function(item) for item in work]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads)
        return list(self._pool.map(function, work))
