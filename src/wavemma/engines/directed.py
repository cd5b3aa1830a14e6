"""Sums and products of f64 rounded up, down or toward zero, on engines that round to nearest.

What rounding to nearest has lost is computed exactly, as a sum of four numbers whose sign is that
of its largest part; the result then moves to the neighbour on that side where the direction asks
for it.
"""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane

V = TypeVar("V")
NEAREST, UP, DOWN, ZERO = range(4)
"""Directions, as hardware numbers them."""
_SIGN, _LARGEST = 1 << 63, 0x7FEFFFFFFFFFFFFF
_FRACTION, _BIAS, _TOP = 52, 1023, 0x7FF
_REACH = 300
"""Powers of two by which terms may differ before the smaller one is no more than its sign."""
_LIFT = 200


def is_inward(e: Engine[V], negative: V, direction: V) -> V:
    """Tell where a direction leads toward zero.

    Args:
        e: The engine.
        negative: Whether numbers are, BOOL.
        direction: I32 lanes.

    """
    against = e.or_(
        e.and_(e.eq(direction, UP), negative), e.and_(e.eq(direction, DOWN), e.not_(negative))
    )
    return e.or_(e.eq(direction, ZERO), against)


def signed_zero(e: Engine[V], total: V, x: V, y: V, direction: V) -> V:
    """Give an exact sum x + y its sign where it is zero and both have different signs."""
    apart = e.lt(e.xor(e.bitcast(x, Lane.I64), e.bitcast(y, Lane.I64)), 0)
    minus = e.and_(e.and_(e.eq(total, 0.0), apart), e.eq(direction, DOWN))
    return e.select(minus, e.constant(Lane.F64, -0.0), total)


def directed_fused(e: Engine[V], x: V, y: V, z: V, direction: V) -> V:
    """Give x*y + z of f64, rounded once in a direction.

    Args:
        e: The engine.
        x: A factor.
        y: A factor.
        z: What is added.
        direction: I32 lanes.

    """
    near = e.fma(x, y, z)
    above, below = _lost(e, x, y, z, near)
    moved = _moved(e, near, above, below, direction)
    every = e.lt(e.max(e.max(e.abs(x), e.abs(y)), e.abs(z)), float("inf"))
    finite = e.and_(every, e.not_(e.or_(e.is_nan(x), e.or_(e.is_nan(y), e.is_nan(z)))))
    over = e.and_(finite, e.eq(e.abs(near), float("inf")))
    found = e.select(over, _bounded(e, near, direction), moved)
    product = e.xor(e.bitcast(x, Lane.I64), e.bitcast(y, Lane.I64))
    exact = e.and_(e.not_(above), e.not_(below))
    apart = e.lt(e.xor(product, e.bitcast(z, Lane.I64)), 0)
    zero = e.and_(e.and_(e.eq(near, 0.0), exact), e.and_(apart, e.eq(direction, DOWN)))
    return e.select(zero, e.constant(Lane.F64, -0.0), found)


def directed_product(e: Engine[V], x: V, y: V, direction: V) -> V:
    """Give x*y of f64, rounded once in a direction."""
    sign = e.and_(e.xor(e.bitcast(x, Lane.I64), e.bitcast(y, Lane.I64)), _SIGN)
    return directed_fused(e, x, y, e.bitcast(sign, Lane.F64), direction)


def directed_scaled(e: Engine[V], x: V, n: V, direction: V, near: V) -> V:
    """Give x * 2**n of f64, rounded once in a direction.

    Args:
        e: The engine.
        x: The number.
        n: I32 lanes.
        direction: I32 lanes.
        near: The same, rounded to nearest.

    """
    mantissa, exponent = _apart(e, x)
    power = e.add(exponent, e.min(e.max(e.convert(n, Lane.I64), -3000), 3000))
    low = e.sub(e.max(power, -1200), -900)
    small = _product_of_powers(e, mantissa, e.min(low, _REACH), direction)
    found = e.select(e.lt(power, -1022), small, near)
    over = e.and_(e.eq(e.abs(near), float("inf")), e.lt(e.abs(x), float("inf")))
    found = e.select(over, _bounded(e, near, direction), found)
    plain = e.or_(e.eq(x, 0.0), e.eq(direction, NEAREST))
    plain = e.or_(plain, e.not_(e.lt(e.abs(x), float("inf"))))
    return e.select(plain, near, found)


def _product_of_powers(e: Engine[V], mantissa: V, power: V, direction: V) -> V:
    """Give a mantissa times 2**-900 and 2**power, whose product alone is rounded."""
    return directed_product(e, e.mul(mantissa, 2.0**-900), _power(e, power), direction)


def _power(e: Engine[V], n: V) -> V:
    return e.bitcast(e.shl(e.add(n, _BIAS), _FRACTION), Lane.F64)


def _apart(e: Engine[V], x: V) -> tuple[V, V]:
    """Give the number in 1..2 with the sign, and the exponent, I64; of zero nothing that counts."""
    tiny = e.lt(e.abs(x), 2.0**-900)
    normal = e.select(tiny, e.mul(x, 2.0**_LIFT), x)
    bits = e.bitcast(normal, Lane.I64)
    field = e.and_(e.lshr(bits, _FRACTION), _TOP)
    mantissa = e.bitcast(e.or_(e.and_(bits, ~(_TOP << _FRACTION)), _BIAS << _FRACTION), Lane.F64)
    exponent = e.sub(field, e.select(tiny, e.constant(Lane.I64, _BIAS + _LIFT), _BIAS))
    return mantissa, exponent


def _beside(e: Engine[V], x: V, middle: V) -> V:
    """Give a number divided by 2**middle, whose size stays within reach; zero stays zero."""
    mantissa, exponent = _apart(e, x)
    distance = e.min(e.max(e.sub(exponent, middle), -_REACH), _REACH)
    return e.select(e.eq(x, 0.0), e.constant(Lane.F64, 0.0), e.mul(mantissa, _power(e, distance)))


def _lost(e: Engine[V], x: V, y: V, z: V, near: V) -> tuple[V, V]:
    """Tell where x*y + z is above what it was rounded to, and where below."""
    (first, one), (second, other) = _apart(e, x), _apart(e, y)
    middle = e.add(one, other)
    high = e.mul(first, second)
    low = e.fma(first, second, e.neg(high))
    zero = e.constant(Lane.F64, 0.0)
    nothing = e.or_(e.eq(x, 0.0), e.eq(y, 0.0))
    terms = [e.select(nothing, zero, low), e.select(nothing, zero, high)]
    for term in (_beside(e, z, middle), e.neg(_beside(e, near, middle))):
        terms = _grown(e, terms, term)
    sign = zero
    for term in terms:
        sign = e.select(e.eq(term, 0.0), sign, term)
    known = e.and_(e.lt(e.abs(near), float("inf")), e.not_(nothing))
    return e.and_(known, e.lt(zero, sign)), e.and_(known, e.lt(sign, 0.0))


def _grown(e: Engine[V], terms: list[V], more: V) -> list[V]:
    """Add a number to a sum of numbers that do not overlap, smallest first, exactly."""
    found = []
    for term in terms:
        more, rest = e.two_sum(more, term)
        found.append(rest)
    return [*found, more]


def _moved(e: Engine[V], near: V, above: V, below: V, direction: V) -> V:
    """Go to the neighbour where the direction asks for it."""
    bits = e.bitcast(near, Lane.I64)
    negative = e.lt(bits, 0)
    toward_zero = e.eq(direction, ZERO)
    goes_up = e.or_(e.eq(direction, UP), e.and_(toward_zero, negative))
    goes_down = e.or_(e.eq(direction, DOWN), e.and_(toward_zero, e.not_(negative)))
    up, down = e.and_(above, goes_up), e.and_(below, goes_down)
    one, minus = e.constant(Lane.I64, 1), e.constant(Lane.I64, -1)
    higher = e.add(bits, e.select(negative, minus, one))
    lower = e.add(bits, e.select(negative, one, minus))
    is_zero = e.eq(near, 0.0)
    higher = e.select(is_zero, one, higher)
    lower = e.select(is_zero, e.constant(Lane.I64, _SIGN | 1), lower)
    # Toward zero an underflow stays a zero.
    stays = e.and_(is_zero, toward_zero)
    moved = e.select(up, higher, e.select(down, lower, bits))
    return e.bitcast(e.select(stays, bits, moved), Lane.F64)


def _bounded(e: Engine[V], infinite: V, direction: V) -> V:
    """Give the largest number of the sign where a direction leads inward from an overflow."""
    bits = e.bitcast(infinite, Lane.I64)
    largest = e.bitcast(e.or_(e.and_(bits, _SIGN), _LARGEST), Lane.F64)
    return e.select(is_inward(e, e.lt(bits, 0), direction), largest, infinite)
