"""Where compiled code keeps a wave, its workgroup and the launch in memory.

The layouts here are read by compiled code through `place` and by Python as NumPy records; nothing
else knows an offset.
"""

from enum import IntEnum

import numpy as np

SCALARS = 128
"""Scalar registers, by source code: those without a number, such as exec, are among them."""
WAVE = np.dtype(
    [
        ("scalars", "<u4", SCALARS),
        ("scc", "<u4"),
        ("mode", "<u4"),
        ("block", "<u4"),
        ("status", "<u4"),
        ("budget", "<i8"),
        ("phase", "<u4"),
        ("number", "<u4"),
        ("scratch", "<u8"),
        ("target", "<u8"),
        ("fault_address", "<u8"),
        ("fault_kind", "<u4"),
        ("fault_lane", "<u4"),
        ("fault_offset", "<u4"),
        ("fault_bytes", "<u4"),
        ("fault_writes", "<u4"),
        ("unused", "<u4"),
        ("group", "<u8"),
        ("launch", "<u8"),
    ]
)
"""One wave before its vector registers: block to run next, counted back-edges left, phase of the
barrier it has arrived at, address of its scratch memory, address that an unknown jump leads to,
what went wrong where, and addresses of its workgroup and launch, for steps."""
VECTORS = 640
"""Offset of the vector registers in bytes: u32 [register][lane]; AGPRs follow in the same file."""
ALIGNMENT = 64
GROUP = np.dtype(
    [
        ("lds", "<u8"),
        ("waves", "<u8"),
        ("wave_bytes", "<u8"),
        ("lds_bytes", "<u4"),
        ("count", "<u4"),
        ("expected", "<u4"),
        ("arrived", "<u4"),
        ("phase", "<u4"),
        ("is_running", "<u4"),
        ("index", "<u8"),
        ("scratch", "<u8"),
        ("counts", "<u8"),
        ("id", "<u4", 3),
        ("fault_wave", "<u4"),
        ("at_once", "<u4"),
        ("reserved", "<u4"),
    ]
)
"""One workgroup: its memory, its waves, how many the barrier expects and has, its number, how often
each block ran on the thread that runs it, and how many may end before the host has a look."""
PATCH = np.dtype([("code", "<u4"), ("what", "<u4")])
"""A scalar register, and what is put into it when a workgroup starts, by or."""
PATCHES = ("group_x", "group_y", "group_z", "group_yz_packed", "scratch_low", "scratch_high")
"""What patches write: the number of the workgroup along an axis, or two of them in 16 bits; or half
of the address of the wave's scratch memory."""
LAUNCH = np.dtype(
    [
        ("memory", "<u8"),
        ("pages", "<u8"),
        ("table", "<u8"),
        ("records", "<u8"),
        ("code", "<u8"),
        ("code_bytes", "<u8"),
        ("block_of_word", "<u8"),
        ("functions", "<u8"),
        ("steps", "<u8"),
        ("next_group", "<u8"),
        ("groups", "<u8"),
        ("templates", "<u8"),
        ("template_bytes", "<u8"),
        ("patches", "<u8"),
        ("patch_count", "<u8"),
        ("scratch_bytes", "<u8"),
        ("grid", "<u4", 3),
        ("entry_block", "<u4"),
        ("budget", "<i8"),
        ("stop", "<u4"),
        ("reserved", "<u4"),
        ("trace", "<u8"),
        ("trace_used", "<u8"),
        ("trace_room", "<u8"),
        ("trace_flush", "<u8"),
    ]
)
"""One launch: device memory and its tables (see `memory`), the code and its blocks, the next
workgroup to start, what waves start with, and where code that is traced notes its stores (see
`instrument`)."""


STEP = np.dtype(
    [
        ("function", "<u8"),
        ("offset", "<u4"),
        ("behind", "<u4"),
        ("following", "<u4"),
        ("reserved", "<u4"),
        ("arguments", "<u8", 8),
    ]
)
"""One instruction of a block that runs step by step: its function, where it and the next one lie
in the code, the block behind its own, and what its operands name."""
PLACES = 3
"""Arguments of a step that it is given as places: so many bytes behind the wave."""


class Status(IntEnum):
    """How a wave, or a workgroup, stands; blocks return those below zero, only steps the last."""

    NO_MORE = 1
    READY = 0
    ENDED = -1
    FAULT = -2
    GAVE_WAY = -3
    WAITING = -4
    UNKNOWN_TARGET = -5
    MISSING = -6
    GOES_ON = -7


class Fault(IntEnum):
    """What went wrong in a wave."""

    NONE = 0
    OUT_OF_RANGE = 1
    READ_ONLY = 2
    FREED = 3
    MISALIGNED = 4
    OUTSIDE_LDS = 5
    OUTSIDE_SCRATCH = 6
    TRAP = 7
    UNSUPPORTED = 8
    BAD_JUMP = 9
    NO_CODE = 10
    DEADLOCK = 11
    TOO_LONG = 12


def place(record: np.dtype, name: str, index: int = 0) -> int:
    """Give the offset in bytes of a member of a record, or of one of its elements."""
    member, offset = record.fields[name][:2]  # type: ignore[index]
    return int(offset) + index * int(member.base.itemsize)
