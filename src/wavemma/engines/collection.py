"""Python's collector of garbage, out of the way of what makes many objects and keeps them."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Collect no garbage meanwhile: to look through all that a process holds takes longer.

    What is inside should take less than a second or so, as nothing is collected in other threads
    either.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
