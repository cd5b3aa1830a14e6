"""Exact values of every number format, with integers only (numerics.md section 2)."""

import functools
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

FINITE, INFINITE, NAN, INVALID = range(4)
"""What a value is; INVALID is a product of an infinity and a zero."""


class Format(NamedTuple):
    """One floating format; ``special`` says which patterns are no numbers."""

    signs: int
    exponents: int
    mantissas: int
    bias: int
    special: str

    @property
    def width(self) -> int:
        """Bits of one element."""
        return self.signs + self.exponents + self.mantissas

    @property
    def infinity(self) -> int:
        """Pattern of +infinity where the format is IEEE-like."""
        return ((1 << self.exponents) - 1) << self.mantissas

    @property
    def sign(self) -> int:
        """Mask of the sign bit, 0 without one."""
        return (1 << (self.width - 1)) if self.signs else 0


FORMATS = {
    "f64": Format(1, 11, 52, 1023, "ieee"),
    "f32": Format(1, 8, 23, 127, "ieee"),
    "xf32": Format(1, 8, 23, 127, "ieee"),
    "f16": Format(1, 5, 10, 15, "ieee"),
    "bf16": Format(1, 8, 7, 127, "ieee"),
    "fp8_ocp": Format(1, 4, 3, 7, "ones"),
    "bf8_ocp": Format(1, 5, 2, 15, "ieee"),
    "fp8_fnuz": Format(1, 4, 3, 8, "negative zero"),
    "bf8_fnuz": Format(1, 5, 2, 16, "negative zero"),
    "fp6": Format(1, 2, 3, 1, "none"),
    "bf6": Format(1, 3, 2, 3, "none"),
    "fp4": Format(1, 2, 1, 1, "none"),
    "e5m3": Format(0, 5, 3, 15, "ones"),
    "e4m3": Format(1, 4, 3, 7, "ones"),
}
XF32_DROPPED = 0x1FFF


class Value(NamedTuple):
    """A decoded number: |x| = significand * 2**power when ``kind`` is FINITE.

    ``exponent`` is e(x) of the notation: that of the leading place of the format,
    a subnormal's being the smallest normal's; for a product the sum of both.
    """

    kind: int
    negative: bool
    significand: int = 0
    power: int = 0
    exponent: int = 0

    @property
    def signed(self) -> int:
        """The significand with the sign."""
        return -self.significand if self.negative else self.significand

    @property
    def lead(self) -> int:
        """Exponent of the most significant set bit; only for nonzero finite values."""
        return self.significand.bit_length() - 1 + self.power

    def shifted(self, places: int) -> "Value":
        """The value times 2**places."""
        return self._replace(power=self.power + places, exponent=self.exponent + places)


def _special_kind(form: Format, bits: int) -> int:
    magnitude = bits & ~form.sign
    if form.special == "ieee" and magnitude >= form.infinity:
        return INFINITE if magnitude == form.infinity else NAN
    if form.special == "ones" and magnitude == (1 << (form.width - form.signs)) - 1:
        return NAN
    if form.special == "negative zero" and bits == form.sign:
        return NAN
    return FINITE


@functools.lru_cache(maxsize=1 << 18)
def decode(name: str, bits: int) -> Value:
    """Decode one element.

    Args:
        name: Format name, a key of FORMATS or "e8m0".
        bits: Its pattern, unsigned.

    Returns:
        The exact value with its class and sign.
    """
    if name == "e8m0":
        return (
            Value(NAN, False) if bits == 0xFF else Value(FINITE, False, 1, bits - 127, bits - 127)
        )
    form = FORMATS[name]
    if bits >> form.width or bits < 0:
        raise ValueError(f"{bits:#x} is no pattern of {form.width} bits ({name})")
    if name == "xf32":
        bits &= ~XF32_DROPPED
    negative = bool(bits & form.sign)
    kind = _special_kind(form, bits)
    if kind != FINITE:
        return Value(kind, negative)
    field = exponent_field(name, bits)
    significand = bits & ((1 << form.mantissas) - 1)
    if field:
        significand |= 1 << form.mantissas
    exponent = max(field, 1) - form.bias
    return Value(FINITE, negative, significand, exponent - form.mantissas, exponent)


def exponent_field(name: str, bits: int) -> int:
    """The biased exponent field of a pattern."""
    form = FORMATS[name]
    return (bits >> form.mantissas) & ((1 << form.exponents) - 1)


def exact(name: str, bits: int) -> Fraction:
    """The value of a finite pattern as a fraction."""
    value = decode(name, bits)
    if value.kind != FINITE:
        raise ValueError(f"{bits:#x} of {name} is not finite")
    return Fraction(value.signed) * Fraction(2) ** value.power


def nearest_even(magnitude: int, places: int) -> int:
    """magnitude / 2**places, rounded to nearest even; magnitude and places >= 0."""
    quotient = magnitude >> places
    rest = (magnitude - (quotient << places)) * 2
    unit = 1 << places
    if rest > unit or (rest == unit and quotient & 1):
        quotient += 1
    return quotient


def encode(name: str, number: int, power: int, *, nearest: bool = True) -> int:
    """Round number * 2**power to an IEEE-like format, subnormals included.

    Args:
        name: "f64", "f32", "f16" or "bf16".
        number: Signed integer.
        power: Its unit is 2**power.
        nearest: To nearest even; otherwise toward zero.

    Returns:
        The pattern. 0 gives +0, an underflow keeps its sign, and an overflow gives an
        infinity (toward zero: the largest finite value).
    """
    form = FORMATS[name]
    magnitude = abs(number)
    if not magnitude:
        return 0
    lowest = 1 - form.bias
    exponent = max(magnitude.bit_length() - 1 + power, lowest)
    places = exponent - form.mantissas - power
    if places <= 0:
        units = magnitude << -places
    else:
        units = nearest_even(magnitude, places) if nearest else magnitude >> places
    bits = units + ((exponent - lowest) << form.mantissas)
    bits = min(bits, form.infinity if nearest else form.infinity - 1)
    return bits | (form.sign if number < 0 else 0)


def encode_fraction(name: str, number: Fraction, *, nearest: bool = True) -> int:
    """Round a fraction whose denominator is a power of two; see encode."""
    power = number.denominator.bit_length() - 1
    if number.denominator != 1 << power:
        raise ValueError(f"{number} has a denominator that is no power of two")
    return encode(name, number.numerator, -power, nearest=nearest)


def encode_value(name: str, value: Value) -> int | None:
    """Round a value to nearest even, keeping the sign of zeros; None for a NaN."""
    form = FORMATS[name]
    sign = form.sign if value.negative else 0
    if value.kind >= NAN:
        return None
    if value.kind == INFINITE:
        return form.infinity | sign
    return encode(name, value.significand, value.power) | sign


def floor_units(number: int, power: int, grid: int) -> int:
    """floor(number * 2**power / 2**grid)."""
    places = grid - power
    return number >> places if places >= 0 else number << -places


def trunc_units(number: int, power: int, grid: int) -> int:
    """number * 2**power / 2**grid, cut toward zero."""
    units = floor_units(abs(number), power, grid)
    return -units if number < 0 else units


def multiply(a: Value, b: Value) -> Value:
    """The exact product; INVALID for an infinity times a zero."""
    negative = a.negative != b.negative
    if a.kind == FINITE and b.kind == FINITE:
        return Value(
            FINITE,
            negative,
            a.significand * b.significand,
            a.power + b.power,
            a.exponent + b.exponent,
        )
    if NAN in (a.kind, b.kind):
        return Value(NAN, negative)
    finite = b if a.kind == INFINITE else a
    invalid = finite.kind == FINITE and not finite.significand
    return Value(INVALID if invalid else INFINITE, negative)


def widen(name: str, bits: int) -> int:
    """An f16, bf16 or f32 pattern as f32, exactly; NaN payloads are shifted up."""
    form = FORMATS[name]
    value = decode(name, bits)
    if value.kind == NAN:
        payload = (bits & ((1 << form.mantissas) - 1)) << (23 - form.mantissas)
        return (0x80000000 if value.negative else 0) | 0x7F800000 | payload
    widened = encode_value("f32", value)
    assert widened is not None
    return widened


def pack(elements: Sequence[int], width: int) -> list[int]:
    """Elements as a little-endian bit stream cut into dwords."""
    stream = sum(element << (width * i) for i, element in enumerate(elements))
    dwords = -(-width * len(elements) // 32)
    return [(stream >> (32 * i)) & 0xFFFFFFFF for i in range(dwords)]


def unpack(dwords: Sequence[int], width: int) -> list[int]:
    """The whole elements of a dword tuple, element 0 in the lowest bits."""
    stream = sum(dword << (32 * i) for i, dword in enumerate(dwords))
    mask = (1 << width) - 1
    return [(stream >> (width * i)) & mask for i in range(32 * len(dwords) // width)]
