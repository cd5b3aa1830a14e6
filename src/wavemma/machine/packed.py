"""Instructions that compute on both halves of their registers, each half by itself."""

from typing import TypeVar

from wavemma.machine.meaning import Meaning
from wavemma.machine.operands import HALF_BITS, Operands
from wavemma.machine.value_type import ValueType, clamped, value_type

V = TypeVar("V")
_SOURCES = ("a", "b", "c")
_HALVES = (("op_sel", "neg_lo"), ("op_sel_hi", "neg_hi"))
"""The modifiers that choose the half and the sign of each source, by half of the result."""


def packed_value(operands: Operands[V], found: Meaning, result: ValueType, source: ValueType) -> V:
    """Compute both halves and give them as I32 lanes.

    Args:
        operands: Of the instruction.
        found: What each half computes.
        result: Type of a half of the result, 16 bits.
        source: Type of a half of a source, 16 bits.

    """
    e = operands.engine
    clamp = bool(operands.modifier("clamp"))
    own = {"": source, "result": result, "code": source.as_bits}
    halves: list[V] = []
    for choose, negate in _HALVES:
        values = []
        for part in found.takes:
            kind = own[part.type] if part.type in own else value_type(part.type)
            values.append(_half_of(operands, part.role, kind, choose, negate))
        value = found.on(e, values, result.name, clamp)
        assert not isinstance(value, tuple)
        if clamp and result.kind == "float":
            value = clamped(e, value)
        halves.append(result.code(e, value))
    return e.or_(halves[0], e.shl(halves[1], HALF_BITS))


def _half_of(operands: Operands[V], role: str, kind: ValueType, choose: str, negate: str) -> V:
    e = operands.engine
    place = _SOURCES.index(role)
    bits = operands.word(role, kind)
    if operands.modifier(choose) >> place & 1:
        bits = e.lshr(bits, HALF_BITS)
    if operands.modifier(negate) >> place & 1 and kind.kind == "float":
        bits = e.xor(bits, kind.sign)
    return kind.value(e, bits)
