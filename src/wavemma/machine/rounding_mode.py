"""Rounding that the mode register chooses while code runs.

Code that never changes the mode is compiled for rounding to nearest. Where a code object may
change it, or a kernel starts with another one, instructions that round are marked, and those with
a meaning in `BY_MODE` read the mode each time.
"""

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

import msgspec

from wavemma.isa.ordinary import DecodedOrdinary, OrdinaryInstruction
from wavemma.isa.ordinary.catalog import ordinary_table
from wavemma.machine.meaning import BY_MODE, BY_MODE_MARK
from wavemma.machine.operands import Operands
from wavemma.machine.value_type import WORD_BITS, value_type
from wavemma.objects import Placed
from wavemma.tables.abi import bit_fields, numbers

V = TypeVar("V")
MODE = "MODE"
ROUNDING = "rounding"
"""The part of a meaning that is the direction, as hardware numbers them."""
ROUND_32, ROUND_16_64 = "ROUND_32", "ROUND_16_64"
_NUMBER_WRITES, _GROUP_WRITES = "write_hardware_register_constant", "set_rounding"
_LATE_WRITES = "write_hardware_register"


def rounding_of(operands: Operands[V], kind: str) -> V:
    """Read from the mode in which direction floats of a type are rounded, I32.

    Args:
        operands: Of the instruction.
        kind: Name of the type of the result.

    """
    name = ROUND_32 if value_type(kind).bits == WORD_BITS else ROUND_16_64
    row = bit_fields(MODE, operands.decoded.instruction.architecture)[name]
    wave, s = operands.wave, operands.wave.scalars
    bits = s.and_(s.lshr(wave.mode(), row.lo), (1 << row.hi - row.lo + 1) - 1)
    return wave.spread(bits) if operands.unit == "vector" else bits


def selected(decoded: DecodedOrdinary) -> tuple[str, int, int]:
    """Give the name of the register, the first bit and the width that a number selects."""
    architecture = decoded.instruction.architecture
    number = decoded.operands["number"].value
    found = {}
    for part in ordinary_table(architecture).rows.parts:
        if part.immediate == "hwreg":
            found[part.word] = number >> part.lo & (1 << part.hi - part.lo + 1) - 1
    names = {value: name for name, value in numbers("hwreg_id", architecture).items()}
    name = names.get(found["register"], "")
    return name, found["first_bit"], found["width_less_one"] + 1


def rounding_bits(architecture: str) -> int:
    """Give the bits of the mode that say how floats are rounded."""
    rows = bit_fields(MODE, architecture)
    found = 0
    for name in (ROUND_32, ROUND_16_64):
        if name in rows:
            found |= (1 << rows[name].hi + 1) - (1 << rows[name].lo)
    return found


def changes_rounding(decoded: DecodedOrdinary) -> bool:
    """Tell whether an instruction may make floats round in another way than to nearest."""
    meaning, bits = decoded.instruction.row.meaning, 0
    if meaning == _GROUP_WRITES:
        return bool(decoded.operands["number"].value)
    if meaning in (_NUMBER_WRITES, _LATE_WRITES):
        name, first, width = selected(decoded)
        if name == MODE:
            written = decoded.literal if meaning == _NUMBER_WRITES else -1
            bits = ((written or 0) & (1 << width) - 1) << first
    return bool(bits & rounding_bits(decoded.instruction.architecture))


def by_mode(listed: Sequence[Placed], *, always: bool) -> Sequence[Placed]:
    """Mark the instructions that round as the mode says, if it may be another one.

    Args:
        listed: As `objects.listing` gives them.
        always: Whether it is another one from the start.

    """
    ordinary = [e.instruction for e in listed if isinstance(e.instruction, DecodedOrdinary)]
    if not always and not any(changes_rounding(each) for each in ordinary):
        return listed
    return [
        msgspec.structs.replace(each, instruction=_marked(each.instruction))
        if isinstance(each.instruction, DecodedOrdinary)
        else each
        for each in listed
    ]


def _marked(decoded: DecodedOrdinary) -> DecodedOrdinary:
    second = _marked(decoded.second) if decoded.second else None
    own = _instruction(decoded.instruction)
    return msgspec.structs.replace(decoded, instruction=own, second=second)


@cache
def _instruction(instruction: OrdinaryInstruction) -> OrdinaryInstruction:
    if instruction.row.meaning not in BY_MODE:
        return instruction
    name = instruction.row.meaning + BY_MODE_MARK
    row = msgspec.structs.replace(instruction.row, meaning=name)
    return msgspec.structs.replace(instruction, row=row)
