"""Powers of two of f32 as RDNA3 and RDNA4 compute them, to the last bit.

Between thirty-seconds an exponent's power is a cubic in fixed point, whose coefficients are those
of the power there, times 2**(n/32). AMD's emulator (source `rj`) has what gfx1100 and gfx1201 gave:
it fixes the numbers below, and where products are rounded.
"""

from collections.abc import Sequence
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import meaning

V = TypeVar("V")
CONSTANT, LINEAR, QUADRATIC, CUBIC = 2.0**28, 5814540.574, 8060267.978, 28.735
"""The coefficients at 0, in units of 2**-28, 2**-28, 2**-35 and 2**-24."""
MISROUNDED = 0x955A_55A5_5585_5615
"""Two bits for each thirty-second: one more than hardware's constant exceeds the rounded one by."""
FRACTION = 29
STEPS = 32


@meaning("power_in_steps", "a:f32", "d:f32", is_long=True)
def power_in_steps(e: Engine[V], a: V) -> V:
    """Give 2**x of f32."""
    phase = _phase(e, a)
    step = e.and_(e.ashr(phase, FRACTION - 5), STEPS - 1)
    significand = _cubic(e, _coefficients(e, step), e.and_(phase, (1 << FRACTION - 5) - 1))
    exponent = e.shl(e.add(e.ashr(phase, FRACTION), 126), 23)
    found = e.bitcast(e.convert(e.add(exponent, significand), Lane.I32), Lane.F32)
    found = e.select(e.lt(e.abs(a), 2.0**-24), e.constant(Lane.F32, 1.0), found)
    found = e.select(e.le(e.constant(Lane.F32, 128.0), a), e.like(a, float("inf")), found)
    found = e.select(e.lt(a, -126.0), e.constant(Lane.F32, 0.0), found)
    quiet = e.bitcast(e.or_(e.bitcast(a, Lane.I32), 1 << 22), Lane.F32)
    return e.select(e.is_nan(a), quiet, found)


def _phase(e: Engine[V], a: V) -> V:
    """Give the number with 29 bits behind the point, I64; of negative ones the bits inverted."""
    code = e.bitcast(a, Lane.I32)
    mantissa = e.convert(e.or_(e.and_(code, 0x7FFFFF), 0x800000), Lane.I64)
    up = e.convert(e.sub(e.and_(e.lshr(code, 23), 255), 127 + 23 - FRACTION), Lane.I64)
    left = e.shl(mantissa, e.min(e.max(up, 0), 31))
    right = e.lshr(mantissa, e.min(e.max(e.neg(up), 0), 31))
    magnitude = e.select(e.lt(up, 0), right, left)
    return e.select(e.lt(a, 0.0), e.not_(magnitude), magnitude)


def _coefficients(e: Engine[V], step: V) -> Sequence[V]:
    """Give the coefficients at a thirty-second, I64, the constant first."""
    power = e.constant(Lane.F64, 1.0)
    for bit in range(5):
        is_set = e.eq(e.and_(step, 1 << bit), 1 << bit)
        power = e.select(is_set, e.mul(power, 2.0 ** (2.0**bit / STEPS)), power)
    constant, *others = (
        e.convert(e.nearest(e.mul(power, at_zero)), Lane.I64)
        for at_zero in (CONSTANT, LINEAR, QUADRATIC, CUBIC)
    )
    bits = e.and_(e.lshr(e.constant(Lane.I64, MISROUNDED), e.shl(step, 1)), 3)
    return [e.sub(e.add(constant, bits), 1), *others]


def _cubic(e: Engine[V], coefficients: Sequence[V], fraction: V) -> V:
    """Give the significand of f32 with its leading bit; fraction has 24 bits."""
    constant, linear, quadratic, cubic = coefficients
    product = _in_24_bits(e, e.mul(linear, fraction))
    coordinate = e.lshr(fraction, 6)
    square = e.lshr(e.mul(coordinate, coordinate), 12)
    inner = e.add(e.shl(quadratic, 7), e.mul(cubic, coordinate))
    rest = _in_24_bits(e, e.mul(_rounded(e, inner, 7), square))
    # The linear product loses the guard bit that it was rounded to; the quadratic one keeps it.
    total = e.add(e.shl(e.add(constant, e.lshr(product, 1)), 8), rest)
    return _rounded(e, total, 13)


def _in_24_bits(e: Engine[V], product: V) -> V:
    """Round a product by 23 bits, but so that it keeps no more than 24."""
    wide = e.shl(_rounded(e, product, 24), 1)
    return e.select(e.lt(product, 1 << 47), _rounded(e, product, 23), wide)


def _rounded(e: Engine[V], x: V, shift: int) -> V:
    """Shift right, rounding to nearest even."""
    odd = e.and_(e.lshr(x, shift), 1)
    return e.lshr(e.add(e.add(x, odd), (1 << shift - 1) - 1), shift)
