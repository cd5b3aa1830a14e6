"""A launch on NumPy arrays, instruction by instruction: slow, for debugging and as reference."""

from collections.abc import Callable
from contextlib import closing

import numpy as np

from wavemma.errors import WavemmaError
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import DecodedOrdinary, branch_target
from wavemma.machine.compiled.state import GROUP, PATCHES, VECTORS, WAVE, Fault
from wavemma.machine.fault import deadlock, fault_of, too_long
from wavemma.machine.group_place import scratch_memory
from wavemma.machine.interpreted.memory import GroupMemory, Stopped
from wavemma.machine.interpreted.wave import ArrayWave
from wavemma.machine.job import Job
from wavemma.machine.launch import BACK_EDGES
from wavemma.machine.operands import Operands
from wavemma.machine.perform import is_taken, perform, unit_of
from wavemma.machine.standing import Does, Standing, standing_of
from wavemma.machine.start.registers import WORD
from wavemma.machine.value_type import value_type
from wavemma.machine.wave_registers import WaveRegisters, wave_registers
from wavemma.objects import Placed

Watch = Callable[[ArrayWave, Placed], None]
"""Sees a wave before each of its instructions."""
_ADDRESS = value_type("u64")


class _Runner:
    """One wave and where it is."""

    def __init__(self, wave: ArrayWave, number: int, address: int) -> None:
        self.wave = wave
        self.number = number
        self.address = address
        self.has_ended = False

    def can_run(self) -> bool:
        """Tell whether it neither ended nor waits."""
        if self.wave.waits and self.wave.phase != self.wave.memory.phase:
            self.wave.waits = False
        return not (self.has_ended or self.wave.waits)


def interpret(job: Job, watch: Watch | None = None) -> None:
    """Run all workgroups of a launch, one after the other; waves take turns.

    Args:
        job: The launch.
        watch: Sees every wave before each of its instructions.

    Raises:
        KernelFault: A wave did what it must not.
        Unsupported: A wave came to an instruction that cannot be run.
        WatchdogExpired: It took too long.

    """
    placed = {each.address: each for block in job.code.code.blocks for each in block.instructions}
    x, y, z = job.geometry.grid
    for index in range(x * y * z):
        number = index % x, index // x % y, index // (x * y)
        with closing(_Group(job, placed, number, watch)) as group:
            group.run()


class _Group:
    """One workgroup."""

    def __init__(
        self,
        job: Job,
        placed: dict[int, Placed],
        number: tuple[int, int, int],
        watch: Watch | None,
    ) -> None:
        self.job = job
        self.placed = placed
        self.number = number
        self.watch = watch
        count = job.geometry.waves(job.start.wave)
        self.memory = GroupMemory(job.memory, job.start.lds_bytes, count)
        self.scratch = scratch_memory(job, count)
        self.runners = [self._runner(wave) for wave in range(count)]

    def _runner(self, number: int) -> _Runner:
        start = self.job.start
        template = start.templates[number]
        record = template[: WAVE.itemsize].view(WAVE)[0]
        scalars = record["scalars"].copy()
        x, y, z = self.number
        scratch = self.scratch + number * start.scratch_bytes
        values = dict(
            zip(PATCHES, (x, y, z, y | z << 16, scratch & WORD, scratch >> 32), strict=True)
        )
        for patch in start.patches:
            scalars[int(patch["code"])] |= values[PATCHES[int(patch["what"])]]
        count = max(start.vectors, self.job.code.vectors, 4)
        vectors = np.zeros((count, start.wave), dtype=np.uint32)
        given = template[VECTORS:].view(np.uint32).reshape(-1, start.wave)
        vectors[: given.shape[0]] = given
        wave = ArrayWave(
            start.wave,
            self.job.code.codes,
            scalars,
            vectors,
            self.memory,
            self.job.memory.array(scratch, np.uint8, (start.scratch_bytes,))
            if start.scratch_bytes
            else np.zeros(0, dtype=np.uint8),
            accumulator_offset=start.accumulator_offset,
            keep_finite=start.keep_finite,
            mode=int(record["mode"]),
        )
        return _Runner(wave, number, self.job.code.code.start + self.job.entry)

    def close(self) -> None:
        """Give device memory back."""
        if self.scratch:
            self.job.memory.free(self.scratch)

    def run(self) -> None:
        """Run all waves to their end."""
        while not all(runner.has_ended for runner in self.runners):
            ready = [runner for runner in self.runners if runner.can_run()]
            if not ready:
                raise deadlock(self.job, self.number, self._standings(), self._registers_of)
            for runner in ready:
                self._until_wait(runner)

    def _until_wait(self, runner: _Runner) -> None:
        """Run one wave until it waits or lets others run, at the latest after some time."""
        runner.wave.gave_way = False
        for _ in range(BACK_EDGES):
            if not runner.can_run() or runner.wave.gave_way:
                return
            if self.job.watchdog.is_over():
                raise too_long(self.job, self.number, self._standings(), self._registers_of)
            at = runner.address
            try:
                self._step(runner)
            except Stopped as stopped:
                raise self._fault(runner, at, stopped) from None

    def _step(self, runner: _Runner) -> None:
        each = self.placed.get(runner.address)
        if each is None:
            raise Stopped(Fault.NO_CODE)
        if isinstance(each.instruction, Undecoded):
            raise Stopped(Fault.UNSUPPORTED)
        if self.watch:
            self.watch(runner.wave, each)
        behind = _behind(each)
        runner.wave.next_address = self.job.base + behind
        decoded = each.instruction
        flow = ""
        if isinstance(decoded, DecodedOrdinary):
            flow = decoded.instruction.row.flow
        if flow and runner.wave.indexed is not None:
            raise Stopped(Fault.UNSUPPORTED)
        if not flow:
            runner.address = behind
            try:
                perform(runner.wave, decoded)
            except WavemmaError:
                raise Stopped(Fault.UNSUPPORTED) from None
            return
        assert isinstance(decoded, DecodedOrdinary)
        self._go(runner, each, decoded, flow)

    def _go(self, runner: _Runner, each: Placed, decoded: DecodedOrdinary, flow: str) -> None:
        behind = _behind(each)
        target = branch_target(decoded, each.address)
        operands = Operands(runner.wave, decoded, unit_of(decoded))
        if flow == "end":
            runner.has_ended = True
            self.memory.leave()
            return
        if flow in ("far_jump", "far_call"):
            address = int(np.asarray(operands.read("a", _ADDRESS)).reshape(-1)[0])
            target = address - self.job.base
            if target not in self.placed:
                raise Stopped(Fault.BAD_JUMP, address)
        elif flow == "branch" and not bool(is_taken(runner.wave, decoded).reshape(-1)[0]):
            target = behind
        if flow in ("call", "far_call") and "d" in operands.slots:
            operands.write("d", _ADDRESS, runner.wave.program_counter())
        assert target is not None
        if target not in self.placed:
            raise Stopped(Fault.NO_CODE)
        runner.address = target

    def _record(self) -> np.void:
        record: np.void = np.zeros(1, dtype=GROUP)[0]
        record["id"] = self.number
        record["lds_bytes"] = self.job.start.lds_bytes
        return record

    def _fault(self, runner: _Runner, address: int, stopped: Stopped) -> WavemmaError:
        record: np.void = np.zeros(1, dtype=WAVE)[0]
        record["number"] = runner.number
        record["fault_kind"] = int(stopped.kind)
        record["fault_address"] = stopped.address
        record["fault_lane"] = stopped.lane
        record["fault_bytes"] = stopped.size_bytes
        record["fault_writes"] = stopped.writes
        record["fault_offset"] = address - self.job.code.code.start
        return fault_of(self.job, record, self._record(), self._registers(runner.wave))

    def _standings(self) -> tuple[Standing, ...]:
        return tuple(map(self._standing, self.runners))

    def _standing(self, runner: _Runner) -> Standing:
        does: Does = "ended" if runner.has_ended else "runs" if runner.can_run() else "waits"
        placed = self.placed.get(runner.address)
        if does == "waits":
            # It has done its instruction, which lies before the one where it goes on.
            before = (each for each in self.placed.values() if _behind(each) == runner.address)
            placed = next(before, None)
        return standing_of(runner.number, does, placed, self.job.module.found.debug)

    def _registers_of(self, number: int) -> WaveRegisters:
        return self._registers(self.runners[number].wave)

    def _registers(self, wave: ArrayWave) -> WaveRegisters:
        return wave_registers(
            self.job.module.target.architecture,
            wave.scalar_words.view(np.uint32),
            wave.vector_words.view(np.uint32)[: self.job.start.vectors],
            self.job.start.accumulator_offset,
            scc=int(wave.condition[0]),
            mode=int(wave.mode_word.view(np.uint32)[0]),
        )


def _behind(each: Placed) -> int:
    """Give the address of what follows an instruction."""
    return each.address + len(each.data)
