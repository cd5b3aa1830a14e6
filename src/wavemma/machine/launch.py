"""One launch of a kernel: workgroups on threads, each in a place of its own."""

import threading
import time
from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import NDArray

from wavemma.errors import KernelFault, MemoryMistake, WavemmaError
from wavemma.machine.compiled.code import CompiledCode
from wavemma.machine.compiled.state import ALIGNMENT, GROUP, LAUNCH, VECTORS, WAVE, Status
from wavemma.machine.compiled.translate import Code
from wavemma.machine.fault import deadlock, fault_of
from wavemma.machine.geometry import Geometry
from wavemma.machine.memory.device_memory import DeviceMemory
from wavemma.machine.start.workgroup import Start
from wavemma.machine.watchdog import Watchdog

BACK_EDGES = 4096
"""Back-edges that a wave runs before it gives way."""
_PLACES = 64
_POLL_SECONDS = 0.1


class Job(msgspec.Struct, frozen=True):
    """What a launch needs.

    Attributes:
        kernel: Name, for messages.
        code: The compiled code.
        entry: Offset of the first instruction in the code.
        base: Address of the code object's image.
        start: What waves start with.
        geometry: Its shape.
        memory: Device memory.
        threads: How many run workgroups.
        seconds: How long it may take; None for ever.
        whole_grid: Whether all workgroups must run side by side.
        ordered: Whether workgroups start in order on one thread.

    """

    kernel: str
    code: CompiledCode
    entry: int
    base: int
    start: Start
    geometry: Geometry
    memory: DeviceMemory
    threads: int = 1
    seconds: float | None = None
    whole_grid: bool = False
    ordered: bool = False


class Report(msgspec.Struct, frozen=True):
    """What a launch did.

    Attributes:
        seconds: Host time.
        block_counts: How often each block ran, over all waves; all 0 if interpreted.
        code: The code in blocks.
        geometry: The shape of the launch.

    """

    seconds: float
    block_counts: NDArray[np.uint64]
    code: Code
    geometry: Geometry


class _Place:
    """Memory of one workgroup that runs."""

    def __init__(self, job: Job, counts: NDArray[np.uint64]) -> None:
        start, count = job.start, job.geometry.waves(job.start.wave)
        vectors = max(start.vectors, job.code.vectors, 4)
        wave_bytes = VECTORS + vectors * start.wave * 4
        wave_bytes += -wave_bytes % ALIGNMENT
        self.waves = _aligned(count * wave_bytes)
        self.lds = _aligned(max(start.lds_bytes, 1))
        self.scratch = _aligned(max(count * start.scratch_bytes, 1))
        self.group = np.zeros(1, dtype=GROUP)
        record = self.group[0]
        record["lds"], record["lds_bytes"] = self.lds.ctypes.data, start.lds_bytes
        record["waves"], record["wave_bytes"] = self.waves.ctypes.data, wave_bytes
        record["counts"] = counts.ctypes.data
        record["scratch"], record["count"] = self.scratch.ctypes.data, count
        self.wave_bytes = wave_bytes

    @property
    def address(self) -> int:
        return int(self.group.ctypes.data)

    def wave(self, number: int) -> np.void:
        first = number * self.wave_bytes
        record: np.void = self.waves[first : first + WAVE.itemsize].view(WAVE)[0]
        return record


class Launch:
    """Runs a job to its end.

    Args:
        job: The job.

    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self.record = np.zeros(1, dtype=LAUNCH)
        self.counts = np.zeros(len(job.code.code.blocks), dtype=np.uint64)
        self._fill()
        self._lock = threading.Lock()
        self._failure: BaseException | None = None
        self._watchdog = Watchdog(job.kernel, job.seconds)

    def _fill(self) -> None:
        job, one = self.job, self.record[0]
        memory, code = job.memory, job.code
        values = {
            "memory": memory.start,
            "pages": memory.pages,
            "table": memory.table.ctypes.data,
            "records": memory.records.ctypes.data,
            "code": job.base + code.code.start,
            "code_bytes": code.code.size_bytes,
            "block_of_word": code.block_of_word.ctypes.data,
            "functions": code.functions.ctypes.data,
            "groups": job.geometry.groups,
            "templates": job.start.templates.ctypes.data,
            "template_bytes": job.start.templates.shape[1],
            "patches": job.start.patches.ctypes.data,
            "patch_count": job.start.patches.size,
            "scratch_bytes": job.start.scratch_bytes,
            "budget": BACK_EDGES,
            "grid": job.geometry.grid,
            "entry_block": code.code.numbers[job.entry],
        }
        for name, value in values.items():
            one[name] = value

    def run(self) -> Report:
        """Run all workgroups.

        Raises:
            KernelFault: A wave did what it must not.
            Unsupported: A wave came to an instruction that cannot be run.
            WatchdogExpired: It took too long.

        """
        begun = time.perf_counter()
        threads = 1 if self.job.ordered else min(self.job.threads, self.job.geometry.groups)
        if threads == 1:
            self._work()
        else:
            self._on_threads(threads)
        if self._failure is not None:
            raise self._failure
        elapsed = time.perf_counter() - begun
        return Report(elapsed, self.counts, self.job.code.code, self.job.geometry)

    def _on_threads(self, count: int) -> None:
        workers = [threading.Thread(target=self._work, daemon=True) for _ in range(count)]
        for each in workers:
            each.start()
        try:
            for each in workers:
                while each.is_alive():
                    each.join(_POLL_SECONDS)
        except BaseException:
            self._stop(None)
            for each in workers:
                each.join()
            raise

    def _stop(self, failure: BaseException | None) -> None:
        if self._failure is None:
            self._failure = failure
        self.record[0]["stop"] = 1

    def _work(self) -> None:
        counts = np.zeros_like(self.counts)
        try:
            self._rotate(counts)
        except BaseException as error:
            self._stop(error)
            if not isinstance(error, WavemmaError):
                raise
        finally:
            with self._lock:
                self.counts += counts

    def _rotate(self, counts: NDArray[np.uint64]) -> None:
        """Run places in turn; one more whenever all that there are want others to run.

        Args:
            counts: How often each block ran on this thread: compiled code adds to it.

        """
        job, launch = self.job, int(self.record.ctypes.data)
        most = job.geometry.groups if job.whole_grid else _PLACES
        places = [_Place(job, counts)]
        while places and not self.record[0]["stop"]:
            for place in list(places):
                status = Status(job.code.run_groups(place.address, launch))
                if status is Status.NO_MORE:
                    places.remove(place)
                else:
                    _ON_STATUS[status](self, place)
                if self.record[0]["stop"]:
                    return
            more = int(self.record[0]["next_group"]) < job.geometry.groups
            if places and more and len(places) < most:
                places.append(_Place(job, counts))

    def _goes_on(self, place: _Place) -> None:
        self._watchdog.look(place.group[0]["id"])

    def _missing(self, place: _Place) -> None:
        wave = place.wave(int(place.group[0]["fault_wave"]))
        self.job.code.compile(int(wave["block"]))

    def _fault(self, place: _Place) -> None:
        job, group = self.job, place.group[0]
        wave = place.wave(int(group["fault_wave"]))
        raise fault_of(job.kernel, job.code.code, wave, group, job.memory, job.base)

    def _unknown_target(self, place: _Place) -> None:
        wave = place.wave(int(place.group[0]["fault_wave"]))
        raise KernelFault(
            f"{self.job.kernel}: a jump leads to 0x{int(wave['target']):x}, which is no start of a"
            " block of its code.",
            subject=int(wave["target"]),
        )

    def _waiting(self, place: _Place) -> None:
        count = int(place.group[0]["count"])
        raise deadlock(self.job.kernel, [place.wave(n) for n in range(count)], place.group[0])


_ON_STATUS: dict[Status, Callable[[Launch, _Place], None]] = {
    Status.ENDED: Launch._goes_on,
    Status.GAVE_WAY: Launch._goes_on,
    Status.MISSING: Launch._missing,
    Status.FAULT: Launch._fault,
    Status.UNKNOWN_TARGET: Launch._unknown_target,
    Status.WAITING: Launch._waiting,
}


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
