"""Instructions that compute on both halves of their sources, each half by itself.

Sources are registers that hold two numbers of 16 bits, or pairs of registers of 32 bits each.
"""

from typing import TypeVar

from wavemma.engines.engine import Lane
from wavemma.errors import Unsupported
from wavemma.machine.meaning import Meaning
from wavemma.machine.operands import Operands
from wavemma.machine.rounding_mode import ROUNDING, rounding_of
from wavemma.machine.subnormals import result as by_mode_given
from wavemma.machine.subnormals import source as by_mode_taken
from wavemma.machine.value_type import WORD_BITS, ValueType, clamped, value_type

V = TypeVar("V")
_SOURCES = ("a", "b", "c")
_HALVES = (("op_sel", "neg_lo"), ("op_sel_hi", "neg_hi"))
"""The modifiers that choose the half and the sign of each source, by half of the result."""


def packed_value(operands: Operands[V], found: Meaning, result: ValueType, source: ValueType) -> V:
    """Compute both halves and give them as I32 lanes, I64 if a half has 32 bits.

    Args:
        operands: Of the instruction.
        found: What each half computes.
        result: Type of a half of the result, 16 bits or 32.
        source: Type of a half of a source, as many.

    """
    e = operands.engine
    clamp = bool(operands.modifier("clamp"))
    own = {"": source, "result": result, "code": source.as_bits}
    halves: list[V] = []
    for choose, negate in _HALVES:
        values = []
        for part in found.takes:
            if part.role == ROUNDING:
                values.append(rounding_of(operands, result.name))
                continue
            kind = own[part.type] if part.type in own else value_type(part.type)
            values.append(_half_of(operands, part.role, kind, choose, negate))
        value = found.on(e, values, result.name, clamp)
        assert not isinstance(value, tuple)
        if clamp and result.kind == "float":
            value = clamped(e, value)
        value = by_mode_given(operands, result, value)
        halves.append(result.code(e, value, keep_finite=operands.wave.keep_finite))
    return _joined(operands, halves[0], halves[1], result.bits)


def _joined(operands: Operands[V], low: V, high: V, bits: int) -> V:
    e = operands.engine
    if bits == WORD_BITS:
        low, high = e.zero_extend(low, Lane.I64), e.zero_extend(high, Lane.I64)
    return e.or_(low, e.shl(high, bits))


def _half_of(operands: Operands[V], role: str, kind: ValueType, choose: str, negate: str) -> V:
    e = operands.engine
    place = _SOURCES.index(role)
    chosen = operands.modifier(choose) >> place & 1
    if kind.bits == WORD_BITS:
        bits = word_of_pair(operands, role, kind, chosen)
    else:
        bits = operands.word(role, kind)
        bits = e.lshr(bits, kind.bits) if chosen else bits
    if operands.modifier(negate) >> place & 1 and kind.kind == "float":
        bits = e.xor(bits, kind.sign)
    return by_mode_taken(operands, kind, kind.value(e, bits))


def word_of_pair(operands: Operands[V], role: str, kind: ValueType, high: int) -> V:
    """Read the low or the high one of two registers as I32 lanes.

    Args:
        operands: Of the instruction.
        role: Of the source.
        kind: Type of the number, 32 bits; constants are of it.
        high: 1 for the high one.

    Raises:
        Unsupported: The high one of a constant is asked for.

    """
    wave, operand = operands.wave, operands.decoded.operands[role]
    if operand.kind == "vgpr":
        return wave.vector(operand.first + high)
    if operand.kind in ("sgpr", "special_sgpr"):
        pair = wave.pair(operand.code)
        one = wave.scalars.lshr(pair, WORD_BITS) if high else pair
        return wave.spread(wave.scalars.convert(one, Lane.I32))
    if high:
        raise Unsupported("What hardware reads above a constant of 32 bits is not known.")
    return operands.word(role, kind)
