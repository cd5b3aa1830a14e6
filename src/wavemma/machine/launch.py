"""One launch of a kernel: workgroups on threads, each in a place of its own."""

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack

import numpy as np
from numpy.typing import NDArray

from wavemma.errors import WavemmaError
from wavemma.machine.compiled.state import LAUNCH, Fault, Status
from wavemma.machine.crew import begin
from wavemma.machine.fault import deadlock, fault_of, too_long
from wavemma.machine.group_place import GroupPlace, check_whole_grid
from wavemma.machine.job import Job, Report

BACK_EDGES = 4096
"""Back-edges that a wave runs before it gives way."""
_PLACES = 64
_POLL_SECONDS = 0.1
_LOOK_SECONDS = 0.03


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
        self._look_at = time.monotonic() + _LOOK_SECONDS

    def _fill(self) -> None:
        job = self.job
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
            "steps": code.steps.ctypes.data,
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
        if job.trace is not None:
            values |= {
                "trace": job.trace.buffer.ctypes.data,
                "trace_room": job.trace.buffer.size,
                "trace_flush": job.trace.flush_address,
            }
        self.record[0] = tuple(values.get(name, 0) for name in LAUNCH.names or ())

    def run(self) -> Report:
        """Run all workgroups.

        Raises:
            KernelFault: A wave did what it must not.
            Unsupported: A wave came to an instruction that cannot be run.
            WatchdogExpired: It took too long.
            MemoryMistake: Its workgroups find no room.

        """
        begun = time.perf_counter()
        if self.job.whole_grid:
            check_whole_grid(self.job)
        threads = 1 if self.job.ordered else min(self.job.threads, self.job.geometry.groups)
        if threads == 1:
            self._work()
        else:
            self._on_threads(threads)
        if self._failure is not None:
            raise self._failure
        if self.job.trace is not None:
            self.job.trace.take(int(self.record[0]["trace_used"]))
        elapsed = time.perf_counter() - begun
        return Report(elapsed, self.counts, self.job.code.code, self.job.geometry)

    def _on_threads(self, count: int) -> None:
        running: list[threading.Event] = []
        try:
            for _ in range(count - 1):
                running.append(begin(self._work))
            # This thread runs its share: a wave begins sooner than on one that must wake up.
            self._work()
            for each in running:
                while not each.wait(_POLL_SECONDS):
                    pass
        except BaseException:
            self._stop(None)
            for each in running:
                each.wait()
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
            if self.job.code.heat:
                self.job.code.heat.look(counts, is_over=True)

    def _rotate(self, counts: NDArray[np.uint64]) -> None:
        """Run places in turn; one more whenever all that there are want others to run.

        Args:
            counts: How often each block ran on this thread: compiled code adds to it.

        """
        job = self.job
        most = job.geometry.groups if job.whole_grid else _PLACES
        with ExitStack() as closed:
            places = [_opened(job, counts, closed)]
            while places and not self.record[0]["stop"]:
                all_wait = self._turn(places)
                self._warm(counts)
                more = int(self.record[0]["next_group"]) < job.geometry.groups
                if places and all_wait and more and len(places) < most:
                    places.append(_opened(job, counts, closed))

    def _turn(self, places: list[GroupPlace]) -> bool:
        """Run each place once, and drop those that have no more; tell whether all gave way."""
        found = []
        for each in list(places):
            status = each.run(int(self.record.ctypes.data))
            found.append(status)
            if status is Status.NO_MORE:
                places.remove(each)
            else:
                _ON_STATUS[status](self, each)
            if self.record[0]["stop"]:
                break
        return all(status is Status.GAVE_WAY for status in found)

    def _warm(self, counts: NDArray[np.uint64]) -> None:
        """Have what runs hot compiled, while this launch runs on."""
        if self.job.code.heat and time.monotonic() > self._look_at:
            self._look_at = time.monotonic() + _LOOK_SECONDS
            self.job.code.heat.look(counts)

    def _goes_on(self, place: GroupPlace) -> None:
        watchdog, record = self.job.watchdog, place.group[0]
        if not watchdog.is_over():
            return
        if not record["is_running"]:
            raise watchdog.expired(record["id"])
        raise too_long(self.job, record["id"], place.standings(), place.registers)

    def _missing(self, place: GroupPlace) -> None:
        wave = place.wave(int(place.group[0]["fault_wave"]))
        self.job.code.compile(int(wave["block"]))
        self.job.watchdog.look_at_compiler(place.group[0]["id"])

    def _fault(self, place: GroupPlace) -> None:
        number = int(place.group[0]["fault_wave"])
        raise fault_of(self.job, place.wave(number), place.group[0], place.registers(number))

    def _unknown_target(self, place: GroupPlace) -> None:
        wave = place.wave(int(place.group[0]["fault_wave"]))
        wave["fault_kind"], wave["fault_address"] = int(Fault.BAD_JUMP), wave["target"]
        self._fault(place)

    def _waiting(self, place: GroupPlace) -> None:
        raise deadlock(self.job, place.group[0]["id"], place.standings(), place.registers)


def _opened(job: Job, counts: NDArray[np.uint64], closed: ExitStack) -> GroupPlace:
    """Make a place that is closed with others."""
    place = GroupPlace(job, counts)
    closed.callback(place.close)
    return place


_ON_STATUS: dict[Status, Callable[[Launch, GroupPlace], None]] = {
    Status.ENDED: Launch._goes_on,
    Status.GAVE_WAY: Launch._goes_on,
    Status.MISSING: Launch._missing,
    Status.FAULT: Launch._fault,
    Status.UNKNOWN_TARGET: Launch._unknown_target,
    Status.WAITING: Launch._waiting,
}
