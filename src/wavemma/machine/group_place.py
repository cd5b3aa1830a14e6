"""Memory of a workgroup that runs: its waves, LDS and scratch."""

import os
import time

import numpy as np
from numpy.typing import NDArray

from wavemma.errors import MemoryMistake
from wavemma.machine.compiled.state import ALIGNMENT, GROUP, VECTORS, WAVE, Status
from wavemma.machine.job import Job
from wavemma.machine.standing import Does, Standing, standing_of
from wavemma.machine.wave_registers import WaveRegisters, wave_registers

_DOES: dict[int, Does] = {int(Status.WAITING): "waits", int(Status.ENDED): "ended"}
_FIRST_AT_ONCE = 4
_LOOK_SECONDS = 0.02
"""How long workgroups run before the host has a look at the time and at signals."""
_SHARE = 2
"""All workgroups of a launch that stay at one time take at most 1/2 of the host's memory."""


class GroupPlace:
    """Memory of one workgroup.

    Args:
        job: The launch.
        counts: How often each block ran: compiled code adds to it.

    Attributes:
        group: Its record.

    """

    def __init__(self, job: Job, counts: NDArray[np.uint64]) -> None:
        start, count = job.start, job.geometry.waves(job.start.wave)
        self._job = job
        self._wave_bytes = wave_bytes(job)
        self._waves = _aligned(count * self._wave_bytes)
        self._lds = _aligned(max(start.lds_bytes, 1))
        # In device memory, as code can learn its address and reach it there.
        self._scratch = scratch_memory(job, count)
        self.group = np.zeros(1, dtype=GROUP)
        record = self.group[0]
        record["lds"], record["lds_bytes"] = self._lds.ctypes.data, start.lds_bytes
        record["waves"], record["wave_bytes"] = self._waves.ctypes.data, self._wave_bytes
        record["counts"] = counts.ctypes.data
        record["scratch"], record["count"] = self._scratch, count
        record["at_once"] = _FIRST_AT_ONCE

    def run(self, launch: int) -> Status:
        """Run workgroups until none is left, one cannot go on, or it is time for a look.

        Args:
            launch: Address of the launch's record.

        """
        begun = time.perf_counter()
        status = Status(self._job.code.run_groups(self.address, launch))
        if status is Status.ENDED:
            count = int(self.group[0]["at_once"])
            fitting = int(count * _LOOK_SECONDS / (time.perf_counter() - begun))
            self.group[0]["at_once"] = max(1, min(2 * count, fitting))
        return status

    def close(self) -> None:
        """Give device memory back."""
        if self._scratch:
            self._job.memory.free(self._scratch)

    @property
    def address(self) -> int:
        """Address of the record."""
        return int(self.group.ctypes.data)

    def wave(self, number: int) -> np.void:
        """Give the record of a wave."""
        record: np.void = self._of_wave(number)[: WAVE.itemsize].view(WAVE)[0]
        return record

    def registers(self, number: int) -> WaveRegisters:
        """Copy the registers of a wave."""
        record, start = self.wave(number), self._job.start
        words = self._of_wave(number)[VECTORS:].view(np.uint32)
        whole = words[: words.size // start.wave * start.wave].reshape(-1, start.wave)
        return wave_registers(
            self._job.module.target.architecture,
            record["scalars"],
            whole[: start.vectors],
            start.accumulator_offset,
            scc=int(record["scc"]),
            mode=int(record["mode"]),
        )

    def standings(self) -> tuple[Standing, ...]:
        """Tell where all waves stand."""
        return tuple(map(self._standing, range(int(self.group[0]["count"]))))

    def _standing(self, number: int) -> Standing:
        record, code = self.wave(number), self._job.code.code
        does = _DOES.get(int(record["status"].view(np.int32)), "runs")
        following = int(record["block"])
        # A wave that waits has done its instruction: it ends the block before.
        block, at = (following - 1, -1) if does == "waits" else (following, 0)
        known = 0 <= block < len(code.blocks)
        placed = code.blocks[block].instructions[at] if known else None
        return standing_of(number, does, placed, self._job.module.found.debug)

    def _of_wave(self, number: int) -> NDArray[np.uint8]:
        first = number * self._wave_bytes
        return self._waves[first : first + self._wave_bytes]


def wave_bytes(job: Job) -> int:
    """Count the bytes of one wave."""
    vectors = max(job.start.vectors, job.code.vectors, 4)
    size = VECTORS + vectors * job.start.wave * 4
    return size + -size % ALIGNMENT


def scratch_memory(job: Job, waves: int) -> int:
    """Get device memory for the scratch of so many waves; 0 if they need none.

    Raises:
        MemoryMistake: There is no room.

    """
    size = waves * job.start.scratch_bytes
    name = f"scratch memory of {job.kernel}"
    return job.memory.allocate(size, name, is_ours=True) if size else 0


def check_whole_grid(job: Job) -> None:
    """Refuse to keep all workgroups of a launch side by side where they are too many.

    Raises:
        MemoryMistake: They take too much of the host's memory.

    """
    own = job.geometry.waves(job.start.wave) * (wave_bytes(job) + job.start.scratch_bytes)
    needed = job.geometry.groups * (own + job.start.lds_bytes)
    room = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // _SHARE
    if needed > room:
        raise MemoryMistake(
            f"The workgroups of a cooperative launch must all be kept at one time, in at most"
            f" {room:,} bytes of this computer; {job.geometry.groups:,} of {job.kernel} need"
            f" {needed:,}.",
            subject=job.geometry.groups,
            hint="Launch fewer workgroups.",
        )


def _aligned(size: int) -> NDArray[np.uint8]:
    """Reserve bytes that vector instructions may load whole."""
    try:
        raw = np.zeros(size + ALIGNMENT, dtype=np.uint8)
    except MemoryError:
        raise MemoryMistake(
            f"The host must have room for registers, LDS and scratch memory of a workgroup; it"
            f" has none for {size:,} bytes.",
            subject=size,
        ) from None
    first = -int(raw.ctypes.data) % ALIGNMENT
    return raw[first : first + size]
