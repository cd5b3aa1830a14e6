"""Pieces of 2/pi, for sines of large f64."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import meaning
from wavemma.machine.semantics.vector.scaling import exponent_field, scaled

V = TypeVar("V")
_BITS, _PIECE, _WORD = 1201, 53, 64
_NEAR, _FAR, _MORE = 1077, 1968, 128


def _two_over_pi(bits: int) -> int:
    """Give so many bits of 2/pi behind the point, by Machin's formula."""
    guard = bits + 64

    def inverse_tangent(x: int) -> int:
        term, total, n = (1 << guard) // x, 0, 1
        while term:
            total += term // n if n % 4 == 1 else -(term // n)
            term, n = term // (x * x), n + 2
        return total

    pi = 4 * (4 * inverse_tangent(5) - inverse_tangent(239))
    return (1 << guard + bits + 1) // pi


_WORDS = -(-_BITS // _WORD) + 2
_TABLE = _two_over_pi(_BITS) << _WORDS * _WORD - _BITS


def _word(number: int) -> int:
    """Give 64 bits of 2/pi; zeros behind the last one."""
    return _TABLE >> (_WORDS - 1 - number) * _WORD & (1 << _WORD) - 1


def _bits_from(e: Engine[V], first: V) -> V:
    """Give 53 bits of 2/pi from one behind the point on; I64 lanes."""
    place, skip = e.lshr(first, 6), e.and_(first, _WORD - 1)
    high = low = e.constant(Lane.I64, 0)
    for number in range(_WORDS - 1):
        here = e.eq(place, number)
        high = e.select(here, e.constant(Lane.I64, _word(number)), high)
        low = e.select(here, e.constant(Lane.I64, _word(number + 1)), low)
    rest = e.lshr(e.lshr(low, 1), e.sub(e.constant(Lane.I64, _WORD - 1), skip))
    return e.lshr(e.or_(e.shl(high, skip), rest), _WORD - _PIECE)


@meaning("piece_of_two_over_pi", "a:f64 b:u32", "d:f64")
def piece_of_two_over_pi(e: Engine[V], a: V, b: V) -> V:
    """Give the piece of 2/pi that a number of such an exponent needs, cut, not rounded.

    Pieces have 53 bits and are counted by the second source. Those of very large numbers are
    2**128 times as large, so that they are no subnormals.
    """
    exponent = exponent_field(e, a)
    shift = e.mul(e.zero_extend(e.and_(b, 31), Lane.I64), _PIECE)
    shift = e.add(shift, e.max(e.sub(exponent, _NEAR), 0))
    more = e.select(e.lt(exponent, _FAR), e.constant(Lane.I64, 0), _MORE)
    power = e.add(e.sub(e.constant(Lane.I64, -_PIECE), shift), more)
    # Bits below the smallest subnormal are dropped first.
    lost = e.min(e.max(e.sub(e.constant(Lane.I64, -1074), power), 0), _PIECE)
    piece = e.shl(e.lshr(_bits_from(e, shift), lost), lost)
    return scaled(e, e.convert(piece, Lane.F64), e.convert(power, Lane.I32))
