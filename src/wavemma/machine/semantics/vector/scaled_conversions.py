"""Conversions between small floats and wider ones by the power of two of a scale.

AMD's manual of CDNA4 names the steps, not what rounds: results are rounded once, to nearest, and a
scale without a number gives NaN, as scales of matrix instructions do. Nobody has compared hardware.
"""

from collections.abc import Sequence
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.errors import Unsupported
from wavemma.formats.decode import decode_lanes
from wavemma.formats.encode import Overflow, encode_lanes
from wavemma.formats.format import Format, number_format
from wavemma.machine.meaning import action
from wavemma.machine.operands import HALF_BITS, Operands
from wavemma.machine.semantics.vector.scaling import power_of_two
from wavemma.machine.semantics.vector.small_floats import nan_made_one
from wavemma.machine.value_type import WORD_BITS, ValueType, value_type
from wavemma.machine.wave import WaveState

V = TypeVar("V")
_BYTE, _BLOCK = 8, 32
_CHOSEN, _HIGH_RESULT = 3, 4
"""Bits of op_sel: those that choose a part of the source, and that of the half of the result."""
_B32 = value_type("b32")
_F32_FRACTION, _SCALE_BIAS, _NO_SCALE = 23, 127, 0xFF


def _factor(operands: Operands[V], role: str = "b", *, divides: bool = False) -> V:
    """Give the power of two of the scale, or one through it, or NaN, F64."""
    e = operands.engine
    field = e.and_(e.lshr(operands.read(role, _B32), _F32_FRACTION), _NO_SCALE)
    number = e.sub(e.zero_extend(field, Lane.I64), _SCALE_BIAS)
    number = e.sub(e.constant(Lane.I64, 0), number) if divides else number
    power = power_of_two(e, number)
    return e.select(e.eq(field, _NO_SCALE), e.constant(Lane.F64, float("nan")), power)


def _wide(e: Engine[V], form: Format, code: V, factor: V, kind: ValueType) -> V:
    """Give the bits of a small float times a factor in a wider type."""
    value = e.mul(decode_lanes(e, form, e.zero_extend(code, Lane.I64)), factor)
    value = e.select(e.is_nan(value), e.constant(Lane.F64, float("nan")), value)
    return kind.code(e, e.convert(value, kind.lane) if kind.lane is Lane.F32 else value)


def _cut(e: Engine[V], words: Sequence[V], first: int, bits: int) -> V:
    """Take bits that may lie in two words."""
    place, skip = divmod(first, WORD_BITS)
    found = e.lshr(words[place], skip)
    if skip + bits > WORD_BITS:
        found = e.or_(found, e.shl(words[place + 1], WORD_BITS - skip))
    return e.and_(found, (1 << bits) - 1)


def _packed(e: Engine[V], codes: Sequence[V], bits: int) -> list[V]:
    """Put halves, or words, one behind the other into words."""
    if bits == WORD_BITS:
        return list(codes)
    pairs = zip(codes[::2], codes[1::2], strict=True)
    return [e.or_(low, e.shl(high, HALF_BITS)) for low, high in pairs]


def _chosen(operands: Operands[V], most: int) -> int:
    """Give the part of the source that op_sel chooses.

    Raises:
        Unsupported: It chooses what is not there.

    """
    told = operands.modifier("op_sel")
    if told & ~most:
        raise Unsupported("What such an op_sel does to a scaled conversion is not known.")
    return told & _CHOSEN


def _enter_one(small: str, wide: str) -> None:
    form, kind = number_format(f"{small}_ocp"), value_type(wide)

    @action(f"scaled_{small}_to_{wide}", grade="D", is_long=True)
    def one(wave: WaveState[V], operands: Operands[V]) -> None:
        e, is_half = operands.engine, kind.bits < WORD_BITS
        place = _chosen(operands, _CHOSEN | _HIGH_RESULT * is_half)
        code = _cut(e, [operands.read("a", _B32)], _BYTE * place, _BYTE)
        found = _wide(e, form, code, _factor(operands), kind)
        if is_half:
            old = wave.vector(operands.decoded.operands["d"].first)
            if operands.modifier("op_sel") & _HIGH_RESULT:
                found = e.or_(e.and_(old, 0xFFFF), e.shl(found, HALF_BITS))
            else:
                found = e.or_(e.and_(old, -1 << HALF_BITS), found)
        operands.write("d", _B32, found)


def _enter_pair(small: str, form: Format, wide: str) -> None:
    kind = value_type(wide)

    @action(f"scaled_{small}_pair_to_{wide}", grade="D", is_long=True)
    def pair(wave: WaveState[V], operands: Operands[V]) -> None:
        e, factor = operands.engine, _factor(operands)
        first = 2 * form.bits * _chosen(operands, _CHOSEN if 2 * form.bits == _BYTE else 1)
        word = operands.read("a", _B32)
        codes = [
            _wide(e, form, _cut(e, [word], first + at, form.bits), factor, kind)
            for at in (0, form.bits)
        ]
        for number, each in enumerate(_packed(e, codes, kind.bits)):
            wave.set_vector(operands.decoded.operands["d"].first + number, each)


def _enter_block(small: str, wide: str) -> None:
    form, kind = number_format(small), value_type(wide)

    @action(f"scaled_{small}_block_to_{wide}", grade="D", is_long=True)
    def block(wave: WaveState[V], operands: Operands[V]) -> None:
        e, factor, named = operands.engine, _factor(operands), operands.decoded.operands
        words = [wave.vector(named["a"].first + n) for n in range(named["a"].count)]
        codes = [
            _wide(e, form, _cut(e, words, form.bits * n, form.bits), factor, kind)
            for n in range(_BLOCK)
        ]
        for number, each in enumerate(_packed(e, codes, kind.bits)):
            wave.set_vector(named["d"].first + number, each)


def _narrow(wave: WaveState[V], operands: Operands[V], form: Format, wide: str) -> list[V]:
    """Give the codes of two numbers divided by the scale."""
    e, kind = operands.engine, value_type(wide)
    if kind.bits == WORD_BITS:
        numbers = [e.convert(operands.read(role, kind), Lane.F64) for role in "ab"]
        factor = _factor(operands, "c", divides=True)
    else:
        named = operands.decoded.operands["a"]
        if named.is_negated or named.is_absolute or named.kind.startswith("inline"):
            raise Unsupported("What signs and constants are as a pair of halves is not known.")
        word = operands.word("a", kind)
        numbers = [kind.value(e, word), kind.value(e, e.lshr(word, HALF_BITS))]
        factor = _factor(operands, divides=True)
    overflow: Overflow = "saturate_finite" if wave.keep_finite else "special"
    found = []
    for each in numbers:
        value = e.mul(each, factor)
        code = encode_lanes(e, form, value, "nearest_even", overflow)
        found.append(nan_made_one(e, form, value, e.convert(code, Lane.I32)))
    return found


def _enter_into_half(small: str, wide: str) -> None:
    form, is_word = number_format(f"{small}_ocp"), value_type(wide).bits == WORD_BITS

    @action(f"scaled_{wide}_pair_to_{small}", grade="D", is_long=True)
    def into_half(wave: WaveState[V], operands: Operands[V]) -> None:
        e, high = operands.engine, 2 * _HIGH_RESULT if is_word else _HIGH_RESULT
        _chosen(operands, high)
        low, upper = _narrow(wave, operands, form, wide)
        code, first = e.or_(low, e.shl(upper, _BYTE)), operands.decoded.operands["d"].first
        old = wave.vector(first)
        if operands.modifier("op_sel") & high:
            wave.set_vector(first, e.or_(e.and_(old, 0xFFFF), e.shl(code, HALF_BITS)))
        else:
            wave.set_vector(first, e.or_(e.and_(old, -1 << HALF_BITS), code))


for _to in ("f32", "f16", "bf16"):
    for _from in ("fp8", "bf8"):
        _enter_pair(_from, number_format(f"{_from}_ocp"), _to)
        _enter_into_half(_from, _to)
        if _to != "bf16":
            _enter_one(_from, _to)
    for _from in ("fp6", "bf6"):
        _enter_block(_from, _to)
    _enter_pair("fp4", number_format("fp4"), _to)
