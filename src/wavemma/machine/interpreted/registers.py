"""Registers and lanes of a wave on NumPy arrays."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavemma.engines.array_engine import ArrayEngine
from wavemma.engines.engine import Engine, Lane
from wavemma.machine.codes import Codes
from wavemma.machine.interpreted.memory import GroupMemory
from wavemma.machine.wave import WaveState
from wavemma.tables.targets import Wave

Array = NDArray[Any]


class ArrayRegisters(WaveState[Array]):
    """Registers as arrays.

    Args:
        size: Lanes.
        codes: Source codes of registers without operands.
        scalars: u32 [source code]: what scalar registers hold at the start.
        vectors: u32 [register, lane]: what vector registers hold at the start.
        memory: What the wave's workgroup reaches.
        scratch: u8: the wave's own memory.
        accumulator_offset: Number of the vector register where AGPRs begin.
        keep_finite: Whether the mode turns f16 overflow into the largest finite number.
        mode: What the mode register holds at the start.

    Attributes:
        next_address: Of the instruction behind the current one.
        phase: Of the barrier that the wave has arrived at.
        waits: Whether it waits for that phase to end.
        gave_way: Whether it lets other waves run.

    """

    def __init__(
        self,
        size: Wave,
        codes: Codes,
        scalars: NDArray[np.uint32],
        vectors: NDArray[np.uint32],
        memory: GroupMemory,
        scratch: NDArray[np.uint8],
        *,
        accumulator_offset: int = 256,
        keep_finite: bool = False,
        mode: int = 0,
    ) -> None:
        self.size = size
        self.codes = codes
        self.lanes: Engine[Array] = ArrayEngine()
        self.scalars = self.lanes
        self.scalar_words = scalars.view(np.int32).copy()
        self.vector_words = vectors.view(np.int32).copy()
        self.memory = memory
        self.scratch = scratch
        self.accumulator_offset = accumulator_offset
        self.keep_finite = keep_finite
        self.condition = np.zeros(1, dtype=np.bool_)
        self.mode_word = np.array([mode], dtype=np.uint32).view(np.int32)
        self.next_address = 0
        self.phase = 0
        self.waits = False
        self.gave_way = False

    # Registers

    def vector(self, number: int) -> Array:
        """Read a vector register."""
        return np.array(self.vector_words[number])

    def set_vector(self, number: int, value: Array, *, everywhere: bool = False) -> None:
        """Write a vector register."""
        where = np.ones(self.size, dtype=np.bool_) if everywhere else self.active()
        np.copyto(self.vector_words[number], np.broadcast_to(value, self.size), where=where)

    def scalar(self, code: int) -> Array:
        """Read a scalar register."""
        if code == self.codes.null:
            return np.zeros(1, dtype=np.int32)
        return self.scalar_words[code : code + 1].copy()

    def set_scalar(self, code: int, value: Array) -> None:
        """Write a scalar register."""
        if code != self.codes.null:
            self.scalar_words[code] = value.reshape(-1)[0]

    def scc(self) -> Array:
        """Read the scalar condition."""
        return self.condition.copy()

    def set_scc(self, value: Array) -> None:
        """Write the scalar condition."""
        self.condition = np.asarray(value).reshape(1).copy()

    def mode(self) -> Array:
        """Read the mode register."""
        return self.mode_word.copy()

    def set_mode(self, value: Array) -> None:
        """Write the mode register."""
        self.mode_word = np.asarray(value).reshape(1).copy()

    def vector_at(self, number: Array) -> Array:
        """Read the vector register that a number names."""
        place = self._place(number, len(self.vector_words))
        return self.vector(0 if place is None else place)

    def set_vector_at(self, number: Array, value: Array) -> None:
        """Write the vector register that a number names."""
        place = self._place(number, len(self.vector_words))
        if place is not None:
            self.set_vector(place, value)

    def scalar_at(self, code: Array) -> Array:
        """Read the scalar register that a code names."""
        place = self._place(code, self.codes.vcc + 2)
        return self.scalar(0 if place is None else place)

    def set_scalar_at(self, code: Array, value: Array) -> None:
        """Write the scalar register that a code names."""
        place = self._place(code, self.codes.vcc + 2)
        if place is not None:
            self.set_scalar(place, value)

    def _place(self, number: Array, count: int) -> int | None:
        """Give a number of a register, or None if there are not so many."""
        place = int(np.asarray(number).reshape(-1)[0]) & 0xFFFFFFFF
        return place if place < count else None

    # Lanes

    def spread(self, x: Array) -> Array:
        """Copy one number into all lanes."""
        return np.array(np.broadcast_to(x, self.size))

    def lanes_of(self, mask: Array) -> Array:
        """Turn a mask into BOOL lanes."""
        number = int(mask.reshape(-1)[0])
        return np.array([number >> lane & 1 for lane in range(self.size)], dtype=np.bool_)

    def mask_of(self, truth: Array) -> Array:
        """Turn BOOL lanes into a mask."""
        bits = np.broadcast_to(truth, self.size)
        number = sum(1 << lane for lane in np.flatnonzero(bits).tolist())
        lane = Lane.I32 if self.size == Lane.I32.bits else Lane.I64
        return self.lanes.constant(lane, number).reshape(1)

    def active(self) -> Array:
        """Tell which lanes are active."""
        return self.lanes_of(self.mask(self.codes.exec))

    def lane_numbers(self) -> Array:
        """Number the lanes."""
        return np.arange(self.size, dtype=np.int32)

    def permute(self, x: Array, lane: Array) -> Array:
        """Take for each lane the number of another lane."""
        return np.asarray(np.broadcast_to(x, self.size)[np.broadcast_to(lane, self.size)])

    def shuffle(self, x: Array, lanes: Sequence[int]) -> Array:
        """Take for each lane the number of the lane that is listed for it."""
        return np.asarray(np.broadcast_to(x, self.size)[list(lanes)])

    def pick(self, x: Array, lane: Array) -> Array:
        """Take the number of one lane."""
        return np.array([np.broadcast_to(x, self.size)[int(lane.reshape(-1)[0])]])
