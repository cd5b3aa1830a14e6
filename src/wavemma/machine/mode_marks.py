"""Which instructions read the mode register: marks behind the names of their meanings.

Where a code object may change how floats are rounded, or what becomes of subnormals, or a kernel
starts with another mode than known compilers ask for, all instructions that this touches are
marked, at whatever place the change is.
"""

from collections.abc import Callable, Sequence
from functools import cache

import msgspec

from wavemma.isa.ordinary import DecodedOrdinary, OrdinaryInstruction
from wavemma.machine.meaning import BY_MODE_MARK, FLUSH_MARK
from wavemma.machine.rounding_mode import changes_rounding, rounding_bits, rounds
from wavemma.machine.subnormals import changes_subnormals, has_floats, subnormal_bits
from wavemma.objects import Placed

Touched = Callable[[str, str], bool]
"""Whether a mark is for a meaning, by its name and the type of the row."""


def marks_of_start(mode: int, architecture: str) -> str:
    """Give the marks of what a mode changes.

    Args:
        mode: The register.
        architecture: Key of the target's architecture.

    """
    rounding = BY_MODE_MARK if mode & rounding_bits(architecture) else ""
    return rounding + (FLUSH_MARK if ~mode & subnormal_bits(architecture) else "")


def with_modes(listed: Sequence[Placed], marked: str) -> Sequence[Placed]:
    """Mark the instructions that must read the mode.

    Args:
        listed: As `objects.listing` gives them.
        marked: Marks of what the mode that waves start with changes.

    """
    ordinary = [e.instruction for e in listed if isinstance(e.instruction, DecodedOrdinary)]
    for mark, changes, touched in (
        (BY_MODE_MARK, changes_rounding, rounds),
        (FLUSH_MARK, changes_subnormals, has_floats),
    ):
        if mark in marked or any(map(changes, ordinary)):
            listed = [_placed(each, mark, touched) for each in listed]
    return listed


def _placed(each: Placed, mark: str, touched: Touched) -> Placed:
    if not isinstance(each.instruction, DecodedOrdinary):
        return each
    return msgspec.structs.replace(each, instruction=_marked(each.instruction, mark, touched))


def _marked(decoded: DecodedOrdinary, mark: str, touched: Touched) -> DecodedOrdinary:
    second = _marked(decoded.second, mark, touched) if decoded.second else None
    own = _instruction(decoded.instruction, mark, touched)
    return msgspec.structs.replace(decoded, instruction=own, second=second)


@cache
def _instruction(
    instruction: OrdinaryInstruction, mark: str, touched: Touched
) -> OrdinaryInstruction:
    own = instruction.row
    if not touched(own.meaning, own.type):
        return instruction
    row = msgspec.structs.replace(own, meaning=own.meaning + mark)
    return msgspec.structs.replace(instruction, row=row)
