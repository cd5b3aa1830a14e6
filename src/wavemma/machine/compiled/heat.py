"""Which regions of a code run often: those are compiled as a whole while their steps run on."""

import atexit
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from wavemma.engines.llvm_lock import enter_for_good
from wavemma.errors import Unsupported
from wavemma.machine.compiled.translate import Code

HOT = 2_000_000
"""Instructions of waves that a region runs before it is compiled: steps take some 10 ns more each
than a region, which takes some 0.1 s to compile."""

# A thread must not be inside LLVM while the process takes it down.
atexit.register(enter_for_good)


class Heat:
    """Counts what the regions of a code ran, and compiles the hot ones in a thread of its own.

    Args:
        code: The code.
        compile_region: Lets the blocks of a region run as one function.

    """

    def __init__(self, code: Code, compile_region: Callable[[range], None]) -> None:
        self._regions = [region for each in code.functions for region in code.regions(each)]
        self._starts = [region.start for region in self._regions]
        sizes = [len(block.instructions) for block in code.blocks]
        self._sizes = np.array(sizes, dtype=np.uint64)
        self._before = np.zeros(len(sizes), dtype=np.uint64)
        self._compile = compile_region
        self._asked: set[int] = set()
        self._waiting: deque[range] = deque()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def look(self, counts: NDArray[np.uint64], *, is_over: bool = False) -> None:
        """Have the regions compiled that are hot by now.

        Args:
            counts: How often each block ran on a thread of a launch so far.
            is_over: Whether that thread runs no more of them: they count from now on.

        """
        with self._lock:
            total = self._before + counts
            if is_over:
                self._before = total
            executed = np.add.reduceat(total * self._sizes, self._starts)
            for number in np.flatnonzero(executed >= HOT).tolist():
                if number not in self._asked:
                    self._asked.add(number)
                    self._waiting.append(self._regions[number])
            # After a fork the thread is not there; what it had left is done by a new one.
            if self._waiting and not (self._thread and self._thread.is_alive()):
                self._thread = threading.Thread(target=self._work, daemon=True)
                self._thread.start()

    def wait(self) -> None:
        """Wait until all that is hot is compiled."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def _work(self) -> None:
        while self._waiting:
            # What cannot be compiled as a whole goes on in steps.
            with suppress(Unsupported):
                self._compile(self._waiting.popleft())
