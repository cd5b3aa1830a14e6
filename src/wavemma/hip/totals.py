"""What all launches of a program executed."""

import numpy as np
from numpy.typing import NDArray

from wavemma.machine.compiled.translate import Code, code_of
from wavemma.machine.load import Module
from wavemma.machine.tally import Executed, executed, summed
from wavemma.tables.targets import Wave


class Totals:
    """Adds up how often the blocks of each code object ran.

    Args:
        target_name: Of the device.

    """

    def __init__(self, target_name: str) -> None:
        self.target_name = target_name
        self._counts: dict[tuple[int, Wave], NDArray[np.uint64]] = {}
        self._code: dict[tuple[int, Wave], Code] = {}

    def add(self, module: Module, wave: Wave, counts: NDArray[np.uint64]) -> None:
        """Add one launch.

        Args:
            module: The code.
            wave: Lanes of its waves.
            counts: How often each block ran.

        """
        key = (module.base, wave)
        if key not in self._code:
            self._code[key] = code_of(module.listing(wave), wave)
            self._counts[key] = np.zeros_like(counts)
        self._counts[key] += counts

    def executed(self) -> tuple[Executed, ...]:
        """Give every instruction that ran, the most frequent first."""
        return summed(
            each
            for key, code in self._code.items()
            for each in executed(code, self._counts[key], self.target_name)
        )
