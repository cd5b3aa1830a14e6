"""What a wave did wrong, in words."""

import msgspec
import numpy as np

from wavemma.errors import KernelFault, Unsupported, WavemmaError
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import text_any
from wavemma.machine.compiled.state import Fault
from wavemma.machine.compiled.translate import Code
from wavemma.machine.job import Job
from wavemma.machine.memory.device_memory import PAGE_BYTES
from wavemma.machine.wave_registers import WaveRegisters
from wavemma.objects import Placed, SourceLine

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
        instruction=_text(placed),
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
    function = f" in {stop.function}" if stop.function else ""
    line = f", {stop.line}," if stop.line else ""
    sentence = (
        f"{stop.kernel}: '{stop.instruction}' at 0x{stop.code_address:x}{function}{line} {what}"
        f" ({where})."
    )
    if stop.fault is Fault.UNSUPPORTED:
        return Unsupported(sentence, subject=stop.instruction, record=stop)
    hint = f"{stop.nearest[0].upper()}{stop.nearest[1:]}." if stop.nearest else ""
    return KernelFault(sentence, subject=stop.instruction, hint=hint, record=stop)


def deadlock(kernel: str, waves: int, group: np.void) -> WavemmaError:
    """Make the error of a workgroup whose waves all wait for a barrier."""
    where = tuple(int(n) for n in group["id"])
    return KernelFault(
        f"{kernel}: every wave of workgroup {where} waits at a barrier that not all {waves} waves"
        " reach.",
        subject=kernel,
    )


def instruction_at(code: Code, offset: int) -> Placed | None:
    """Find the instruction at an offset of the code."""
    starts = [block.offset for block in code.blocks]
    number = int(np.searchsorted(starts, offset, side="right")) - 1
    for each in code.blocks[max(number, 0)].instructions:
        if each.address - code.start == offset:
            return each
    return None


def _nearest(job: Job, kind: Fault, address: int) -> str:
    """Say where an address of device memory lies."""
    if kind not in _IN_MEMORY:
        return ""
    if address < PAGE_BYTES:
        # An offset in LDS can be misaligned, too.
        return "" if kind is Fault.MISALIGNED else "a pointer of the kernel is null"
    return job.memory.describe(address)


def _text(placed: Placed | None) -> str:
    if placed is None:
        return "an unknown instruction"
    if isinstance(placed.instruction, Undecoded):
        return f"the word 0x{int.from_bytes(placed.data[:4], 'little'):08x}"
    return text_any(placed.instruction)
