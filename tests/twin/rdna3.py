"""RDNA3 and RDNA3.5 float WMMA: numerics.md section 4."""

from collections.abc import Sequence

from tests.twin.problem import Problem, chunks
from tests.twin.rdna import narrow_f16, narrow_special, special_step
from tests.twin.values import (
    FINITE,
    Value,
    decode,
    exponent_field,
    floor_units,
    multiply,
    nearest_even,
)

PACKED_F16_LEAD = -14
SMALLEST, LARGEST = -126, 127


def _zero_like(value: Value) -> Value:
    return Value(FINITE, value.negative)


def _factor(name: str, bits: int) -> Value:
    """4.3 step 1 for a and b: only bf16 subnormals are flushed, the sign stays."""
    value = decode(name, bits)
    subnormal = value.kind == FINITE and not exponent_field(name, bits)
    return _zero_like(value) if name == "bf16" and subnormal else value


def _addend(name: str, bits: int) -> Value:
    """4.3 step 1 for C: flushed when its f32 form has a zero exponent field."""
    value = decode(name, bits)
    return value if name == "f16" or exponent_field(name, bits) else _zero_like(value)


def _grid(products: Sequence[Value], c: Value, *, packed_f16: bool) -> int:
    """4.3 step 4."""
    nonzero = [v for v in products if v.significand]
    leads = [v.lead for v in (c, *nonzero) if v.significand]
    if packed_f16:
        leads.append(PACKED_F16_LEAD)
    return max([max(leads) - 26, *(v.exponent - 24 for v in nonzero)])


def _contribution(term: Value, grid: int, *, frame: bool) -> int:
    """4.3 step 5."""
    magnitude = floor_units(term.significand, term.power, grid)
    return magnitude if term.negative == frame else -magnitude - 1


def _narrow_f32(number: int, power: int) -> int:
    """4.3 step 7: 24 bits with unbounded exponent, then flush or overflow."""
    if not number:
        return 0
    sign = 0x80000000 if number < 0 else 0
    magnitude = abs(number)
    places = max(magnitude.bit_length() - 24, 0)
    magnitude = nearest_even(magnitude, places)
    power += places
    exponent = magnitude.bit_length() - 1 + power
    if exponent < SMALLEST:
        return 0
    if exponent > LARGEST:
        return sign | 0x7F800000
    fraction = floor_units(magnitude, power, exponent - 23) & 0x7FFFFF
    return sign | (exponent + 127) << 23 | fraction


def step(products: Sequence[Value], acc: int, d_format: str, *, fp16_ovfl: bool) -> int:
    """4.2 to 4.4: one step, its result narrowed to the output format."""
    found = special_step(products, d_format, acc)
    if found is not None:
        return narrow_special(d_format, found)
    c = _addend(d_format, acc)
    terms = [c, *products]
    if not any(t.significand for t in terms):
        return 0
    grid = _grid(products, c, packed_f16=d_format == "f16")
    units = sum(_contribution(t, grid, frame=c.negative) for t in terms)
    units = -units if c.negative else units
    if d_format == "f16":
        return narrow_f16(units, grid, fp16_ovfl=fp16_ovfl)
    bits = _narrow_f32(units, grid)
    return bits >> 16 if d_format == "bf16" else bits


def rdna3_step(p: Problem) -> int:
    """4.1: steps of two products in ascending k; one step for K=2 (V_DOT2)."""
    a = [_factor(p.a_format, x) for x in p.a]
    b = [_factor(p.b_format, x) for x in p.b]
    products = [multiply(x, y) for x, y in zip(a, b, strict=True)]
    acc = p.c
    for pair in chunks(products, p.step or 2):
        acc = step(pair, acc, p.d_format, fp16_ovfl=p.fp16_ovfl)
    return acc
