"""A wave on NumPy arrays: the reference that compiled code must equal, and the debugger's wave."""

import time
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from wavemma.engines.array_engine import ArrayEngine
from wavemma.engines.engine import Engine, Lane
from wavemma.execute.compiled import wave_product
from wavemma.execute.matrix import execute
from wavemma.isa.decoded import Decoded
from wavemma.machine.array_memory import GroupMemory, Stopped
from wavemma.machine.matrix_calls import constant_words
from wavemma.machine.state import APERTURES, Fault
from wavemma.machine.wave import Codes, Space, Update, WaveState
from wavemma.numerics.model import model
from wavemma.tables.targets import Wave

Array = NDArray[Any]


class ArrayWave(WaveState[Array]):
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

    Attributes:
        next_address: Of the instruction behind the current one.
        phase: Of the barrier that the wave has arrived at.
        waits: Whether it waits for that phase to end.

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
        self.mode_word = np.zeros(1, dtype=np.int32)
        self.next_address = 0
        self.phase = 0
        self.waits = False

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

    # Memory

    def _each(self, address: Array, where: Array | None) -> Iterator[tuple[int, int]]:
        """Give the active lanes and their addresses, unsigned."""
        active = self.active() if where is None else self.active() & where
        wide = np.broadcast_to(address, self.size)
        unsigned = wide.view(f"u{wide.dtype.itemsize}")
        for lane in np.flatnonzero(active).tolist():
            yield lane, int(unsigned[lane])

    def _present(self, present: Array | None, lane: int, size_bytes: int) -> int:
        """Count the bytes that a lane moves: whole words of those that there are."""
        if present is None:
            return size_bytes
        count = int(np.broadcast_to(present, self.size)[lane])
        return count if size_bytes < 4 and count == size_bytes else count // 4 * 4

    def load(
        self, space: Space, address: Array, size_bytes: int, present: Array | None = None
    ) -> list[Array]:
        """Read bytes of each lane."""
        words = np.zeros((max(size_bytes // 4, 1), self.size), dtype=np.uint32)
        for lane, place in self._each(address, None):
            count = self._present(present, lane, size_bytes)
            if count:
                data = self.memory.read(self, space, place, count, lane)
                padded = data.ljust(4 * words.shape[0], b"\0")
                words[:, lane] = np.frombuffer(padded, dtype="<u4")
        return list(words.view(np.int32))

    def store(
        self,
        space: Space,
        address: Array,
        words: Sequence[Array],
        size_bytes: int,
        present: Array | None = None,
    ) -> None:
        """Write bytes of each lane."""
        table = np.stack([np.broadcast_to(word, self.size) for word in words])
        for lane, place in self._each(address, None):
            count = self._present(present, lane, size_bytes)
            if count:
                data = np.ascontiguousarray(table[:, lane]).tobytes()[:count]
                self.memory.write(self, space, place, data, lane)

    def atomic(
        self,
        space: Space,
        address: Array,
        operands: Sequence[Array],
        update: Update[Array],
        name: str,
        where: Array | None = None,
    ) -> Array:
        """Replace a number by a new one, lane after lane."""
        kind = operands[0].dtype
        old = np.zeros(self.size, dtype=kind)
        for lane, place in self._each(address, where):
            if place % kind.itemsize:
                raise Stopped(Fault.MISALIGNED, place, lane, kind.itemsize)
            held = np.frombuffer(self.memory.read(self, space, place, kind.itemsize, lane), kind)
            own = [np.broadcast_to(x, self.size)[lane : lane + 1] for x in operands]
            new = np.asarray(update(self.lanes, held, own)).reshape(1).astype(kind)
            self.memory.write(self, space, place, new.tobytes(), lane)
            old[lane] = held[0]
        return old

    def scalar_load(
        self, address: Array, size_bytes: int, where: Array | None = None
    ) -> list[Array]:
        """Read device memory at one address."""
        count = max(size_bytes // 4, 1)
        data = b""
        if where is None or bool(where.reshape(-1)[0]):
            place = int(address.view(np.uint64).reshape(-1)[0])
            data = self.memory.read(self, "global", place, size_bytes, 0)
        words = np.frombuffer(data.ljust(4 * count, b"\0"), dtype="<i4")
        return [words[number : number + 1] for number in range(count)]

    # Other instructions

    def multiply(self, decoded: Decoded) -> None:
        """Do a matrix instruction by the array models; every lane takes part."""
        instruction, effects = decoded.instruction, decoded.effects
        chosen = model(instruction.model(self.size))
        fragments = wave_product(
            instruction, self.size, effects, chosen, keep_finite=self.keep_finite
        ).fragments
        words = {
            role: self._matrix(decoded, role, fragment.registers)
            for role, fragment in fragments.items()
        }
        result = execute(
            instruction,
            words,
            wave=self.size,
            effects=effects,
            summing=chosen,
            keep_finite=self.keep_finite,
        )
        first = self._first(decoded, "d")
        self.vector_words[first : first + result.shape[0]] = result.view(np.int32)

    def _first(self, decoded: Decoded, role: str) -> int:
        operand = decoded.operand(role)
        return operand.first + (self.accumulator_offset if operand.kind == "agpr" else 0)

    def _matrix(self, decoded: Decoded, role: str, count: int) -> NDArray[np.uint32]:
        operand = decoded.operand(role)
        if operand.is_constant:
            words = constant_words(operand, decoded.formats.get(role, ""), count)
            return np.repeat(np.array(words, dtype=np.uint32)[:, np.newaxis], self.size, axis=1)
        first = self._first(decoded, role)
        return self.vector_words[first : first + count].view(np.uint32).copy()

    def program_counter(self) -> Array:
        """Give the address of the next instruction in memory."""
        return np.array([self.next_address], dtype=np.int64)

    def signal(self) -> None:
        """Arrive at the barrier of the workgroup."""
        self.phase = self.memory.phase
        self.memory.arrive()

    def wait(self) -> None:
        """Run no further until all waves have arrived."""
        self.waits = True

    def give_way(self) -> None:
        """Let other waves run: they do after every instruction."""

    def fail(self, reason: str) -> None:
        """End the kernel with an error."""
        raise Stopped(Fault[reason])

    def fail_if(self, condition: Array, reason: str) -> None:
        """End the kernel with an error if a condition holds."""
        if bool(np.asarray(condition).reshape(-1)[0]):
            raise Stopped(Fault[reason])

    def clock(self) -> Array:
        """Read a counter that never goes back."""
        return np.array([time.perf_counter_ns()], dtype=np.int64)

    def aperture(self, name: Literal["shared_base", "private_base"]) -> Array:
        """Give the high half of the addresses of a space."""
        return np.array([APERTURES[name]], dtype=np.int32)
