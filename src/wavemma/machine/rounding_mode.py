"""Rounding that the mode register chooses while code runs.

Code that never changes the mode is compiled for rounding to nearest. Where it may, instructions
with a meaning in `BY_MODE` are marked (see `mode_marks`) and read the mode each time.
"""

from typing import TypeVar

from wavemma.isa.ordinary import DecodedOrdinary
from wavemma.isa.ordinary.catalog import ordinary_table
from wavemma.machine.meaning import BY_MODE
from wavemma.machine.operands import Operands
from wavemma.machine.value_type import WORD_BITS, value_type
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


def rounds(meaning: str, _type: str) -> bool:
    """Tell whether a meaning has another one that rounds as the mode says."""
    return meaning in BY_MODE
