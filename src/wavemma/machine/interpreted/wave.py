"""A wave on NumPy arrays: the reference that compiled code must equal, and the debugger's wave."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wavemma.execute.matrix import execute, operands_of
from wavemma.isa.decoded import Decoded
from wavemma.machine.calls.matrix import constant_words
from wavemma.machine.compiled.state import Fault
from wavemma.machine.interpreted.memory import Stopped
from wavemma.machine.interpreted.registers import Array, ArrayRegisters
from wavemma.machine.memory.apertures import apertures
from wavemma.machine.rare_ways import RareWay, Usual
from wavemma.machine.register_moves import Space
from wavemma.machine.wave import Update
from wavemma.numerics.model import model


class ArrayWave(ArrayRegisters):
    """Registers as arrays, and the rest of a wave; arguments as its base takes them."""

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

    def load_registers(self, space: Space, address: Array, size_bytes: int, first: int) -> None:
        """Read bytes of each active lane into registers."""
        for number, word in enumerate(self.load(space, address, size_bytes)):
            self.set_vector(first + number, word)

    def store_registers(self, space: Space, address: Array, size_bytes: int, first: int) -> None:
        """Write bytes of each active lane."""
        words = [self.vector(first + number) for number in range(max(size_bytes // 4, 1))]
        self.store(space, address, words, size_bytes)

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
                raise Stopped(Fault.MISALIGNED, place, lane, kind.itemsize, writes=True)
            try:
                data = self.memory.read(self, space, place, kind.itemsize, lane)
            except Stopped as stopped:
                # An update that cannot read would not write either.
                stopped.writes = True
                raise
            held = np.frombuffer(data, kind)
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

    def load_either(
        self,
        is_rare: Array,
        rare: Callable[[], RareWay[Array]],
        usual: Usual[Array],
        size_bytes: int,
    ) -> list[Array]:
        """Read bytes of each lane."""
        if not bool(np.asarray(is_rare).reshape(-1)[0]):
            address, present = usual()
            return self.load("global", address, size_bytes, present)
        way, words = rare(), []
        found = way.places(self.lanes, *way.lanes, *map(self.spread, way.numbers))
        for address, present in zip(found[::2], found[1::2], strict=True):
            words += self.load("global", address, way.part_bytes, present)
        return words

    def store_either(
        self,
        is_rare: Array,
        rare: Callable[[], RareWay[Array]],
        usual: Usual[Array],
        words: Sequence[Array],
        size_bytes: int,
    ) -> None:
        """Write bytes of each lane."""
        if not bool(np.asarray(is_rare).reshape(-1)[0]):
            address, present = usual()
            self.store("global", address, words, size_bytes, present)
            return
        way = rare()
        found = way.places(self.lanes, *way.lanes, *map(self.spread, way.numbers))
        for word, address, present in zip(words, found[::2], found[1::2], strict=True):
            self.store("global", address, [word], way.part_bytes, present)

    # Other instructions

    def multiply(self, decoded: Decoded) -> None:
        """Do a matrix instruction by the array models; every lane takes part."""
        instruction, effects = decoded.instruction, decoded.effects
        chosen = model(instruction.model(self.size))
        fragments = operands_of(instruction, self.size, effects).moved
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

    def arrived(self) -> Array:
        """Tell how many waves have arrived at the barrier since all last had."""
        return np.array([self.memory.arrived], dtype=np.int32)

    def expected(self) -> Array:
        """Tell how many waves the barrier expects."""
        return np.array([self.memory.expected], dtype=np.int32)

    def wait(self) -> None:
        """Run no further until all waves have arrived."""
        self.waits = True

    def give_way(self) -> None:
        """Let other waves run."""
        self.gave_way = True

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
        return np.array([apertures()[name]], dtype=np.int32)

    def scratch_base(self) -> Array:
        """Give the address of the wave's scratch memory."""
        return np.array([self.scratch.ctypes.data], dtype=np.int64)
