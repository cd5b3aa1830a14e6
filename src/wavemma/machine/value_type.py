"""The types in rows of ordinary instructions, and how registers hold their values.

Values of 16-bit floats and narrower are computed as f64: every sum, product, quotient, square
root and fused product of two such numbers, rounded once to f64 and once more to the format, is
what one rounding gives.
"""

from functools import cache
from typing import Literal, TypeVar

import msgspec

from wavemma.engines.engine import Engine, Lane
from wavemma.errors import UnknownName
from wavemma.formats.decode import decode_lanes
from wavemma.formats.encode import Overflow, encode_lanes
from wavemma.formats.format import number_format

V = TypeVar("V")
Kind = Literal["unsigned", "signed", "float", "mask", "flag"]
WORD_BITS = 32
HALVED = 3


class ValueType(msgspec.Struct, frozen=True):
    """How a value is read from bits.

    Attributes:
        name: Such as "u32" or "f16".
        kind: Of number.
        bits: Its width in a register.
        lane: What it is computed in.

    """

    name: str
    kind: Kind
    bits: int
    lane: Lane

    @property
    def registers(self) -> int:
        """Registers of 32 bits."""
        return -(-self.bits // WORD_BITS)

    def value(self, e: Engine[V], bits: V) -> V:
        """Turn bits into the value.

        Args:
            e: The engine.
            bits: I32 lanes, I64 if the type is wider; higher bits than its own are ignored.

        """
        if self.bits in (WORD_BITS, 2 * WORD_BITS):
            return e.bitcast(bits, self.lane) if self.lane.is_float else bits
        if self.kind == "signed":
            shift = WORD_BITS - self.bits
            return e.ashr(e.shl(bits, shift), shift)
        low = e.and_(bits, (1 << self.bits) - 1)
        if self.kind == "unsigned":
            return low
        return decode_lanes(e, number_format(self.name), e.zero_extend(low, Lane.I64))

    def code(self, e: Engine[V], value: V, *, keep_finite: bool = False) -> V:
        """Turn a value into bits: I32 lanes, I64 if the type is wider; zeros above its own.

        Args:
            e: The engine.
            value: The value.
            keep_finite: Whether an f16 overflow becomes the largest finite number.

        """
        if self.bits in (WORD_BITS, 2 * WORD_BITS):
            return e.bitcast(value, self.bits_lane) if self.lane.is_float else value
        if self.kind != "float":
            return e.and_(value, (1 << self.bits) - 1)
        form = number_format(self.name)
        overflow: Overflow = "saturate_finite" if keep_finite and self.name == "f16" else "special"
        return e.convert(encode_lanes(e, form, value, "nearest_even", overflow), Lane.I32)

    @property
    def as_bits(self) -> "ValueType":
        """The same type, read as the number of its bits; constants are those of the type."""
        return ValueType(self.name, "unsigned", self.bits, self.bits_lane)

    @property
    def bits_lane(self) -> Lane:
        """The integers that hold its bits."""
        return Lane.I64 if self.bits > WORD_BITS else Lane.I32

    @property
    def sign(self) -> int:
        """The bit of the sign."""
        return 1 << self.bits - 1


_FLOATS = {"f64": Lane.F64, "f32": Lane.F32, "f16": Lane.F64, "bf16": Lane.F64}
_LETTERS: dict[str, Kind] = {"b": "unsigned", "u": "unsigned", "i": "signed"}
MASK = ValueType("mask", "mask", 1, Lane.BOOL)
FLAG = ValueType("flag", "flag", 1, Lane.BOOL)


@cache
def value_type(name: str) -> ValueType:
    """Find a type.

    Args:
        name: As in rows: f64, f32, f16, bf16, or a letter (b, u, i) and a width; also "mask"
            and "flag".

    Raises:
        UnknownName: It is no such type.

    """
    if name in ("mask", "flag"):
        return MASK if name == "mask" else FLAG
    if name in _FLOATS:
        return ValueType(name, "float", int(name.lstrip("bf")), _FLOATS[name])
    letter, digits = name[:1], name[1:]
    if letter not in _LETTERS or not digits.isdigit() or int(digits) > 2 * WORD_BITS:
        allowed = (*_FLOATS, "mask", "flag", "b32", "u32", "i32", "b64", "u16", "i16")
        raise UnknownName(f"{name!r} is not a type of values.", subject=name, allowed=allowed)
    lane = Lane.I64 if int(digits) > WORD_BITS else Lane.I32
    return ValueType(name, _LETTERS[letter], int(digits), lane)


def types_of_row(text: str) -> tuple[str, str]:
    """Give the types of results and sources that a row's type names: "f32", or "i32_f64"."""
    result, _, source = text.partition("_")
    return result, source or result


def clamped(e: Engine[V], value: V) -> V:
    """Limit floats to 0..1; NaN becomes 0, as the launch mode of all known kernels has it."""
    low = e.select(e.lt(e.constant(e.lane(value), 0.0), value), value, 0.0)
    return e.select(e.lt(low, 1.0), low, 1.0)


def scaled_output(
    e: Engine[V], kind: ValueType, value: V, scale: int, *, keep_finite: bool = False
) -> V:
    """Multiply floats of a type by 2 (scale 1), by 4 (2) or by 1/2 (3), as results are.

    Zeros and subnormals become +0 before it, what is halved below the normal numbers a zero of
    its sign.
    """
    least = number_format(kind.name).min_normal
    tiny = e.lt(e.abs(value), least)
    rounded = value
    if kind.bits != e.lane(value).bits:
        rounded = kind.value(e, kind.code(e, value, keep_finite=keep_finite))
    if scale == HALVED:
        underflows = e.lt(e.abs(rounded), 2.0 * least)
        found = e.mul(rounded, e.select(underflows, e.like(value, 0.0), 0.5))
    else:
        found = e.mul(rounded, 2.0**scale)
    return e.select(tiny, e.constant(e.lane(value), 0.0), found)
