"""The registers of a wave as unsigned words, and instructions run on them by the array engine."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from wavemma.machine.interpreted.memory import GroupMemory
from wavemma.machine.interpreted.wave import ArrayWave
from wavemma.machine.wave import Codes, WaveState
from wavemma.tables.targets import Wave

VECTORS, SCALARS = 256, 128


class State:
    """The registers of a wave.

    Args:
        size: Lanes.

    """

    def __init__(self, size: Wave) -> None:
        self.size = size
        self.vectors = np.zeros((VECTORS, size), dtype=np.uint32)
        self.scalars = np.zeros(SCALARS, dtype=np.uint32)

    def copy(self) -> "State":
        """Give the same again."""
        other = State(self.size)
        other.vectors[:], other.scalars[:] = self.vectors, self.scalars
        return other

    def pair(self, code: int) -> int:
        """Read two scalar registers."""
        return int(self.scalars[code]) | int(self.scalars[code + 1]) << 32

    def mask(self, code: int) -> int:
        """Read a mask as wide as the wave."""
        return int(self.scalars[code]) if self.size == 32 else self.pair(code)

    def set_mask(self, code: int, mask: int) -> None:
        """Write a mask as wide as the wave."""
        self.scalars[code] = mask & 0xFFFFFFFF
        if self.size == 64:
            self.scalars[code + 1] = mask >> 32


def run_on_arrays(state: State, codes: Codes, act: Callable[[WaveState[Any]], None]) -> None:
    """Let a function change a wave with the registers of a state."""
    nothing, scratch = cast(GroupMemory, None), np.zeros(0, np.uint8)
    wave = ArrayWave(
        state.size, codes, state.scalars, state.vectors, nothing, scratch, accumulator_offset=0
    )
    act(wave)
    state.vectors[:] = wave.vector_words.view(np.uint32)
    state.scalars[:] = wave.scalar_words.view(np.uint32)
