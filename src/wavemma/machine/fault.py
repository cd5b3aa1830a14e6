"""What a wave did wrong, in words."""

from collections.abc import Callable, Iterable, Sequence

import msgspec
import numpy as np

from wavemma.errors import KernelFault, Unsupported, WatchdogExpired
from wavemma.machine.compiled.state import Fault
from wavemma.machine.job import Job
from wavemma.machine.memory.device_memory import PAGE_BYTES
from wavemma.machine.standing import Standing, instruction_at, standings_text, text_of
from wavemma.machine.wave_registers import WaveRegisters
from wavemma.objects import SourceLine
from wavemma.objects.source_name import kernel_words, source_name

Registers = Callable[[int], WaveRegisters]
"""Copies the registers of a wave."""

_WORDS = {
    Fault.OUT_OF_RANGE: "{does} {bytes} bytes at 0x{address:x}, outside of every allocation",
    Fault.READ_ONLY: "writes {bytes} bytes at 0x{address:x}, which it may only read",
    Fault.FREED: "{does} {bytes} bytes at 0x{address:x}, which were freed",
    Fault.MISALIGNED: "reaches {bytes} bytes at 0x{address:x}, which must be aligned",
    Fault.OUTSIDE_LDS: "{does} {bytes} bytes at LDS address 0x{address:x}; the workgroup"
    " has {lds} bytes",
    Fault.OUTSIDE_SCRATCH: "{does} {bytes} bytes at scratch address 0x{address:x}, more"
    " than the kernel asked for",
    Fault.TRAP: "traps: the program called abort, or an assertion failed",
    Fault.UNSUPPORTED: "cannot be run here: what it computes is not known",
    Fault.BAD_JUMP: "jumps to 0x{address:x}, where no block of its code begins",
    Fault.NO_CODE: "leads to where there is no code of its kernel",
    Fault.NONE: "stopped",
}
_IN_MEMORY = (Fault.OUT_OF_RANGE, Fault.READ_ONLY, Fault.FREED, Fault.MISALIGNED)
_OF_A_LANE = (*_IN_MEMORY, Fault.OUTSIDE_LDS, Fault.OUTSIDE_SCRATCH)
_OF_AN_ADDRESS = (*_OF_A_LANE, Fault.BAD_JUMP)


class Stop(msgspec.Struct, frozen=True, kw_only=True):
    """Where and how a wave of a kernel stopped; errors have it as their `record`.

    Attributes:
        kernel: Name.
        fault: What went wrong.
        instruction: Its text.
        code_address: Of the instruction in the code object's image.
        function: Around it, "" if there is none.
        line: Of the source, if the compiler noted it (-g).
        group: Number of the workgroup along x, y and z.
        wave: Number in the workgroup.
        lane: That reached memory; None if none did.
        address: That it reached, counted in device memory, LDS or scratch, or jumped to; None if
            none.
        size_bytes: How many bytes it reached.
        writes: Whether it writes them, as stores and atomics do.
        nearest: Where a device address lies: inside of which allocation, or how far from one.
        registers: Of the wave.
        waves: Where all waves of the workgroup stand, if the launch had no end.

    """

    kernel: str
    fault: Fault
    instruction: str
    code_address: int
    function: str
    line: SourceLine | None
    group: tuple[int, int, int]
    wave: int
    lane: int | None
    address: int | None
    size_bytes: int
    writes: bool
    nearest: str
    registers: WaveRegisters
    waves: tuple[Standing, ...] = ()


def stop_of(job: Job, wave: np.void, group: np.void, registers: WaveRegisters) -> Stop:
    """Put together what is known of a wave that stopped.

    Args:
        job: The launch.
        wave: The wave's record.
        group: The workgroup's record.
        registers: The wave's registers.

    """
    kind = Fault(int(wave["fault_kind"]))
    code = job.code.code
    offset = int(wave["fault_offset"])
    placed = instruction_at(code, offset)
    address = int(wave["fault_address"])
    x, y, z = (int(n) for n in group["id"])
    return Stop(
        kernel=job.kernel,
        fault=kind,
        instruction=text_of(placed),
        code_address=code.start + offset,
        function=placed.function if placed else "",
        line=job.module.found.debug.line(code.start + offset),
        group=(x, y, z),
        wave=int(wave["number"]),
        lane=int(wave["fault_lane"]) if kind in _OF_A_LANE else None,
        address=address if kind in _OF_AN_ADDRESS else None,
        size_bytes=int(wave["fault_bytes"]) if kind in _OF_A_LANE else 0,
        writes=bool(wave["fault_writes"]) and kind in _OF_A_LANE,
        nearest=_nearest(job, kind, address),
        registers=registers,
    )


def fault_of(
    job: Job, wave: np.void, group: np.void, registers: WaveRegisters
) -> KernelFault | Unsupported:
    """Make the error that tells what a wave did, and where; arguments as for `stop_of`."""
    stop = stop_of(job, wave, group, registers)
    what = _WORDS[stop.fault].format(
        does="writes" if stop.writes else "reads",
        bytes=stop.size_bytes,
        address=stop.address or 0,
        lds=int(group["lds_bytes"]),
    )
    where = f"workgroup {stop.group}, wave {stop.wave}"
    if stop.lane is not None:
        where += f", lane {stop.lane}"
    function = f" in {source_name(stop.function)}" if stop.function else ""
    line = f", {stop.line}," if stop.line else ""
    sentence = (
        f"{kernel_words(stop.kernel)}: '{stop.instruction}' at 0x{stop.code_address:x}"
        f"{function}{line} {what} ({where})."
    )
    if stop.fault is Fault.UNSUPPORTED:
        return Unsupported(sentence, subject=stop.instruction, record=stop)
    hint = f"{stop.nearest[0].upper()}{stop.nearest[1:]}." if stop.nearest else ""
    return KernelFault(sentence, subject=stop.instruction, hint=hint, record=stop)


def deadlock(
    job: Job, group: Iterable[int], waves: Sequence[Standing], registers: Registers
) -> KernelFault:
    """Make the error of a workgroup whose waves all wait for a barrier.

    Args:
        job: The launch.
        group: Number of the workgroup.
        waves: Where its waves stand.
        registers: Copies the registers of one.

    """
    stop = _unended(job, group, waves, registers, Fault.DEADLOCK)
    return KernelFault(
        f"{kernel_words(job.kernel)}: every wave of workgroup {stop.group} waits at a barrier"
        f" that not all {len(waves)} waves reach.",
        subject=job.kernel,
        hint=standings_text(waves),
        record=stop,
    )


def too_long(
    job: Job, group: Iterable[int], waves: Sequence[Standing], registers: Registers
) -> WatchdogExpired:
    """Make the error of a launch whose time is over; arguments as for `deadlock`."""
    return job.watchdog.expired(
        group,
        standings_text(waves),
        _unended(job, group, waves, registers, Fault.TOO_LONG),
    )


def _unended(
    job: Job, group: Iterable[int], waves: Sequence[Standing], registers: Registers, kind: Fault
) -> Stop:
    """Put together what is known of a workgroup without an end, at its first wave that counts."""
    does = "waits" if kind is Fault.DEADLOCK else "runs"
    one = next((each for each in waves if each.does == does), waves[0])
    x, y, z = (int(n) for n in group)
    return Stop(
        kernel=job.kernel,
        fault=kind,
        instruction=one.instruction,
        code_address=one.code_address,
        function=one.function,
        line=one.line,
        group=(x, y, z),
        wave=one.wave,
        lane=None,
        address=None,
        size_bytes=0,
        writes=False,
        nearest="",
        registers=registers(one.wave),
        waves=tuple(waves),
    )


def _nearest(job: Job, kind: Fault, address: int) -> str:
    """Say where an address of device memory lies."""
    if kind not in _IN_MEMORY:
        return ""
    if address < PAGE_BYTES:
        # An offset in LDS can be misaligned, too.
        return "" if kind is Fault.MISALIGNED else "a pointer of the kernel is null"
    return job.memory.describe(address)
