"""What a wave did wrong, in words."""

import numpy as np

from wavemma.errors import KernelFault, Unsupported, WavemmaError
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import text_any
from wavemma.machine.compiled.state import Fault
from wavemma.machine.compiled.translate import Code
from wavemma.machine.memory.device_memory import DeviceMemory
from wavemma.objects import Placed

_WORDS = {
    Fault.OUT_OF_RANGE: "reads or writes {bytes} bytes at 0x{address:x}, outside of every"
    " allocation",
    Fault.READ_ONLY: "writes {bytes} bytes at 0x{address:x}, which it may only read",
    Fault.FREED: "reads or writes {bytes} bytes at 0x{address:x}, which were freed",
    Fault.MISALIGNED: "reaches {bytes} bytes at 0x{address:x}, which must be aligned",
    Fault.OUTSIDE_LDS: "reads or writes {bytes} bytes at LDS address 0x{address:x}; the workgroup"
    " has {lds} bytes",
    Fault.OUTSIDE_SCRATCH: "reads or writes {bytes} bytes at scratch address 0x{address:x}, more"
    " than the kernel asked for",
    Fault.TRAP: "traps: the program called abort, or an assertion failed",
    Fault.UNSUPPORTED: "cannot be run here: what it computes is not known",
    Fault.NONE: "stopped",
}
_IN_MEMORY = (Fault.OUT_OF_RANGE, Fault.READ_ONLY, Fault.FREED, Fault.MISALIGNED)


def fault_of(
    kernel: str, code: Code, wave: np.void, group: np.void, memory: DeviceMemory, base: int
) -> WavemmaError:
    """Make the error that tells what a wave did, and where.

    Args:
        kernel: Name of the kernel.
        code: Its code.
        wave: The wave's record.
        group: The workgroup's record.
        memory: Device memory.
        base: Address of the code object's image.

    """
    kind = Fault(int(wave["fault_kind"]))
    placed = instruction_at(code, int(wave["fault_offset"]))
    address = int(wave["fault_address"])
    what = _WORDS[kind].format(
        bytes=int(wave["fault_bytes"]), address=address, lds=int(group["lds_bytes"])
    )
    text = _text(placed)
    where = f"workgroup {tuple(int(n) for n in group['id'])}, wave {int(wave['number'])}"
    if kind in (*_IN_MEMORY, Fault.OUTSIDE_LDS, Fault.OUTSIDE_SCRATCH):
        where += f", lane {int(wave['fault_lane'])}"
    place = f"0x{placed.address:x}" if placed else "?"
    function = f" in {placed.function}" if placed and placed.function else ""
    sentence = f"{kernel}: '{text}' at {place}{function} {what} ({where})."
    if kind is Fault.UNSUPPORTED:
        return Unsupported(sentence, subject=text)
    hint = f"{memory.describe(address).capitalize()}." if kind in _IN_MEMORY else ""
    return KernelFault(sentence, subject=text, hint=hint)


def deadlock(kernel: str, waves: list[np.void], group: np.void) -> WavemmaError:
    """Make the error of a workgroup whose waves all wait for a barrier."""
    count = len(waves)
    where = tuple(int(n) for n in group["id"])
    return KernelFault(
        f"{kernel}: every wave of workgroup {where} waits at a barrier that not all {count} waves"
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


def _text(placed: Placed | None) -> str:
    if placed is None:
        return "an unknown instruction"
    if isinstance(placed.instruction, Undecoded):
        return f"the word 0x{int.from_bytes(placed.data[:4], 'little'):08x}"
    return text_any(placed.instruction)
