"""How many threads work on a product."""

import os

from wavemma.errors import OutOfRange


def thread_count(wanted: int | None) -> int:
    """Give the number of threads: what is wanted, or one for each usable processor.

    Raises:
        OutOfRange: If fewer than one thread is wanted.

    """
    if wanted is None:
        usable = getattr(os, "sched_getaffinity", None)
        return len(usable(0)) if usable else os.cpu_count() or 1
    if wanted < 1:
        raise OutOfRange(f"threads must be 1 or more, got {wanted}.", subject=wanted)
    return wanted
