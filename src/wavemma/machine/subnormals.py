"""Subnormal floats, which the mode register may let instructions take, or give, as zeros.

Code that never changes the mode is compiled for subnormals that are kept. Where it may,
instructions on floats are marked (see `mode_marks`) and read the mode each time. What matrix
instructions and sums of two products do with subnormals is part of their models; atomics in memory
keep them.
"""

from typing import TypeVar

from wavemma.formats.format import number_format
from wavemma.isa.ordinary import DecodedOrdinary
from wavemma.machine.meaning import FLUSH_MARK, Meaning, find_meaning, marks
from wavemma.machine.operands import Operands
from wavemma.machine.rounding_mode import MODE, selected
from wavemma.machine.value_type import WORD_BITS, ValueType, types_of_row
from wavemma.tables.abi import bit_fields

V = TypeVar("V")
DENORM_32, DENORM_16_64 = "DENORM_32", "DENORM_16_64"
_FLOATS = ("f16", "f32", "f64")
_SOURCES, _RESULTS = 0, 1
"""The bit of a field that says whether subnormals are kept among these."""
_NUMBER_WRITES, _GROUP_WRITES = "write_hardware_register_constant", "set_subnormals"
_LATE_WRITES = "write_hardware_register"


def source(operands: Operands[V], kind: ValueType, value: V) -> V:
    """Give a source as its instruction takes it.

    Args:
        operands: Of the instruction.
        kind: Type of the source; what is no float stays as it is.
        value: Its value.

    """
    if not _follows(operands, kind):
        return value
    return _zeroed(operands, kind, value, _keeps(operands, kind, _SOURCES))


def result(operands: Operands[V], kind: ValueType, value: V) -> V:
    """Give a result as its instruction gives it.

    Args:
        operands: Of the instruction.
        kind: Type of the result; what is no float stays as it is.
        value: Its value, rounded or not.

    """
    if not _follows(operands, kind):
        return value
    e = operands.engine
    # A number may round up to the smallest normal one.
    rounded = kind.value(e, kind.code(e, value, keep_finite=operands.wave.keep_finite))
    return _zeroed(operands, kind, rounded, _keeps(operands, kind, _RESULTS))


def keeps_results(operands: Operands[V], kind: ValueType) -> V | None:
    """Tell whether subnormal results are kept, BOOL; None where they are, without a look."""
    return _keeps(operands, kind, _RESULTS) if _follows(operands, kind) else None


def subnormal_bits(architecture: str) -> int:
    """Give the bits of the mode that keep subnormals."""
    rows = bit_fields(MODE, architecture)
    found = 0
    for name in (DENORM_32, DENORM_16_64):
        found |= (1 << rows[name].hi + 1) - (1 << rows[name].lo)
    return found


def changes_subnormals(decoded: DecodedOrdinary) -> bool:
    """Tell whether an instruction may let subnormals become zeros."""
    meaning, kept = (
        decoded.instruction.row.meaning,
        subnormal_bits(decoded.instruction.architecture),
    )
    if meaning == _GROUP_WRITES:
        lo = bit_fields(MODE, decoded.instruction.architecture)[DENORM_32].lo
        return bool(kept & ~(decoded.operands["number"].value << lo))
    if meaning not in (_NUMBER_WRITES, _LATE_WRITES):
        return False
    name, first, width = selected(decoded)
    written = (decoded.literal or 0) if meaning == _NUMBER_WRITES else 0
    touched = ((1 << width) - 1) << first
    return name == MODE and bool(kept & touched & ~(written << first))


def has_floats(meaning: str, row_type: str) -> bool:
    """Tell whether a meaning of a row takes or gives floats whose subnormals the mode governs."""
    found = find_meaning(meaning)
    parts = [*found.takes, *found.gives] if isinstance(found, Meaning) else []
    return any(kind in _FLOATS for kind in (*types_of_row(row_type), *(p.type for p in parts)))


def _follows(operands: Operands[V], kind: ValueType) -> bool:
    own = operands.decoded.instruction.row.meaning
    return kind.kind == "float" and kind.name in _FLOATS and FLUSH_MARK in marks(own)


def _keeps(operands: Operands[V], kind: ValueType, bit: int) -> V:
    name = DENORM_32 if kind.bits == WORD_BITS else DENORM_16_64
    row = bit_fields(MODE, operands.decoded.instruction.architecture)[name]
    wave, s = operands.wave, operands.wave.scalars
    one = s.and_(s.lshr(wave.mode(), row.lo + bit), 1)
    return operands.engine.eq(wave.spread(one) if operands.unit == "vector" else one, 1)


def _zeroed(operands: Operands[V], kind: ValueType, value: V, keeps: V) -> V:
    """Let subnormals become zeros of their sign, unless they are kept."""
    e = operands.engine
    tiny = e.lt(e.abs(value), number_format(kind.name).min_normal)
    return e.select(keeps, value, e.select(tiny, e.mul(value, 0.0), value))
