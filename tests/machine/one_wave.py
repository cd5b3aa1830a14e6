"""One wave that runs single instructions, with registers and memory that a test fills and reads."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from tests.isa.ordinary.assembler import assembled
from wavemma.engines.jit import shared_jit
from wavemma.isa.ordinary import DecodedOrdinary, read_any
from wavemma.machine.codes import codes_of
from wavemma.machine.compiled.code import CompiledCode
from wavemma.machine.compiled.state import ALIGNMENT, GROUP, LAUNCH, VECTORS, WAVE, Fault, Status
from wavemma.machine.compiled.translate import code_of
from wavemma.machine.interpreted.memory import GroupMemory, Stopped
from wavemma.machine.interpreted.wave import ArrayWave
from wavemma.machine.memory.device_memory import DeviceMemory
from wavemma.machine.perform import perform
from wavemma.objects import Placed
from wavemma.tables.targets import target

VECTOR_COUNT = 40
LDS_BYTES = 2048
SCRATCH_BYTES = 64
EXEC = 126


@cache
def machine_code(lines: tuple[str, ...], target_name: str) -> tuple[bytes, ...]:
    """The bytes of each line."""
    data, errors = assembled(lines, target_name)
    assert data, errors
    found, at = [], 0
    while len(found) < len(lines):
        one = read_any(data[at:], target_name)
        assert isinstance(one, DecodedOrdinary), lines[len(found)]
        found.append(data[at : at + one.size_bytes])
        at += one.size_bytes
    return tuple(found)


class Stop(NamedTuple):
    """What went wrong, where."""

    kind: Fault
    address: int = 0
    lane: int = 0
    size_bytes: int = 0


FINE = Stop(Fault.NONE)


class Instructions:
    """Lines of assembly, each a program of its own, and the state that they share.

    They run as compiled code, or on NumPy arrays if `on_arrays` is set.
    """

    def __init__(
        self, lines: Sequence[str], target_name: str, wave: int, *, on_arrays: bool = False
    ) -> None:
        self.lanes = wave
        self.on_arrays = on_arrays
        self.numbers = {line: number for number, line in enumerate(lines)}
        (end,) = machine_code(("s_endpgm",), target_name)
        parts = [part for one in machine_code(tuple(lines), target_name) for part in (one, end)]
        listed, at = [], 0
        for part in parts:
            listed.append(Placed(at, "all", at, part, read_any(part, target_name, wave)))
            at += len(part)
        self.code = code_of(tuple(listed), wave)
        self.codes = codes_of(target(target_name).architecture)
        placed = {each.address: each for block in self.code.blocks for each in block.instructions}
        self.decoded = [placed[each.address].instruction for each in listed[::2]]
        self.compiled = CompiledCode(self.code, self.codes, shared_jit())
        if not on_arrays:
            self.compiled.compile(0)
        self.memory = DeviceMemory()
        self.vectors = np.zeros((VECTOR_COUNT, wave), dtype=np.uint32)
        self.scalars = np.zeros(128, dtype=np.uint32)
        self.lds = _aligned(LDS_BYTES)
        self.scratch = _aligned(SCRATCH_BYTES * wave)
        self.mode = 0

    def run(self, line: str, active: int = -1) -> Stop:
        """Run one line with the lanes of a mask; keeps what it wrote, and tells its fault."""
        full = (1 << self.lanes) - 1
        self.scalars[EXEC] = active & full & 0xFFFFFFFF
        self.scalars[EXEC + 1] = (active & full) >> 32
        return self._on_arrays(line) if self.on_arrays else self._compiled(line)

    def _on_arrays(self, line: str) -> Stop:
        memory = GroupMemory(self.memory, LDS_BYTES, 1)
        memory.lds = self.lds
        state = (self.lanes, self.codes, self.scalars, self.vectors, memory, self.scratch)
        wave = ArrayWave(*state, mode=self.mode)
        try:
            perform(wave, self.decoded[self.numbers[line]])
        except Stopped as stopped:
            return Stop(stopped.kind, stopped.address, stopped.lane, stopped.size_bytes)
        finally:
            self.scalars[:] = wave.scalar_words.view(np.uint32)
            self.vectors[:] = wave.vector_words.view(np.uint32)
            self.mode = int(wave.mode_word.view(np.uint32)[0])
        return FINE

    def _compiled(self, line: str) -> Stop:
        waves = _aligned(VECTORS + self.vectors.nbytes)
        record = waves[: WAVE.itemsize].view(WAVE)[0]
        record["scalars"], record["scratch"] = self.scalars, self.scratch.ctypes.data
        record["mode"] = self.mode
        record["block"] = self.code.numbers[self._offset(line)]
        waves[VECTORS:] = self.vectors.view(np.uint8).ravel()
        launch, group = self._launch(), self._group(waves)
        result = self.compiled.run_groups(group.ctypes.data, launch.ctypes.data)
        self.scalars[:], self.mode = record["scalars"], int(record["mode"])
        self.vectors[:] = waves[VECTORS:].view(np.uint32).reshape(-1, self.lanes)
        assert result == (Status.FAULT if record["fault_kind"] else Status.NO_MORE)
        if not record["fault_kind"]:
            return FINE
        names = ("fault_address", "fault_lane", "fault_bytes")
        return Stop(Fault(int(record["fault_kind"])), *(int(record[name]) for name in names))

    def _offset(self, line: str) -> int:
        return sorted(self.code.numbers)[self.numbers[line]]

    def _launch(self) -> np.ndarray:
        launch = np.zeros(1, dtype=LAUNCH)
        values = {
            "memory": self.memory.start,
            "pages": self.memory.pages,
            "table": self.memory.table.ctypes.data,
            "records": self.memory.records.ctypes.data,
            "code_bytes": self.code.size_bytes,
            "block_of_word": self.compiled.block_of_word.ctypes.data,
            "functions": self.compiled.functions.ctypes.data,
            "steps": self.compiled.steps.ctypes.data,
            "scratch_bytes": self.scratch.size,
            "budget": 4096,
        }
        for name, value in values.items():
            launch[name] = value
        return launch

    def _group(self, waves: np.ndarray) -> np.ndarray:
        # A group that runs already, so that nothing is put at its start.
        group = np.zeros(1, dtype=GROUP)
        self._counts = np.zeros(len(self.code.blocks), dtype=np.uint64)
        values = {
            "counts": self._counts.ctypes.data,
            "lds": self.lds.ctypes.data,
            "lds_bytes": LDS_BYTES,
            "waves": waves.ctypes.data,
            "wave_bytes": waves.size,
            "scratch": self.scratch.ctypes.data,
            "count": 1,
            "expected": 1,
            "is_running": 1,
            "at_once": 2,
        }
        for name, value in values.items():
            group[name] = value
        return group


def _aligned(size: int) -> np.ndarray:
    room = np.zeros(size + ALIGNMENT, dtype=np.uint8)
    first = -room.ctypes.data % ALIGNMENT
    return room[first : first + size]
